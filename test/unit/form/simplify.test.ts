import { readFileSync } from 'node:fs';
import { operation } from '../../../nodes/BotMessaging/actions/chat/get';
import { FACTS } from '../../../nodes/BotMessaging/events/facts';
import {
	outputFields,
	outputOf,
	simpleChat,
	simpleComment,
	simpleMember,
	simpleMessage,
} from '../../../nodes/BotMessaging/form/simplify';
import { parseExact } from '../../../nodes/BotMessaging/service/json';
import { formOf } from './formOf';

const simplified = formOf(operation, { output: 'simplified' });
const raw = formOf(operation, { output: 'raw' });

/** An answer of the service, parsed as the package parses it. */
const answer = (json: string): unknown => parseExact(json);

const vera = '{"user_id":9007199254740993,"first_name":"Vera","last_name":"Orlova","is_bot":false}';

const reply = answer(`{
	"sender": ${vera},
	"recipient": {"chat_id":-71234567890123,"chat_type":"chat"},
	"timestamp": 1785000183456,
	"link": {"type":"reply","message":{"mid":"mid.1","seq":116981772022980353,"text":"Which?"}},
	"body": {"mid":"mid.2","seq":116981772022980354,"text":"Seven","attachments":null,"markup":[]}
}`);

test('A message is simplified as in the trigger, with its sender, and IDs as text', () => {
	expect(outputOf(simplified, reply, simpleMessage)).toEqual({
		message_id: 'mid.2',
		chat_id: '-71234567890123',
		chat_type: 'chat',
		timestamp: 1785000183456,
		sender_id: '9007199254740993',
		sender_name: 'Vera Orlova',
		text: 'Seven',
		reply_to: { message_id: 'mid.1', text: 'Which?' },
	});
});

test('A forwarded message without its own body has the fields that are known', () => {
	const forward = answer(`{
		"recipient": {"chat_id":7,"chat_type":"channel"}, "timestamp": 5, "body": null,
		"link": {"type":"forward","message":{"mid":"mid.1","text":"Old"}}, "url": "https://a.example/1"
	}`);
	expect(outputOf(simplified, forward, simpleMessage)).toEqual({
		chat_id: '7',
		chat_type: 'channel',
		timestamp: 5,
		url: 'https://a.example/1',
		forwarded: { message_id: 'mid.1', text: 'Old' },
	});
});

test('A dialog names the other person', () => {
	const dialog = answer(
		`{"chat_id":146854609,"type":"dialog","status":"active","title":null,"participants_count":2,"dialog_with_user":${vera}}`,
	);
	expect(outputOf(simplified, dialog, simpleChat)).toEqual({
		chat_id: '146854609',
		chat_type: 'dialog',
		status: 'active',
		participants_count: 2,
		user_id: '9007199254740993',
		title: 'Vera Orlova',
	});
});

test('A member keeps permissions and flags, even false ones', () => {
	const member = answer(
		'{"user_id":5,"first_name":"Oleg","last_name":"","is_bot":false,"is_owner":false,"is_admin":true,"permissions":["write"],"alias":"Chief","join_time":1,"last_access_time":0}',
	);
	expect(outputOf(simplified, member, simpleMember)).toEqual({
		user_id: '5',
		user_name: 'Oleg',
		is_bot: false,
		is_owner: false,
		is_admin: true,
		permissions: ['write'],
		alias: 'Chief',
		join_time: 1,
	});
});

test('Raw output is unchanged', () => {
	expect(outputOf(raw, reply, simpleMessage)).toEqual(reply);
	expect(outputOf(raw, undefined, simpleMessage)).toEqual({});
});

test('Everything in a message, a comment or a chat can be selected without raw output', () => {
	const selected = (...output_fields: string[]) =>
		formOf(operation, { output: 'selected', output_fields });
	const post = answer(`{
		"body": {"mid":"mid.1","markup":[{"type":"strong","from":0,"length":4}],"attachments":[
			{"type":"image","payload":{"token":"t"}},
			{"type":"inline_keyboard","payload":{"buttons":[[{"type":"callback","text":"A","payload":"a"}]]}}]},
		"stat": {"views":3}, "url": "https://a.example/1"
	}`);
	const markup = [{ type: 'strong', from: 0, length: 4 }];
	expect(outputOf(selected('markup', 'keyboard', 'views', 'url'), post, simpleMessage)).toEqual({
		message_id: 'mid.1',
		markup,
		keyboard: [[{ type: 'callback', text: 'A', payload: 'a' }]],
		views: 3,
		url: 'https://a.example/1',
	});
	expect(outputOf(selected('markup', 'views'), post, simpleComment)).toEqual({
		message_id: 'mid.1',
		markup,
		views: 3,
	});
	const chat = answer(
		`{"chat_id":7,"participants":{"9007199254740993":1785000183456},"dialog_with_user":{"username":"vera_o"}}`,
	);
	expect(outputOf(selected('participants', 'username'), chat, simpleChat)).toEqual({
		chat_id: '7',
		participants: { '9007199254740993': 1785000183456 },
		username: 'vera_o',
	});
	const bare = answer('{"chat_id":7,"participants":null,"dialog_with_user":null}');
	expect(outputOf(selected('participants', 'username'), bare, simpleChat)).toEqual({
		chat_id: '7',
	});
});

test.each([
	['message', simpleMessage, 1],
	['comment', simpleComment, 1],
	['member', simpleMember, 0],
	['chat', simpleChat, 0],
])('A simplified %s has at most ten fields', (_, { fields }, exclusive) => {
	// A message has a reply or a forward, never both.
	expect(Object.keys(fields).length - exclusive).toBeLessThanOrEqual(10);
});

test.each([simpleMessage, simpleComment, simpleMember, simpleChat])(
	'Every field can be chosen by its label',
	(simple) => {
		const choices = outputFields(simple).at(-1)?.options ?? [];
		expect(choices.map((choice) => 'value' in choice && choice.value).sort()).toEqual(
			Object.keys({ ...simple.fields, ...simple.more }).sort(),
		);
		for (const { name } of choices) expect(name).toMatch(/^[A-Z]\w*( [A-Z]\w*)*$/);
	},
);

test('Only the sender of a message has other field names than in the trigger, as the README says', () => {
	const fields = [simpleMessage, simpleComment].flatMap((simple) =>
		Object.keys({ ...simple.fields, ...simple.more }),
	);
	const others = new Set(fields.filter((name) => !(name in FACTS)));
	expect([...others].sort()).toEqual([
		'sender_id',
		'sender_is_bot',
		'sender_name',
		'sender_username',
	]);
	const readme = readFileSync('README.md', 'utf8');
	for (const name of others) expect(readme).toContain(`\`${name}\``);
});

test('Labels are capitalized like those of n8n', () => {
	const labels = outputFields(simpleChat)
		.at(-1)
		?.options?.map(({ name }) => name);
	expect(labels).toEqual(expect.arrayContaining(['Chat ID', 'Icon URL', 'Last Event Time']));
});

test('An unknown choice of output is refused instead of being taken for another one', () => {
	const form = formOf(operation, { output: 'full' });
	expect(() => outputOf(form, reply, simpleMessage)).toThrow(
		'Output is not one of its choices: full',
	);
});
