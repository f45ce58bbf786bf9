import { entryOf } from '../service/read';
import { headerText, type OpenedFile } from './fileHost';

const LONGEST = 200;

/** A name that is safe in headers, forms and file systems, in any script. Never empty. */
export function safeFileName(name: string, fallback = 'file'): string {
	const safe = name
		.trim()
		// Includes characters that change the direction of text, which can disguise a file extension.
		.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]+/gu, '_');
	if (/^[._]*$/.test(safe)) return fallback;
	const characters = [...safe];
	return characters.length <= LONGEST ? safe : shorten(characters);
}

/** Keeps the extension, which tells what the file is. */
function shorten(characters: string[]): string {
	const dot = characters.lastIndexOf('.');
	const ending = characters.length - dot <= 20 ? characters.slice(dot) : [];
	return [...characters.slice(0, LONGEST - ending.length), ...ending].join('');
}

/** What is known about a file before its content arrives. */
export interface IncomingFile {
	fileName: string;
	/** Omitted to let n8n derive it from the name. */
	mimeType?: string;
	/** Bytes announced by the host. */
	size?: number;
}

/** What is told about a file whose url was `asked` for; `fallback` is its name if nothing tells one. */
export function announcedFile(
	asked: string,
	{ url, headers }: Pick<OpenedFile, 'url' | 'headers'>,
	fallback = 'file',
): IncomingFile {
	const length = headers['content-length'];
	const mimeType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
	const told =
		nameInHeader(headers['content-disposition']) ?? nameInAddress(url) ?? nameInAddress(asked);
	return {
		fileName: withEnding(safeFileName(told ?? fallback, fallback), mimeType),
		mimeType,
		size: length ? Number(length) : undefined,
	};
}

function withEnding(fileName: string, mimeType = ''): string {
	const ending = extensionOf(mimeType);
	return ending && !fileName.includes('.') ? `${fileName}.${ending}` : fileName;
}

/** The name in a Content-Disposition header (RFC 6266); some hosts encode it once more than they should. */
function nameInHeader(header = ''): string | undefined {
	const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
	if (extended !== undefined) return decode(decode(extended));
	const match = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
	const name = match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2];
	return name && decode(headerText(name));
}

/** The last segment of a url's path, if it looks like a file name. */
function nameInAddress(url: string): string | undefined {
	const name = decode(new URL(url).pathname.split('/').at(-1) ?? '');
	return /\.\w{1,8}$/.test(name) ? name : undefined;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Extensions for files that come without one, by MIME type. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	'image/jpeg': 'jpg',
	'image/png': 'png',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'video/mp4': 'mp4',
	'audio/mpeg': 'mp3',
	'audio/mp4': 'm4a',
	'audio/ogg': 'ogg',
	'application/pdf': 'pdf',
};

/** The file extension for a MIME type, if it is a common one. */
export const extensionOf = (mimeType: string): string | undefined => entryOf(EXTENSIONS, mimeType);
