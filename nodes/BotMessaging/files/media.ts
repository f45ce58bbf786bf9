import type { IExecuteFunctions } from 'n8n-workflow';
import type { FileSource } from './bytes';
import { toNodeError } from '../service/errors';
import { safeFileName } from './fileName';

/** The kinds of media that the service tells apart in uploads and attachments (interface: UploadType). */
export type MediaType = 'image' | 'video' | 'audio' | 'file';

interface MediaRules {
	type: MediaType;
	name: string;
	/** Largest file in bytes (interface: Limits). */
	maxBytes: number;
	/** MIME types that are sent as this kind when the kind is chosen automatically. */
	mimeTypes: RegExp;
	/** File extensions that decide if the MIME type says nothing. */
	extensions: RegExp;
}

export const MB = 1024 ** 2;

/** Tried in this order. "MB" is taken as 1024² bytes, its larger meaning: between the two, the service judges. */
export const MEDIA: readonly MediaRules[] = [
	{
		type: 'image',
		name: 'Image',
		maxBytes: 50 * MB,
		mimeTypes: /^image\/(jpe?g|png|gif|tiff?|bmp|x-ms-bmp|heic)$/,
		extensions: /\.(jpe?g|png|gif|tiff?|bmp|heic)$/,
	},
	{
		type: 'video',
		name: 'Video',
		maxBytes: 250 * MB,
		mimeTypes: /^video\/(mp4|quicktime|matroska|x-matroska|webm)$/,
		extensions: /\.(mp4|mov|mkv|webm)$/,
	},
	{
		type: 'audio',
		name: 'Audio',
		maxBytes: 256 * MB,
		mimeTypes: /^audio\//,
		extensions: /\.(mp3|wav|m4a)$/,
	},
	{
		type: 'file',
		name: 'File',
		maxBytes: 4096 * MB,
		mimeTypes: /^/,
		extensions: /^/,
	},
];

/** MIME types that fit any file, so that they tell nothing about this one. */
export const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** The kind to send a file as when none was chosen: by its MIME type, or by its name if that says nothing. */
export function mediaTypeOf(mimeType: string, fileName: string): MediaType {
	const mime = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	const fits = ({ mimeTypes, extensions }: MediaRules): boolean =>
		GENERIC_TYPES.has(mime) ? extensions.test(fileName.toLowerCase()) : mimeTypes.test(mime);
	return MEDIA.find(fits)?.type ?? 'file';
}

/** A size as people read it: `3 bytes`, `1.5 MB`, `4 GB`. */
export function readableSize(bytes: number): string {
	const units = ['bytes', 'KB', 'MB', 'GB'];
	const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

/** Refuses an empty file and one beyond the limit of its kind (interface: Limits), before anything is sent. */
export function checkUpload(
	context: Pick<IExecuteFunctions, 'getNode'>,
	type: MediaType,
	{ fileName, size }: Pick<FileSource, 'fileName' | 'size'>,
): void {
	const refuse = (message: string, advice: string): never => {
		throw toNodeError(context.getNode(), { message, advice });
	};
	const name = safeFileName(fileName);
	if (size === 0) {
		refuse(
			`The file ${name} is empty`,
			'The service takes no file of 0 bytes. Check where it comes from.',
		);
	}
	const rules = MEDIA.find((each) => each.type === type);
	if (!rules || size <= rules.maxBytes) return;
	refuse(
		`The file ${name} is too large: ${readableSize(size)} (${size} bytes), and the limit of ${rules.name} is ${readableSize(rules.maxBytes)}`,
		type === 'file'
			? 'Make the file smaller, or split it.'
			: "Make it smaller, or choose 'Media Type' → 'File', which takes up to 4 GB.",
	);
}
