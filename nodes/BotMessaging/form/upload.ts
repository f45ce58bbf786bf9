import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_SETTINGS } from '../service/client';
import { MEDIA } from '../files/media';
import type { UploadMethod, UploadSettings } from '../files/upload/upload';
import type { Form } from './form';
import { compareLabels } from './options';
import { deliveryOf } from './settings';

const MB = 1024 ** 2;
const SECOND_MS = 1000;
const PART_MB = 32;

/** The kinds of media, for menus. */
export const mediaTypeChoices = MEDIA.map(({ name, type }) => ({ name, value: type })).sort(
	(a, b) => compareLabels(a.name, b.name),
);

/** The kind of media a file is sent as. */
export const mediaTypeField: INodeProperties = {
	displayName: 'Media Type',
	name: 'media_type',
	type: 'options',
	options: [{ name: 'Automatic', value: 'automatic' }, ...mediaTypeChoices],
	default: 'automatic',
	description:
		'How the file is shown. Automatic follows its MIME type; kinds that the service does not play are sent as files.',
};

/** Technical options of everything that uploads files. */
export const uploadOptions: INodeProperties[] = [
	{
		displayName: 'Part Size (MB)',
		name: 'part_size_mb',
		type: 'number',
		typeOptions: { minValue: 0.01, numberPrecision: 2 },
		default: PART_MB,
		description:
			'Size of the parts of a resumable upload. After a fault at most one part is sent again. Raised where a file would take more than 1000 parts.',
	},
	{
		displayName: 'Send Access Token to Upload Host',
		name: 'send_token_to_upload_host',
		type: 'boolean',
		default: false,
		description:
			'Whether the host that takes files gets the access token too. By default it does not: its addresses are signed, and it may be run by others.',
	},
	{
		displayName: 'Upload Method',
		name: 'upload_method',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Multipart up to 50 MB, resumable above',
			},
			{
				name: 'Multipart',
				value: 'multipart',
				description: 'The whole file in one request, from the beginning again after a fault',
			},
			{
				name: 'Resumable',
				value: 'resumable',
				description: 'In parts, going on from the last one after a fault',
			},
		],
		default: 'automatic',
	},
];

/** Technical options of messages with attachments: of their upload, and of the time that the service processes them. */
export const attachmentOptions: INodeProperties[] = [
	...uploadOptions,
	{
		displayName: 'Wait for Attachments (Seconds)',
		name: 'wait_for_attachments_seconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: Math.round(DEFAULT_SETTINGS.attachmentPatienceMs / SECOND_MS),
		description:
			'How long to repeat sending while the service still processes an uploaded file; long videos can take minutes. Messages to other chats go on meanwhile.',
	},
];

const METHODS: Record<string, UploadMethod> = {
	multipart: 'multipart',
	resumable: 'resumable',
};

/** Reads how files are uploaded from the technical options of a form. */
export function uploadSettings(form: Form): UploadSettings {
	const options = deliveryOf(form);
	const seconds = options.number('retry_for_seconds');
	const partMb = options.number('part_size_mb') ?? PART_MB;
	if (partMb <= 0) options.refuse('part_size_mb', 'must be more than 0');
	return {
		method: METHODS[options.text('upload_method')] ?? 'automatic',
		partBytes: partMb * MB,
		patienceMs: seconds === undefined ? DEFAULT_SETTINGS.patienceMs : seconds * SECOND_MS,
		withToken: options.flag('send_token_to_upload_host') ?? false,
	};
}
