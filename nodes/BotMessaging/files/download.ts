import type { IBinaryData } from 'n8n-workflow';
import { announcedFile, safeFileName, type IncomingFile } from './fileName';
import { toNodeError } from '../service/errors';
import { openAddress, type FileContext, type OpenedFile } from './fileHost';
import { GENERIC_TYPES } from './media';
import { asObject, at, listAt, textAt } from '../service/read';
import { readWithRetries } from './timeouts';
import { Semaphore, transfers } from './semaphore';
import { SizeLimit, storeStream } from './storeStream';
import { asSegment, type Service } from '../service/types';

export interface DownloadSettings {
	types: readonly string[];
	/** Wanted height of videos in pixels, such as 720; `Infinity` for the largest. */
	videoHeight: number;
	maxBytes: number;
	/** All files together, in bytes. */
	maxTotalBytes: number;
	/** What the names of the binary fields begin with; their numbers follow. */
	prefix: string;
}

const typeOf = (attachment: unknown): string => textAt(attachment, 'type') ?? '';

/** Attachments of one message that are downloaded at a time. */
const AT_A_TIME = 3;

interface Missed {
	/** Number that its binary field would have had. */
	index: number;
	type: string;
	/** NodeApiError that says why. */
	reason: unknown;
}

/**
 * Downloads attachments into binary fields `<prefix>0`, `<prefix>1` …, numbered in order, and streams them where n8n
 * keeps files on disk. File urls get no credential. Works in every context that can store binary data.
 */
export async function downloadAttachments(
	context: FileContext,
	service: Service,
	attachments: readonly unknown[],
	settings: DownloadSettings,
): Promise<{ files: Record<string, IBinaryData>; missed: Missed[] }> {
	const wanted = attachments.filter((attachment) => settings.types.includes(typeOf(attachment)));
	const files: Record<string, IBinaryData> = {};
	const missed: Missed[] = [];
	const sizeLimit = new SizeLimit(settings.maxBytes, settings.maxTotalBytes);
	const few = new Semaphore(AT_A_TIME);
	const results = await Promise.allSettled(
		wanted.map(async (attachment) => {
			const download = async (): Promise<IBinaryData> => {
				const url = await addressOf(context, service, attachment, settings.videoHeight);
				return await readWithRetries(async () => {
					const { answer, file } = await open(context, service, attachment, url);
					return await storeStream(context, answer, file, sizeLimit);
				});
			};
			return await few.run(async () => await transfers.run(download));
		}),
	);
	results.forEach((result, index) => {
		if (result.status === 'fulfilled') files[`${settings.prefix}${index}`] = result.value;
		else missed.push({ index, type: typeOf(wanted[index]), reason: result.reason });
	});
	return { files, missed };
}

const OWN = ['message.body.attachments', 'body.attachments', 'attachments', 'data.attachments'];

const LINKED = [
	'message.link.message.attachments',
	'link.message.attachments',
	'reply_to.attachments',
	'forwarded.attachments',
];

/** The attachments in an event, message or answer to Send and Wait: its own, then of what it replies to or forwards. */
export const attachmentsIn = (json: unknown): unknown[] =>
	[OWN, LINKED].flatMap(
		(places) =>
			places.map((path) => listAt(json, ...path.split('.'))).find((list) => list.length > 0) ?? [],
	);

async function addressOf(
	context: FileContext,
	service: Service,
	attachment: unknown,
	videoHeight: number,
): Promise<string> {
	const type = typeOf(attachment);
	const url =
		type === 'video'
			? await videoAddress(service, attachment, videoHeight)
			: textAt(attachment, 'payload', 'url');
	if (url !== undefined) return url;
	throw toNodeError(context.getNode(), {
		message: `The ${type} has no address to download it from`,
		advice: 'Get the message again; for a video, wait until the service has processed it.',
	});
}

async function open(
	context: FileContext,
	service: Service,
	attachment: unknown,
	url: string,
): Promise<{ answer: OpenedFile; file: IncomingFile }> {
	const type = typeOf(attachment);
	const { trust } = service.connection;
	const advice = 'Addresses of files expire: get the message again, then download.';
	const answer = await openAddress(context, { url, trust, what: type, advice });
	const announced = announcedFile(url, answer, type);
	const given = textAt(attachment, 'filename');
	const fileName = given ? safeFileName(given, type) : announced.fileName;
	return { answer, file: { ...announced, fileName, mimeType: typeToStore(fileName, announced) } };
}

/** The MIME type to store a file with. If its host gives all files the same one, n8n derives it from the name. */
const typeToStore = (fileName: string, { mimeType = '' }: IncomingFile): string | undefined =>
	GENERIC_TYPES.has(mimeType) && /\.\w+$/.test(fileName) ? undefined : mimeType || undefined;

/** The url of a video in the largest height up to `height`, or else in the smallest one (wire 5.4). */
async function videoAddress(
	service: Service,
	attachment: unknown,
	height: number,
): Promise<string | undefined> {
	const token = asSegment(textAt(attachment, 'payload', 'token') ?? '');
	if (token === undefined) return undefined;
	const path = `/videos/${token}`;
	const urls = at(await service.request({ method: 'GET', path }), 'urls');
	const offers = Object.entries(asObject(urls))
		.flatMap(([key, url]) => {
			const offered = Number(/^mp4_(\d+)$/.exec(key)?.[1]);
			return offered > 0 && typeof url === 'string' ? [{ height: offered, url }] : [];
		})
		.sort((a, b) => b.height - a.height);
	return (offers.find((offer) => offer.height <= height) ?? offers.at(-1))?.url;
}
