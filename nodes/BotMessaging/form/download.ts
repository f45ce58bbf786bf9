import type { INodeProperties } from 'n8n-workflow';
import {
	choice,
	choicesField,
	menuField,
	numberField,
	stringField,
	type NumberField,
} from './fields';
import type { DownloadSettings } from '../files/download';
import { MB } from '../files/media';
import type { Form } from './form';

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

const sizeLimit = (preset: number, description: string): NumberField =>
	numberField('Size Limit (MB)', 'size_limit_mb', {
		typeOptions: { minValue: 0 },
		default: preset,
		description,
	});

const sizeLimitField = sizeLimit(4096, 'Largest file that is downloaded; a larger one is refused');

const eventSizeLimitField = sizeLimit(
	MOST_MB_OF_EVENT,
	"Largest file to download; larger ones are listed in the field 'not_downloaded'",
);

const totalSizeLimitField = numberField('Size Limit of All Files (MB)', 'total_size_limit_mb', {
	typeOptions: { minValue: 0 },
	default: MOST_MB_OF_EVENT,
	description:
		"How much to download for one event; files beyond it are listed in the field 'not_downloaded', too",
});

/** Options of everything that downloads attachments. */
export const downloadOptions: INodeProperties[] = [...commonOptions, sizeLimitField];

/** The same for events, with bounds: strangers send these files. The item lists files that were left out. */
export const eventDownloadOptions: INodeProperties[] = [
	...commonOptions,
	eventSizeLimitField,
	totalSizeLimitField,
];

const bytesOf = (options: Form, field: NumberField): number =>
	(options.number(field) ?? field.default) * MB;

/** Reads from the options of a form how attachments of events are downloaded. */
export const eventDownloadSettings = (options: Form): DownloadSettings => ({
	...downloadSettings(options, eventSizeLimitField),
	maxTotalBytes: bytesOf(options, totalSizeLimitField),
});

/** Reads from the options of a form how attachments are downloaded. */
export function downloadSettings(options: Form, limit = sizeLimitField): DownloadSettings {
	const quality = options.choice(videoQualityField);
	return {
		types: options.has(typesField.name) ? options.choices(typesField) : Object.keys(TYPES),
		videoHeight: quality === 'best' ? Infinity : Number(quality),
		maxBytes: bytesOf(options, limit),
		maxTotalBytes: Infinity,
		prefix: options.has('binary_prefix') ? options.text('binary_prefix') : PREFIX,
	};
}
