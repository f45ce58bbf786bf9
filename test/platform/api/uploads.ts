import type { JsonObject } from '../json';
import type { Media, UploadType } from '../uploads/types';
import { thumbnailOf } from '../world/placeholders';
import { mediaUrl } from '../world/render';
import { badRequest, notFound } from './errors';
import type { Call, Routes } from './route';

const TYPES: readonly UploadType[] = ['image', 'video', 'audio', 'file'];

/** Heights in which a video is offered, up to its own. */
const QUALITIES = [1080, 720, 480, 360, 240, 144];

const UNKNOWN_HEIGHT = 720;

const STREAMED_FROM = 480;

export const uploadRoutes: Routes = {
	'POST /uploads': issue,
	'GET /videos/:token': video,
};

function issue({ world, query }: Call) {
	const wanted = query.required('type', query.text('type'));
	const type = TYPES.find((known) => known === wanted);
	if (type === undefined) throw badRequest(`Unknown upload type: ${wanted}`);
	return world.base.uploads.issue(type, world.base.urls.upload);
}

function video({ world, path }: Call): JsonObject {
	const media = world.base.uploads.media(path.token ?? '');
	if (media?.type !== 'video') throw notFound(`Video ${path.token} not found`);
	const { token, width = 1280, height = UNKNOWN_HEIGHT, duration = 0 } = media;
	const url = mediaUrl(world, { media });
	const still = thumbnailOf(world, media);
	const thumbnail = {
		photo_id: still.photoId,
		token: still.token,
		url: mediaUrl(world, { media: still }),
	};
	return { token, urls: urlsOf(media, url), thumbnail, width, height, duration };
}

function urlsOf({ height = UNKNOWN_HEIGHT }: Media, url: string): JsonObject {
	const offered = QUALITIES.filter((quality) => quality <= height);
	const shown = offered.length === 0 ? QUALITIES.slice(-1) : offered;
	const files = shown.map((quality) => [`mp4_${quality}`, `${url}?height=${quality}`]);
	// Larger videos are also streamed.
	const stream = shown.includes(STREAMED_FROM) ? { hls: `${url}?stream=hls` } : {};
	return { ...Object.fromEntries(files), ...stream };
}
