import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, stringField } from './fields';
import { binaryFieldsField, mediaTypeChoices, mediaTypeField } from './upload';
import { showWhen } from './options';

/** Where the attachments of a message come from. */
export const SOURCE = 'attachments_source';

interface AttachmentKind {
	name: string;
	value: string;
	description: string;
	fields: INodeProperties[];
}

const text = (
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties =>
	stringField(displayName, name, { placeholder: `e.g. ${example}`, description });

const degrees = (displayName: string, name: string, most: number): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: -most, maxValue: most, numberPrecision: 7 },
	default: 0,
	description: 'In degrees',
});

/** Every kind of attachment besides the keyboard, and its fields (interface: Attachment request, wire 3.7). */
const KINDS: readonly AttachmentKind[] = [
	{
		name: 'Contact',
		value: 'contact',
		description: 'A contact card; the only attachment of its message',
		fields: [
			text('Contact Name', 'contact_name', 'Vera Orlova', 'Name on the card'),
			text('Phone', 'vcf_phone', '+79990001122', 'Phone number on the card'),
			text(
				'User ID of Contact',
				'contact_user_id',
				'110022334',
				'ID of the user whom the card is about, if they are one',
			),
			text('vCard', 'vcf_info', 'BEGIN:VCARD…', 'A whole card in the vCard format instead'),
		],
	},
	{
		name: 'File From Input',
		value: 'binary',
		description: 'Files of the incoming item, uploaded when the message is sent',
		fields: [binaryFieldsField, mediaTypeField],
	},
	{
		name: 'Image From URL',
		value: 'image_url',
		description: 'A picture that the service gets from an address',
		fields: [
			text(
				'Image URL',
				'image_url',
				'https://example.com/a.jpg',
				'Direct link to a public picture',
			),
		],
	},
	{
		name: 'Link Preview',
		value: 'share',
		description: 'The preview of a web page',
		fields: [
			text('Page URL', 'share_url', 'https://example.com', 'Address of the page'),
			text('Share Token', 'share_token', 'cHJldmlldw', 'Token of a received preview instead'),
		],
	},
	{
		name: 'Location',
		value: 'location',
		description: 'A point on the map',
		fields: [degrees('Latitude', 'latitude', 90), degrees('Longitude', 'longitude', 180)],
	},
	{
		name: 'Sticker',
		value: 'sticker',
		description: 'A sticker; the only attachment of its message',
		fields: [text('Sticker Code', 'sticker_code', '57e3', 'Code of a received sticker')],
	},
	{
		name: 'Uploaded File',
		value: 'token',
		description: 'A file that the service already has, by its token',
		fields: [
			menuField(
				'Media Type',
				'token_type',
				{
					default: 'image',
					description: 'What the file was uploaded or received as; a token is good for that only',
				},
				mediaTypeChoices,
			),
			text(
				'Media Token',
				'token',
				'{{ $json.token }}',
				'Token from File → Upload, or of a received file',
			),
		],
	},
];

const kindFields = KINDS.flatMap(({ value, fields }) => showWhen({ kind: [value] }, fields));

/** The attachments of a message: built one by one in order, or given as JSON. */
export const attachmentFields: INodeProperties[] = [
	menuField('Attachments', SOURCE, { default: 'none' }, [
		choice('None', 'none', 'Text only'),
		choice('Build a List', 'list', 'Add files, pictures and more here'),
		choice('Use JSON', 'json', 'Give all attachments at once, also by an expression'),
	]),
	...showWhen({ [SOURCE]: ['list'] }, [
		{
			displayName: 'Attachment List',
			name: 'attachments',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add Attachment',
			default: {},
			description: 'Images and videos can be mixed; a file, sticker or contact goes alone',
			options: [
				{
					displayName: 'Attachment',
					name: 'items',
					values: [
						menuField(
							'Kind',
							'kind',
							{ default: 'binary' },
							KINDS.map(({ name, value, description }) => choice(name, value, description)),
						),
						...kindFields,
					],
				},
			],
		},
	]),
	...showWhen({ [SOURCE]: ['json'] }, [
		{
			displayName: 'Attachments JSON',
			name: 'attachments_json',
			type: 'json',
			typeOptions: { rows: 4 },
			default: '[{ "type": "image", "payload": { "token": "" } }]',
			description:
				'A list of attachments as the service takes them, as they came in a message, or as File → Upload gives them',
		},
	]),
];
