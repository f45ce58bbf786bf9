import type { INodeProperties } from 'n8n-workflow';
import { choice, choicesField, menuField, numberField, stringField } from './fields';
import type { DownloadSettings } from '../files/download';
import { MB } from '../files/media';
import type { Form } from './form';

const SIZE_LIMIT = 'size_limit_mb';
const TOTAL_SIZE_LIMIT = 'total_size_limit_mb';

const MOST_MB = 4096;
const MOST_MB_OF_EVENT = 100;

const PREFIX = 'attachment_';

/** Types of attachments that have content of their own (wire 3.4), and their labels. */
const TYPES = {
	image: 'Images',
	video: 'Videos',
	audio: 'Audio',
	file: 'Files',
	sticker: 'Stickers',
};

const HEIGHTS = ['1080', '720', '480', '360', '240', '144'];

const videoQualityField = menuField(
	'Video Quality',
	'video_quality',
	{ default: 'best', description: 'Which version of videos is downloaded' },
	[choice('Best', 'best'), ...HEIGHTS.map((height) => choice(`Up to ${height}p`, height))],
);

const typesField = choicesField('Attachment Types', 'attachment_types', {
	options: Object.entries(TYPES).map(([value, name]) => choice(name, value)),
	default: Object.keys(TYPES),
	description: 'Kinds of attachments to download',
});

const commonOptions: INodeProperties[] = [
	typesField,
	stringField('Binary Field Prefix', 'binary_prefix', {
		default: PREFIX,
		description: 'What the binary fields are called, followed by a number that begins at 0',
	}),
	videoQualityField,
];

const sizeLimit = (preset: number, description: string): INodeProperties =>
	numberField('Size Limit (MB)', SIZE_LIMIT, {
		typeOptions: { minValue: 0 },
		default: preset,
		description,
	});

/** Options of everything that downloads attachments. */
export const downloadOptions: INodeProperties[] = [
	...commonOptions,
	sizeLimit(MOST_MB, 'Largest file that is downloaded; a larger one is refused'),
];

/** The same for events, with bounds: strangers send these files. The item lists files that were left out. */
export const eventDownloadOptions: INodeProperties[] = [
	...commonOptions,
	sizeLimit(
		MOST_MB_OF_EVENT,
		"Largest file to download; larger ones are listed in the field 'not_downloaded'",
	),
	numberField('Size Limit of All Files (MB)', TOTAL_SIZE_LIMIT, {
		typeOptions: { minValue: 0 },
		default: MOST_MB_OF_EVENT,
		description:
			"How much to download for one event; files beyond it are listed in the field 'not_downloaded', too",
	}),
];

/** Reads from the options of a form how attachments of events are downloaded. */
export const eventDownloadSettings = (options: Form): DownloadSettings => ({
	...downloadSettings(options, MOST_MB_OF_EVENT),
	maxTotalBytes: (options.number(TOTAL_SIZE_LIMIT) ?? MOST_MB_OF_EVENT) * MB,
});

/** Reads from the options of a form how attachments are downloaded. */
export function downloadSettings(options: Form, mostMb = MOST_MB): DownloadSettings {
	const quality = options.choice(videoQualityField);
	return {
		types: options.has(typesField.name) ? options.choices(typesField) : Object.keys(TYPES),
		videoHeight: quality === 'best' ? Infinity : Number(quality),
		maxBytes: (options.number(SIZE_LIMIT) ?? mostMb) * MB,
		maxTotalBytes: Infinity,
		prefix: options.has('binary_prefix') ? options.text('binary_prefix') : PREFIX,
	};
}
