import { operation } from '../../../nodes/BotMessaging/actions/chat/get';
import {
	shown,
	simpleChat,
	simpleMember,
	simpleMessage,
} from '../../../nodes/BotMessaging/form/simplify';
import { parseExact } from '../../../nodes/BotMessaging/service/json';
import { formOf } from '../actions/requests/form';

const simplified = formOf(operation, { simplify: true });
const raw = formOf(operation, { simplify: false });

/** An answer of the service, read as the package reads it. */
const answer = (json: string): unknown => parseExact(json);

const vera = '{"user_id":9007199254740993,"first_name":"Vera","last_name":"Orlova","is_bot":false}';

const reply = answer(`{
	"sender": ${vera},
	"recipient": {"chat_id":-71234567890123,"chat_type":"chat"},
	"timestamp": 1785000183456,
	"link": {"type":"reply","message":{"mid":"mid.1","seq":116981772022980353,"text":"Which?"}},
	"body": {"mid":"mid.2","seq":116981772022980354,"text":"Seven","attachments":null,"markup":[]}
}`);

test('A message is told in the words of the trigger, its IDs as text', () => {
	expect(shown(simplified, reply, simpleMessage)).toEqual({
		message_id: 'mid.2',
		chat_id: '-71234567890123',
		chat_type: 'chat',
		timestamp: 1785000183456,
		user_id: '9007199254740993',
		user_name: 'Vera Orlova',
		text: 'Seven',
		link_type: 'reply',
		link_message_id: 'mid.1',
	});
});

test('A forwarded message without a body of its own has what there is', () => {
	const forward = answer(`{
		"recipient": {"chat_id":7,"chat_type":"channel"}, "timestamp": 5, "body": null,
		"link": {"type":"forward","message":{"mid":"mid.1","text":"Old"}}, "url": "https://a.example/1"
	}`);
	expect(shown(simplified, forward, simpleMessage)).toEqual({
		...{ chat_id: '7', chat_type: 'channel', timestamp: 5, url: 'https://a.example/1' },
		...{ link_type: 'forward', link_message_id: 'mid.1' },
	});
});

test('A dialog tells whom it is with', () => {
	const dialog = answer(
		`{"chat_id":146854609,"type":"dialog","status":"active","title":null,"participants_count":2,"dialog_with_user":${vera}}`,
	);
	expect(shown(simplified, dialog, simpleChat)).toEqual({
		...{ chat_id: '146854609', chat_type: 'dialog', status: 'active', participants_count: 2 },
		...{ user_id: '9007199254740993', user_name: 'Vera Orlova' },
	});
});

test('A member keeps rights and switches, false ones included', () => {
	const member = answer(
		'{"user_id":5,"first_name":"Oleg","last_name":"","is_bot":false,"is_owner":false,"is_admin":true,"permissions":["write"],"alias":"Chief","join_time":1,"last_access_time":0}',
	);
	expect(shown(simplified, member, simpleMember)).toEqual({
		...{ user_id: '5', user_name: 'Oleg', is_bot: false, is_owner: false, is_admin: true },
		...{ permissions: ['write'], alias: 'Chief', join_time: 1 },
	});
});

test('Without Simplify the answer is given as it is', () => {
	expect(shown(raw, reply, simpleMessage)).toEqual(reply);
	expect(shown(raw, undefined, simpleMessage)).toEqual({});
});

test.each([simpleMessage, simpleMember, simpleChat])('At most twelve facts are left', (simple) => {
	expect(Object.keys(simple({})).length).toBeLessThanOrEqual(12);
});
