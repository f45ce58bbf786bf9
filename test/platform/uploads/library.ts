import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock';
import type { Answer } from '../http';
import { Content, type FinishedContent, syntheticBytes } from './content';
import { dispositionHeader, mimeTypeOf, pathSegment } from './names';
import type { Media, SyntheticContent, UploadType } from './types';

interface NewMedia {
	type: UploadType;
	token: string;
	fileName: string;
	mimeType?: string;
	content: FinishedContent;
	/** Milliseconds until it can be attached. */
	readyAfter: number;
	/** Replaces the content in downloads if it was not kept. */
	synthetic?: SyntheticContent;
}

/** A positive int64 beyond 2^53, so that clients that lose digits are caught. */
const createPhotoId = () => (randomBytes(8).readBigUInt64BE() >> 2n) | (1n << 60n);

/** Hashes and measures content that comes in one piece or is generated. */
export function contentOf(source: Buffer | SyntheticContent): FinishedContent {
	const content = new Content();
	if (Buffer.isBuffer(source)) {
		content.write(source);
		return content.finish();
	}
	for (const block of syntheticBytes(source)) content.write(block);
	const { size, sha256 } = content.finish();
	return { size, sha256 };
}

/** All media of the service, by token and by download address. */
export class MediaLibrary {
	private readonly byToken = new Map<string, Media>();
	private readonly byId = new Map<string, { media: Media; synthetic: SyntheticContent }>();

	constructor(private readonly clock: Clock) {}

	add({ type, token, fileName, mimeType, content, readyAfter, synthetic }: NewMedia): Media {
		const id = randomBytes(12).toString('hex');
		const uploadedAt = this.clock.now();
		const isSpecific = mimeType !== undefined && mimeType !== 'application/octet-stream';
		const media: Media = {
			...content,
			type,
			token,
			fileName,
			mimeType: isSpecific ? mimeType : mimeTypeOf(fileName),
			uploadedAt,
			readyAt: uploadedAt + readyAfter,
			path: `/media/${id}/${pathSegment(fileName)}`,
			...(type === 'image' && { photoId: createPhotoId() }),
		};
		this.byToken.set(token, media);
		this.byId.set(id, { media, synthetic: synthetic ?? { size: content.size, seed: token } });
		return media;
	}

	find(token: string): Media | undefined {
		return this.byToken.get(token);
	}

	/**
	 * The file of a path under /media, or undefined. Large uploads are not kept: bytes generated from the token, as many
	 * as it had, replace them.
	 */
	download(path: string): Answer | undefined {
		const found = this.byId.get(/^\/media\/([^/]+)\//.exec(path)?.[1] ?? '');
		if (!found) return undefined;
		const { media, synthetic } = found;
		const isFile = media.type === 'file';
		return {
			status: 200,
			body: {
				length: media.size,
				blocks: media.content ? [media.content] : syntheticBytes(synthetic),
			},
			headers: {
				// The service gives every file the general type.
				'content-type': isFile ? 'application/octet-stream' : media.mimeType,
				'content-disposition': dispositionHeader(isFile ? 'attachment' : 'inline', media.fileName),
			},
		};
	}
}
