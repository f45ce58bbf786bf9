import type { Media } from '../uploads/types';
import type { World } from './world';

/** One pixel, for images whose bytes the platform does not have. */
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

const thumbnails = new WeakMap<Media, Media>();

/** A stand-in for an image hosted elsewhere. */
export function placeholder(world: World, fileName: string): Media {
	return world.base.uploads.accept('image', fileName, PIXEL, 'image/png');
}

/** The thumbnail of a video; always the same one. */
export function thumbnailOf(world: World, video: Media): Media {
	const thumbnail = thumbnails.get(video) ?? placeholder(world, 'thumbnail.png');
	thumbnails.set(video, thumbnail);
	return thumbnail;
}
