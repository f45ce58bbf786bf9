import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, showWhen, stringField, switchField } from './fields';
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

/** What buttons have besides their text; each is shown for the types that have it. */
const ownFields: INodeProperties[] = [
	stringField('Payload', 'payload', {
		placeholder: 'e.g. order:17:confirm',
		description:
			"What the trigger gets when the button is pressed, or what is copied; up to 1024 characters. Empty, it is the same as 'Button Text'.",
	}),
	stringField('URL', 'url', {
		placeholder: 'e.g. https://example.com/orders/17',
		description: 'Public address that begins with http:// or https://',
	}),
	stringField('Web App', 'web_app', {
		placeholder: 'e.g. clerk_bot or https://example.com/app',
		description: 'Public name of the bot that the mini-app belongs to, or the link of the mini-app',
	}),
	stringField('App Payload', 'app_payload', {
		placeholder: 'e.g. order_17',
		description: 'What the app gets: up to 512 letters, digits, underscores and hyphens',
	}),
	stringField('Contact ID', 'contact_id', {
		placeholder: 'e.g. 240000111',
		description: "ID of the bot that the mini-app belongs to, besides 'Web App' or in place of it",
	}),
	switchField('Quick', 'quick', {
		default: false,
		description: 'Whether to send the location without asking again',
	}),
];

const typesWith = (field: string): string[] =>
	BUTTON_TYPES.filter(({ fields }) => fields.includes(field)).map(({ value }) => value);

/** The form of one button. */
export const buttonFields: INodeProperties[] = [
	menuField(
		'Type',
		'type',
		{ default: 'callback' },
		BUTTON_TYPES.map(({ value, name, description }) => choice(name, value, description)),
	),
	stringField('Button Text', 'text', {
		placeholder: 'e.g. Yes',
		description: 'Label of the button, 1 to 128 characters',
	}),
	...ownFields.flatMap((field) => showWhen({ type: typesWith(field.name) }, [field])),
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
