import type { IBinaryData } from 'n8n-workflow';
import { announcedFile } from './headers';
import { toNodeError } from '../service/errors';
import { openAddress, type FileContext } from './fileHost';
import { safeFileName } from './fileName';
import { at, listAt, textAt } from '../service/read';
import { transfers } from './semaphore';
import { storeStream } from './storeStream';
import type { Service } from '../service/types';

/** What the user may set for downloads. */
export interface DownloadSettings {
	/** Types of attachments to download; all that can be when left out. */
	types?: readonly string[];
	/** Height of the videos wanted, such as 720; the best one when left out. */
	videoHeight?: number;
	/** Largest file, in bytes. */
	maxBytes: number;
	/** What the binary fields are called, followed by their numbers. */
	prefix: string;
}

export const DEFAULT_DOWNLOADS: DownloadSettings = {
	maxBytes: 4 * 1024 ** 3,
	prefix: 'attachment_',
};

/** Types of attachments that have content of their own (wire 3.4). */
export const DOWNLOADABLE = ['image', 'video', 'audio', 'file', 'sticker'] as const;

/** One attachment whose content is to be downloaded. */
interface Wanted {
	type: string;
	attachment: unknown;
}

/** Attachments under way at a time. */
const AT_A_TIME = 3;

/**
 * Downloads attachments into binary fields `<prefix>0`, `<prefix>1` …, numbered in their order, streamed where n8n
 * keeps files on disk. The addresses get no credential. Works in every context that can store binary data.
 *
 * @throws NodeApiError when one cannot be downloaded
 */
export async function downloadAttachments(
	context: FileContext,
	service: Service,
	attachments: readonly unknown[],
	settings: DownloadSettings = DEFAULT_DOWNLOADS,
): Promise<Record<string, IBinaryData>> {
	const wanted = attachments.flatMap((attachment): Wanted[] => {
		const type = textAt(attachment, 'type') ?? '';
		const chosen: readonly string[] = settings.types ?? DOWNLOADABLE;
		return chosen.includes(type) ? [{ type, attachment }] : [];
	});
	const fields: Record<string, IBinaryData> = {};
	for (let begin = 0; begin < wanted.length; begin += AT_A_TIME) {
		const results = await Promise.allSettled(
			wanted
				.slice(begin, begin + AT_A_TIME)
				.map((one) => transfers.run(() => download(context, service, one, settings))),
		);
		results.forEach((result, index) => {
			if (result.status === 'rejected') throw result.reason;
			fields[`${settings.prefix}${begin + index}`] = result.value;
		});
	}
	return fields;
}

/** The attachments that an item holds: of an event, of a message, or simplified. */
export function attachmentsIn(json: unknown): unknown[] {
	const places = [['message', 'body', 'attachments'], ['body', 'attachments'], ['attachments']];
	return places.map((path) => listAt(json, ...path)).find((list) => list.length > 0) ?? [];
}

async function download(
	context: FileContext,
	service: Service,
	{ type, attachment }: Wanted,
	settings: DownloadSettings,
): Promise<IBinaryData> {
	const url =
		type === 'video'
			? await videoAddress(service, attachment, settings.videoHeight)
			: textAt(attachment, 'payload', 'url');
	if (url === undefined) {
		throw toNodeError(context.getNode(), {
			message: `The ${type} has no address to download it from`,
			advice: 'Get the message again; of a video, wait until the service has processed it.',
		});
	}
	const answer = await openAddress(context, url);
	if (answer.status !== 200) {
		answer.body.destroy();
		throw toNodeError(context.getNode(), {
			status: answer.status,
			message: `The address of the ${type} answered with status ${answer.status}`,
			advice: 'Addresses of files expire: get the message again, then download.',
		});
	}
	const announced = announcedFile(url, answer.headers, type);
	const given = textAt(attachment, 'filename');
	const fileName = given
		? safeFileName(given, type)
		: withEnding(announced.fileName, announced.mimeType);
	return await storeStream(context, answer.body, { ...announced, fileName }, settings.maxBytes);
}

/** Endings of files whose address and headers tell no name. */
const ENDINGS: Readonly<Record<string, string>> = {
	'image/jpeg': 'jpg',
	'image/png': 'png',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'video/mp4': 'mp4',
	'audio/mpeg': 'mp3',
	'audio/mp4': 'm4a',
	'audio/ogg': 'ogg',
};

function withEnding(fileName: string, mimeType = ''): string {
	const ending = ENDINGS[mimeType];
	return ending && !fileName.includes('.') ? `${fileName}.${ending}` : fileName;
}

/** The address of a video in the height that comes nearest from below, else the smallest one (wire 5.4). */
async function videoAddress(
	service: Service,
	attachment: unknown,
	height = Infinity,
): Promise<string | undefined> {
	const token = textAt(attachment, 'payload', 'token') ?? '';
	const path = `/videos/${encodeURIComponent(token)}`;
	const urls = at(await service.request({ method: 'GET', path }), 'urls');
	const offers = Object.entries(typeof urls === 'object' && urls !== null ? urls : {})
		.flatMap(([key, url]) => {
			const offered = Number(/^mp4_(\d+)$/.exec(key)?.[1]);
			return offered > 0 && typeof url === 'string' ? [{ height: offered, url }] : [];
		})
		.sort((a, b) => b.height - a.height);
	return (offers.find((offer) => offer.height <= height) ?? offers.at(-1))?.url;
}
