import { createHash } from 'node:crypto';
import { syntheticBytes } from '../../platform/uploads/content';

/** A photo of so many bytes as a person sends it, and the hash to recognize it by. */
export function photoOf(size: number) {
	const bytes = Buffer.concat([...syntheticBytes({ size, seed: 'sea' })]);
	return {
		sent: {
			type: 'image',
			content_base64: bytes.toString('base64'),
			file_name: 'Море 1.jpg',
			mime_type: 'image/jpeg',
		},
		sha256: createHash('sha256').update(bytes).digest('hex'),
	};
}
