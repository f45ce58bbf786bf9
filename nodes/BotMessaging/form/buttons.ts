import type { INodeProperties } from 'n8n-workflow';
import type { ExactJson, JsonObject } from '../service/json';
import type { Form } from './form';

interface ButtonType {
	value: string;
	name: string;
	description: string;
	/** Fields of the service's button object, in the order they are shown. */
	fields: readonly string[];
}

/** Every current type of button (wire 3.8) and the fields it has besides its text. */
const BUTTON_TYPES: readonly ButtonType[] = [
	{
		value: 'callback',
		name: 'Callback',
		description: 'Starts the workflow with the payload of the button',
		fields: ['payload'],
	},
	{ value: 'clipboard', name: 'Clipboard', description: 'Copies a text', fields: ['payload'] },
	{ value: 'link', name: 'Link', description: 'Opens a web page', fields: ['url'] },
	{
		value: 'message',
		name: 'Message',
		description: "Sends the button's text as a message of the person",
		fields: [],
	},
	{
		value: 'open_app',
		name: 'Open App',
		description: 'Opens a mini-app',
		fields: ['web_app', 'app_payload', 'contact_id'],
	},
	{
		value: 'request_contact',
		name: 'Request Contact',
		description: 'Asks the person to share their contact',
		fields: [],
	},
	{
		value: 'request_geo_location',
		name: 'Request Location',
		description: 'Asks the person to share where they are',
		fields: ['quick'],
	},
];

const typesWith = (field: string): string[] =>
	BUTTON_TYPES.filter(({ fields }) => fields.includes(field)).map(({ value }) => value);

const buttonField = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { type: typesWith(field.name) } },
});

/** The form of one button. */
export const buttonFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: BUTTON_TYPES.map(({ value, name, description }) => ({ value, name, description })),
		default: 'callback',
	},
	{
		displayName: 'Button Text',
		name: 'text',
		type: 'string',
		default: '',
		placeholder: 'e.g. Yes',
		description: 'Label of the button, 1 to 128 characters',
	},
	buttonField({
		displayName: 'Payload',
		name: 'payload',
		type: 'string',
		default: '',
		placeholder: 'e.g. order:17:confirm',
		description:
			"What the trigger gets when the button is pressed, or what is copied; up to 1024 characters. Empty, it is the same as 'Button Text'.",
	}),
	buttonField({
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/orders/17',
		description: 'Public address that begins with http:// or https://',
	}),
	buttonField({
		displayName: 'Web App',
		name: 'web_app',
		type: 'string',
		default: '',
		placeholder: 'e.g. clerk_bot or https://example.com/app',
		description: 'Public name of the bot that the mini-app belongs to, or the link of the mini-app',
	}),
	buttonField({
		displayName: 'App Payload',
		name: 'app_payload',
		type: 'string',
		default: '',
		placeholder: 'e.g. order_17',
		description: 'What the app gets: up to 512 letters, digits, underscores and hyphens',
	}),
	buttonField({
		displayName: 'Contact ID',
		name: 'contact_id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 240000111',
		description: "ID of the bot that the mini-app belongs to, besides 'Web App' or in place of it",
	}),
	buttonField({
		displayName: 'Quick',
		name: 'quick',
		type: 'boolean',
		default: false,
		description: 'Whether to send the location without asking again',
	}),
];

const READERS: Record<string, (form: Form) => JsonObject> = {
	// A press has to tell which button it was.
	payload: (form) => ({ payload: form.text('payload') || form.text('text') }),
	url: (form) => ({ url: form.requiredText('url') }),
	web_app: (form) => ({
		web_app: form.text('contact_id')
			? form.text('web_app').trim() || undefined
			: form.requiredText('web_app'),
	}),
	app_payload: (form) => ({ payload: form.text('app_payload') || undefined }),
	contact_id: (form) => ({
		contact_id: form.text('contact_id') ? form.id('contact_id') : undefined,
	}),
	quick: (form) => ({ quick: form.flag('quick') }),
};

/** A button of an inline keyboard (interface: Attachment request) from its form. */
export function button(form: Form): ExactJson {
	const type = form.text('type') || 'callback';
	const fields = BUTTON_TYPES.find(({ value }) => value === type)?.fields ?? [];
	const own = fields.map((field) => READERS[field]?.(form));
	return Object.assign({ type, text: form.requiredText('text') }, ...own);
}
