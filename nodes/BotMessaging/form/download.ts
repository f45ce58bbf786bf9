import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, numberField, stringField } from './fields';
import { DEFAULT_DOWNLOADS, DOWNLOADABLE, type DownloadSettings } from '../files/download';
import type { Form } from './form';

const MB = 1024 ** 2;

const SIZE_LIMIT = 'size_limit_mb';
const TOTAL_SIZE_LIMIT = 'total_size_limit_mb';

const TYPE_NAMES: Record<(typeof DOWNLOADABLE)[number], string> = {
	image: 'Images',
	video: 'Videos',
	audio: 'Audio',
	file: 'Files',
	sticker: 'Stickers',
};

const HEIGHTS = [1080, 720, 480, 360, 240, 144];

/** Options of everything that downloads attachments. */
export const downloadOptions: INodeProperties[] = [
	{
		displayName: 'Attachment Types',
		name: 'attachment_types',
		type: 'multiOptions',
		options: DOWNLOADABLE.map((value) => ({ name: TYPE_NAMES[value], value })),
		default: [...DOWNLOADABLE],
		description: 'Kinds of attachments to download',
	},
	stringField('Binary Field Prefix', 'binary_prefix', {
		default: 'attachment_',
		description: 'What the binary fields are called, followed by a number that begins at 0',
	}),
	numberField('Size Limit (MB)', SIZE_LIMIT, {
		typeOptions: { minValue: 0 },
		default: Math.round(DEFAULT_DOWNLOADS.maxBytes / MB),
		description: 'Largest file that is downloaded; a larger one is an error',
	}),
	menuField(
		'Video Quality',
		'video_quality',
		{ default: 'best', description: 'Which version of videos is downloaded' },
		[
			choice('Best', 'best'),
			...HEIGHTS.map((height) => ({ name: `Up to ${height}p`, value: String(height) })),
		],
	),
];

const MOST_MB_OF_EVENT = 100;

/** The same for events: what strangers send is bounded, and what is left out is told in the item. */
export const eventDownloadOptions: INodeProperties[] = [
	...downloadOptions.map((option) =>
		option.name === SIZE_LIMIT
			? {
					...option,
					default: MOST_MB_OF_EVENT,
					description:
						"Largest file that is downloaded; a larger one is told in the field 'not_downloaded'",
				}
			: option,
	),
	numberField('Size Limit of All Files (MB)', TOTAL_SIZE_LIMIT, {
		typeOptions: { minValue: 0 },
		default: MOST_MB_OF_EVENT,
		description: 'How much is downloaded of one event; files beyond it are told in the same field',
	}),
];

/** Reads how attachments of events are downloaded from the options of a form. */
export const eventDownloadSettings = (options: Form): DownloadSettings => ({
	...downloadSettings(options),
	maxBytes: (options.number(SIZE_LIMIT) ?? MOST_MB_OF_EVENT) * MB,
	maxTotalBytes: (options.number(TOTAL_SIZE_LIMIT) ?? MOST_MB_OF_EVENT) * MB,
});

/** Reads how attachments are downloaded from the options of a form. */
export function downloadSettings(options: Form): DownloadSettings {
	const quality = Number(options.choice('video_quality', ['best', ...HEIGHTS.map(String)], 'best'));
	const megabytes = options.number(SIZE_LIMIT);
	return {
		types: options.has('attachment_types') ? options.texts('attachment_types') : undefined,
		videoHeight: quality > 0 ? quality : undefined,
		maxBytes: megabytes === undefined ? DEFAULT_DOWNLOADS.maxBytes : megabytes * MB,
		prefix: options.has('binary_prefix') ? options.text('binary_prefix') : DEFAULT_DOWNLOADS.prefix,
	};
}
