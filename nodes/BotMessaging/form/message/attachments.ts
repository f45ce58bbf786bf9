import type { INodeProperties } from 'n8n-workflow';
import {
	choice,
	jsonField,
	menuField,
	numberField,
	rowsField,
	showWhen,
	stringField,
	type NumberField,
} from '../fields';
import { binaryFieldsField, mediaTypeChoices, mediaTypeField } from '../upload';
import type { ExactJson, JsonObject } from '../../service/json';
import type { Form } from '../form';

interface AttachmentKind {
	name: string;
	value: string;
	description: string;
	fields: INodeProperties[];
	/** Reads the attachment from a row of this kind; kinds without it are files, which are uploaded first. */
	read?(row: Form): ExactJson;
}

const text = (
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties =>
	stringField(displayName, name, { placeholder: `e.g. ${example}`, description });

const degrees = (displayName: string, name: string, most: number): NumberField =>
	numberField(displayName, name, {
		typeOptions: { minValue: -most, maxValue: most, numberPrecision: 7 },
		description: 'In degrees',
	});

const latitudeField = degrees('Latitude', 'latitude', 90);
const longitudeField = degrees('Longitude', 'longitude', 180);

const IN_DEGREES =
	"Give degrees with decimals, such as 55.75. 'Latitude' is how far north, 'Longitude' how far east.";

const degreesOf = (row: Form, field: NumberField): number =>
	row.number(field, IN_DEGREES) ?? row.refuseEmpty(field.name);

const tokenTypeField = menuField(
	'Media Type',
	'token_type',
	{
		default: 'image',
		description: 'What the file was uploaded or received as; a token is only valid for that type',
	},
	mediaTypeChoices,
);

/** Every kind of attachment but the keyboard: fields and how to read them (interface: Attachment request, wire 3.7). */
export const KINDS: readonly AttachmentKind[] = [
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
		read: (row) => ({ type: 'contact', payload: contactPayload(row) }),
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
		read: (row) => ({ type: 'image', payload: { url: row.requiredText('image_url') } }),
	},
	{
		name: 'Link Preview',
		value: 'share',
		description: 'The preview of a web page',
		fields: [
			text('Page URL', 'share_url', 'https://example.com', 'Address of the page'),
			text('Share Token', 'share_token', 'cHJldmlldw', 'Token of a received preview instead'),
		],
		read: (row) => ({ type: 'share', payload: sharePayload(row) }),
	},
	{
		name: 'Location',
		value: 'location',
		description: 'A point on the map',
		fields: [latitudeField, longitudeField],
		read: (row) => ({
			type: 'location',
			latitude: degreesOf(row, latitudeField),
			longitude: degreesOf(row, longitudeField),
		}),
	},
	{
		name: 'Sticker',
		value: 'sticker',
		description: 'A sticker; the only attachment of its message',
		fields: [text('Sticker Code', 'sticker_code', '57e3', 'Code of a received sticker')],
		read: (row) => ({ type: 'sticker', payload: { code: row.requiredText('sticker_code') } }),
	},
	{
		name: 'Uploaded File',
		value: 'token',
		description: 'A file that the service already has, by its token',
		fields: [
			tokenTypeField,
			text(
				'Media Token',
				'token',
				'{{ $json.token }}',
				'Token from File → Upload, or of a received file',
			),
		],
		read: (row) => ({
			type: row.choice(tokenTypeField),
			payload: { token: row.requiredText('token') },
		}),
	},
];

function contactPayload(row: Form): JsonObject {
	const payload = {
		name: row.text('contact_name') || undefined,
		contact_id: row.text('contact_user_id') ? row.id('contact_user_id') : undefined,
		vcf_info: row.text('vcf_info') || undefined,
		vcf_phone: row.text('vcf_phone') || undefined,
	};
	if (Object.values(payload).some((value) => value !== undefined)) return payload;
	return row.refuse('contact_name', 'is empty', 'Fill in a name, a phone, a user or a vCard.');
}

function sharePayload(row: Form): JsonObject {
	const token = row.text('share_token').trim();
	return token ? { token } : { url: row.requiredText('share_url') };
}

export const kindField = menuField(
	'Kind',
	'kind',
	{ default: 'binary' },
	KINDS.map(({ name, value, description }) => choice(name, value, description)),
);

const kindFields = KINDS.flatMap(({ value, fields }) => showWhen({ kind: [value] }, fields));

export const attachmentsSourceField = menuField(
	'Attachments',
	'attachments_source',
	{ default: 'none' },
	[
		choice('None', 'none', 'Text only'),
		choice('Build a List', 'list', 'Add files, pictures and more here'),
		choice('Use JSON', 'json', 'Give all attachments at once, also by an expression'),
	],
);

/** The attachments of a message: added one by one, or given as JSON. */
export const attachmentFields: INodeProperties[] = [
	attachmentsSourceField,
	...showWhen({ attachments_source: ['list'] }, [
		rowsField('Attachment List', 'attachments', {
			placeholder: 'Add Attachment',
			description: 'Images and videos can be mixed; a file, sticker or contact goes alone',
			options: [{ displayName: 'Attachment', name: 'items', values: [kindField, ...kindFields] }],
		}),
	]),
	...showWhen({ attachments_source: ['json'] }, [
		jsonField('Attachments JSON', 'attachments_json', {
			typeOptions: { rows: 4 },
			example: '[{ "type": "image", "payload": { "token": "…" } }]',
			description:
				'A list of attachments as the service takes them, as they came in a message, or as File → Upload gives them',
		}),
	]),
];
