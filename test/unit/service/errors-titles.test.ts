import { explain, toNodeError } from '../../../nodes/BotMessaging/service/errors';
import type { Failure } from '../../../nodes/BotMessaging/service/failure';
import { toJson } from '../../../nodes/BotMessaging/service/json';
import { nodeOf } from '../../support/node';
import { KNOWN, denied, failed, refused } from './failures';

const node = nodeOf();

/** Words of messages that only programmers understand. */
const CODE =
	/errors?\.|permission\.|Known|deserialize|^Missing `|message_id:|Id:|^Failed|recipient$|links format/;

test.each(KNOWN.filter(([{ message }]) => CODE.test(message)))(
	'%j has a title in plain words',
	(failure) => {
		expect(toNodeError(node, failure).message).toMatch(/^[A-Z][a-zA-Z ]+$/);
	},
);

const buttons = (...rows: unknown[]): Failure['sent'] => {
	const keyboard = { type: 'inline_keyboard', payload: { buttons: toJson(rows) } };
	return { attachments: [{ type: 'image' }, keyboard] };
};

const button = (more: object = {}) => ({ type: 'callback', text: 'Yes', ...more });

/** What a technical message of the service is about, the failure, and the title that people see. */
const TITLES: Array<[string, Failure, string]> = [
	[
		'a row that is too long',
		refused('errors.maxRowSize', buttons(Array(8).fill(button()))),
		'Row 1 has 8 buttons; 7 fit',
	],
	[
		'a row that is too long for its link button',
		refused('errors.maxRowSize', {
			message: buttons([button()], [...Array(3).fill(button()), button({ type: 'link' })]),
		}),
		'Row 2 has 4 buttons; 3 fit',
	],
	...['open_app', 'request_contact', 'request_geo_location'].map(
		(type): (typeof TITLES)[number] => [
			`a row that is too long for its ${type} button`,
			refused('errors.maxRowSize', buttons([...Array(3).fill(button()), button({ type })])),
			'Row 1 has 4 buttons; 3 fit',
		],
	),
	[
		'a payload that is not a text',
		refused("Can't deserialize body", buttons([button({ payload: 5 })])),
		'Payload of row 1, button 1 is not a text',
	],
	[
		'a payload that is too long',
		refused(
			"Field 'payload' size (1025) must be at most 1024",
			buttons([button({ payload: 'x'.repeat(1024) })], [button({ payload: 'x'.repeat(1025) })]),
		),
		'Payload of row 2, button 1 is too long: 1025, at most 1024',
	],
	...[
		['characters that no app gets', 'order 17'],
		['too many characters', 'x'.repeat(513)],
	].map(([what, payload]): (typeof TITLES)[number] => [
		`a payload of an app with ${what}`,
		refused(
			"Field 'payload' does not match required pattern",
			buttons([
				button({ payload: 'order 17' }),
				button({ type: 'open_app', payload: 'x'.repeat(512) }),
				button({ type: 'open_app', payload }),
			]),
		),
		'App Payload of row 1, button 3 is not up to 512 letters, digits, underscores and hyphens',
	]),
	[
		'a button of a type that only other platforms have',
		refused("Can't deserialize body", buttons([button(), button({ type: 'url' })])),
		'The service may not know the type of row 1, button 2: url',
	],
	[
		'too many rows',
		refused('errors.maxRows', buttons(...Array(31).fill([button()]))),
		'Inline Keyboard has 31 rows; 30 fit',
	],
	[
		'a row that is too long, below one that just fits',
		refused('errors.maxRowSize', buttons(Array(7).fill(button()), Array(8).fill(button()))),
		'Row 2 has 8 buttons; 7 fit',
	],
	[
		'a row that is too long, among as many rows as fit',
		refused('errors.maxRowSize', buttons(...Array(29).fill([button()]), Array(8).fill(button()))),
		'Row 30 has 8 buttons; 7 fit',
	],
	[
		'a button without a text',
		refused(
			"Field 'text' size (0) must be at least 1",
			buttons([button()], [button(), button({ text: '' })]),
		),
		'Button Text of row 2, button 2 is empty',
	],
	[
		'a button with a long text',
		refused(
			"Field 'text' size (129) must be at most 128",
			buttons([button({ text: 'x'.repeat(128) }), button({ text: 'x'.repeat(129) })]),
		),
		'Button Text of row 1, button 2 is too long: 129, at most 128',
	],
	[
		'a link button without an address',
		refused("Field 'url' cannot be null", buttons([button({ type: 'link' })])),
		'URL of row 1, button 1 is empty',
	],
	[
		'a link button with an address of another kind',
		refused(
			'Must have only http/https links format in buttons',
			buttons([
				button({ type: 'link', url: 'http://a.example' }),
				button({ type: 'link', url: 'HTTPS://a.example' }),
				button({ type: 'link', url: 'ftp://a.example/http://' }),
			]),
		),
		'URL of row 1, button 3 does not begin with http:// or https://',
	],
	[
		'a button without a type',
		refused("Can't deserialize body", buttons([{ text: 'x' }])),
		'The type of row 1, button 1 is missing',
	],
	[
		'a button without a type, which the service names',
		refused("Field 'type' cannot be null", buttons([{ text: 'x' }])),
		'The type of row 1, button 1 is missing',
	],
	[
		'rows that are not lists',
		refused("Can't deserialize body", buttons(button())),
		'Row 1 of Inline Keyboard is not a list of buttons',
	],
	[
		'a long text beside a valid keyboard',
		refused("Field 'text' size (4001) must be at most 4000", buttons([button()])),
		'Text is too long: 4001, at most 4000',
	],
	[
		'a long text beside a button with 128 emoji',
		refused(
			"Field 'text' size (4001) must be at most 4000",
			buttons([button({ text: '👍'.repeat(128) })]),
		),
		'Text is too long: 4001, at most 4000',
	],
	[
		'a person who stopped the bot',
		denied('Key: error.dialog.suspended, args: [110022334,].'),
		'The person stopped this bot',
	],
	[
		'a person who never started the bot',
		failed(404, 'error.dialog.notfound', 'dialog.not.found'),
		'The bot has no dialog with this person',
	],
	['a field that is missing', refused('Missing required parameter: chat_id'), 'Chat ID is missing'],
	['an empty field', refused("Field 'title' size (0) must be at least 1"), 'Title is empty'],
	[
		'a number that is too large',
		refused("Field 'limit' value (1500) must be at most 1000"),
		'Limit is too large: 1500, at most 1000',
	],
	[
		'a number that is too small',
		refused("Field 'limit' value (0) must be at least 1"),
		'Limit is too small: 0, at least 1',
	],
	[
		'a text that is too short',
		refused("Field 'alias' size (1) must be at least 2"),
		'Alias is too short: 1, at least 2',
	],
	[
		'characters that do not belong in a field',
		refused("Field 'alias' does not match required pattern"),
		'Alias has characters that are not allowed there',
	],
];

test.each(TITLES)(
	'%s is reported in plain words, followed by those of the service',
	(_, failure, title) => {
		const error = toNodeError(node, failure);
		expect(error.message).toBe(title);
		expect(error.description).toContain(`The service said: ${failure.message}`);
		expect(error.messages).toContain(failure.message);
	},
);

test('A problem with a field that is not known is told in the words of the service', () => {
	expect(explain(refused("Field 'alias' is taken"))).toEqual({
		title: undefined,
		advice: "Correct 'Alias': the message says what the service accepts.",
	});
});

const upload = { type: 'image', payload: { token: 'x' } };

test.each([
	['Image URL', { attachments: [{ type: 'image', payload: { url: 'here' } }] }, 'http:// or https'],
	[
		'Page URL',
		{ message: { attachments: [upload, { type: 'share', payload: { url: 'here' } }] } },
		'http:// or https',
	],
	['Icon URL', { icon: { url: 'here' } }, 'http:// or https'],
	['URL', { url: 'here' }, 'begins with https'],
])('An invalid address is reported with its field: %s', (label, sent, start) => {
	const { title, advice } = explain(refused("Field 'url' does not match required pattern", sent));
	expect(title).toBe(`${label} is not a public address`);
	expect(advice).toContain(`'${label}'`);
	expect(advice).toContain(start);
});

test('The advice for a link button without an address is about the button', () => {
	const failure = refused("Field 'url' cannot be null", buttons([button({ type: 'link' })]));
	expect(explain(failure).advice).toMatch(/button of 'Inline Keyboard'/);
});
