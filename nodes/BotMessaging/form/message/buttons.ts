import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, showWhen, stringField, switchField } from '../fields';
import { isJsonObject, type ExactJson, type JsonObject } from '../../service/json';
import { LABEL_LIMIT, PAYLOAD_LIMIT } from '../../service/limits';
import type { Form } from '../form';
import { asInteger } from '../values';

/** A field that buttons of some types have besides their text (wire 3.8). */
interface Part {
	types: string[];
	field: INodeProperties;
	read(form: Form): JsonObject;
}

const PARTS: readonly Part[] = [
	{
		types: ['callback', 'clipboard'],
		field: stringField('Payload', 'payload', {
			placeholder: 'e.g. order:17:confirm',
			description: `What the trigger gets when the button is pressed, or what is copied; up to ${PAYLOAD_LIMIT} characters. If empty, 'Button Text' is used.`,
		}),
		// A press has to tell which button it came from.
		read: (form) => ({ payload: form.text('payload') || form.text('text') }),
	},
	{
		types: ['link'],
		field: stringField('URL', 'url', {
			placeholder: 'e.g. https://example.com/orders/17',
			description: 'Public address that begins with http:// or https://',
		}),
		read: (form) => ({ url: form.requiredText('url') }),
	},
	{
		types: ['open_app'],
		field: stringField('Web App', 'web_app', {
			placeholder: 'e.g. clerk_bot or https://example.com/app',
			description:
				'Public name of the bot that the mini-app belongs to, or the link of the mini-app',
		}),
		read: (form) => ({
			web_app: form.text('contact_id')
				? form.text('web_app').trim() || undefined
				: form.requiredText('web_app'),
		}),
	},
	{
		types: ['open_app'],
		field: stringField('App Payload', 'app_payload', {
			placeholder: 'e.g. order_17',
			description: 'What the app gets: up to 512 letters, digits, underscores and hyphens',
		}),
		read: (form) => ({ payload: form.text('app_payload') || undefined }),
	},
	{
		types: ['open_app'],
		field: stringField('Contact ID', 'contact_id', {
			placeholder: 'e.g. 240000111',
			description:
				"ID of the bot that the mini-app belongs to, in addition to 'Web App', or instead of it where the service allows that",
		}),
		read: (form) => ({
			contact_id: form.text('contact_id') ? form.id('contact_id') : undefined,
		}),
	},
	{
		types: ['request_geo_location'],
		field: switchField('Quick', 'quick', {
			description: 'Whether to send the location without asking again',
		}),
		read: (form) => ({ quick: form.flag('quick') }),
	},
];

const typeField = menuField('Type', 'type', { default: 'callback' }, [
	choice('Callback', 'callback', 'Starts the workflow with the payload of the button'),
	choice('Clipboard', 'clipboard', 'Copies a text'),
	choice('Link', 'link', 'Opens a web page'),
	choice('Message', 'message', "Sends the button's text as a message of the person"),
	choice('Open App', 'open_app', 'Opens a mini-app'),
	choice('Request Contact', 'request_contact', 'Asks the person to share their contact'),
	choice('Request Location', 'request_geo_location', 'Asks the person to share where they are'),
]);

/** The form of one button of any current type (wire 3.8). */
export const buttonFields: INodeProperties[] = [
	typeField,
	stringField('Button Text', 'text', {
		placeholder: 'e.g. Yes',
		description: `Label of the button, 1 to ${LABEL_LIMIT} characters`,
	}),
	...PARTS.flatMap(({ types, field }) => showWhen({ type: types }, [field])),
];

/** Reads a button of an inline keyboard (interface: Attachment request) from its form. */
export function button(form: Form): ExactJson {
	const type = form.choice(typeField);
	const parts = PARTS.filter(({ types }) => types.includes(type)).map(({ read }) => read(form));
	return Object.assign({ type, text: form.requiredText('text') }, ...parts);
}

/** A number, such as the ID of a row, as a text; anything else is returned as it is. */
const asText = (value: ExactJson): ExactJson =>
	typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;

/**
 * A button from JSON as the service takes it. A callback button without a payload gets its text as payload, so that a
 * press tells which button it came from. Text and payload may be numbers, the contact ID may be a string, and a field
 * that is null is left out: strict services refuse null.
 */
export function buttonOfJson(given: ExactJson): ExactJson {
	if (!isJsonObject(given)) return given;
	const filled = Object.entries(given).filter(([, value]) => value !== null);
	const taken: JsonObject = Object.fromEntries(filled);
	taken.text = asText(taken.text);
	taken.payload = asText(taken.payload);
	if (taken.type === 'callback' && !taken.payload) taken.payload = taken.text;
	if (taken.contact_id !== undefined) taken.contact_id = asInteger(taken.contact_id);
	return taken;
}
