import { badRequest } from '../api/errors';
import type { Fields } from '../api/fields';
import type { MediaAttachment } from '../world/types';
import type { World } from '../world/world';

/** Default file names. */
const NAMES = {
	image: 'image.jpg',
	video: 'video.mp4',
	audio: 'audio.mp3',
	file: 'file.bin',
} as const;

const TYPES = ['image', 'video', 'audio', 'file'] as const;

/**
 * Reads a file that a person sends: `content_base64`, or `size` and `seed` for generated content.
 * @returns undefined if the attachment is something else
 */
export function readSentFile(fields: Fields, world: World): MediaAttachment | undefined {
	const type = TYPES.find((known) => known === fields.text('type'));
	const base64 = fields.text('content_base64');
	const size = fields.number('size');
	if (type === undefined || (base64 ?? size) === undefined) return undefined;
	if (size !== undefined && size < 1) throw badRequest('A file has at least one byte');
	const content =
		base64 === undefined
			? { size: size ?? 1, seed: fields.text('seed') ?? 'seed' }
			: Buffer.from(base64, 'base64');
	const name = fields.text('file_name', { min: 1 }) ?? NAMES[type];
	const media = world.base.uploads.accept(type, name, content, fields.text('mime_type'));
	return { type, media, transcription: fields.text('transcription') };
}
