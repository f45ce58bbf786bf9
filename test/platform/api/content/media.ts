import type { Media } from '../../uploads/types';
import { placeholder } from '../../world/placeholders';
import type { MediaAttachment } from '../../world/types';
import type { World } from '../../world/world';
import { ApiError, badRequest } from '../errors';
import type { Fields } from '../fields';

/** Name of each type in error texts about a token. */
const KIND = { image: 'photo', video: 'video', audio: 'audio', file: 'file' } as const;

/** Name of each type in the text of attachment.not.ready. */
const UNPROCESSED = { image: 'file', video: 'video', audio: 'file', file: 'file' } as const;

/** Reads the payload of a video, audio or file. */
export function readMedia(
	type: 'video' | 'audio' | 'file',
	payload: Fields,
	world: World,
): MediaAttachment {
	const token = payload.text('token');
	if (token === undefined) throw badRequest("Field 'token' cannot be null");
	return { type, media: mediaOf(type, token, world) };
}

/** Reads an image payload: exactly one of `url`, `token` and `photos` (which can hold several). */
export function readImages(payload: Fields, world: World): MediaAttachment[] {
	const url = payload.text('url');
	const token = payload.text('token');
	const photos = payload.nested('photos');
	const given = [url, token, photos].filter((value) => value !== undefined).length;
	if (given === 0) throw badRequest('No `photos`, `url` or `token` provided. Check payload.');
	if (given > 1) throw badRequest('Only one of `photos`, `url` or `token` can be provided.');
	if (url !== undefined) return [externalImage(url, world)];
	const tokens = photos === undefined ? [token ?? ''] : tokensOf(photos);
	return tokens.map((each) => ({ type: 'image', media: mediaOf('image', each, world) }));
}

function tokensOf(photos: Fields): string[] {
	const tokens = photos.values().map((photo) => photo.known('token').text('token'));
	if (tokens.length === 0)
		throw badRequest('No `photos`, `url` or `token` provided. Check payload.');
	return tokens.map((token) => {
		if (token === undefined) throw badRequest("Field 'token' cannot be null");
		return token;
	});
}

function externalImage(url: string, world: World): MediaAttachment {
	if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
		throw badRequest("Field 'url' does not match required pattern");
	}
	return { type: 'image', media: placeholder(world, 'image.png'), external_url: url };
}

function mediaOf(type: MediaAttachment['type'], token: string, world: World): Media {
	const media = world.base.uploads.media(token);
	if (media?.type !== type) throw badRequest(`Invalid ${KIND[type]} token provided: ${token}`);
	if (media.readyAt > world.now()) {
		const message = `Key: errors.process.attachment.${UNPROCESSED[type]}.not.processed`;
		throw new ApiError(400, 'attachment.not.ready', message);
	}
	return media;
}
