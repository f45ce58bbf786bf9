import { EVENTS, identityOf, shapeOf } from '../../../nodes/BotMessaging/events/events';
import { toItem } from '../../../nodes/BotMessaging/events/output';
import { parseExact } from '../../../nodes/BotMessaging/service/json';
import { isUpdate } from '../../../nodes/BotMessaging/events/update';
import { TYPES, update } from './updates';

describe('the table of events', () => {
	it('has every type of the service and no other', () => {
		expect(Object.keys(EVENTS).sort()).toEqual([...TYPES].sort());
	});

	it.each(TYPES)('finds chat and user of %s', (type) => {
		const { chat_id, user_id } = toItem(update(type), true).json;
		expect(chat_id).toMatch(/^(-71234567890123|146854609)$/);
		expect(user_id).toBe('110022334');
	});

	it.each(TYPES)('takes a redelivery of %s for the same event', (type) => {
		expect(identityOf(update(type))).toBe(identityOf(update(type)));
	});

	it('keeps events of different types apart', () => {
		expect(new Set(TYPES.map((type) => identityOf(update(type)))).size).toBe(TYPES.length);
	});

	it.each(['constructor', '__proto__', 'toString'])('knows no event called %s', (type) => {
		expect(shapeOf(update(type))).toBeUndefined();
	});

	it('tells two events of a type that it does not know apart by all they say', () => {
		const one = update('poll_closed', { poll: 1 });
		expect(identityOf(one)).toBe(identityOf(update('poll_closed', { poll: 1 })));
		expect(identityOf(one)).not.toBe(identityOf(update('poll_closed', { poll: 2 })));
	});

	const callback = { timestamp: 1, callback_id: 'k', payload: 'a', user: { user_id: 1 } };
	it.each([
		['another time', { ...callback, timestamp: 2 }],
		['another button of the keyboard', { ...callback, payload: 'b' }],
		['another person', { ...callback, user: { user_id: 2 } }],
	])('takes a press at or by %s for another press', (_, other) => {
		expect(identityOf(update('message_callback', { callback }))).not.toBe(
			identityOf(update('message_callback', { callback: other })),
		);
	});

	it('takes two edits of one message for two events', () => {
		expect(identityOf(update('message_edited', { timestamp: 1 }))).not.toBe(
			identityOf(update('message_edited', { timestamp: 2 })),
		);
	});

	it('takes a message whose redelivery has another time for the same message', () => {
		expect(identityOf(update('message_created', { timestamp: 1 }))).toBe(
			identityOf(update('message_created', { timestamp: 2 })),
		);
	});
});

describe('simplified output', () => {
	it('has the same names for every type, twelve at most', () => {
		const names = TYPES.map((type) => Object.keys(toItem(update(type), true).json).join());
		expect(new Set(names).size).toBe(1);
		expect(names[0]?.split(',').length).toBeLessThanOrEqual(12);
	});

	it('tells what a message says and who wrote it where', () => {
		expect(toItem(update('message_created'), true).json).toEqual({
			event: 'message_created',
			timestamp: 1785000123456,
			chat_id: '-71234567890123',
			chat_type: 'chat',
			user_id: '110022334',
			user_name: 'Vera Orlova',
			message_id: 'mid.1',
			text: 'Where is my parcel?',
			callback_id: null,
			payload: null,
			attachments: [],
		});
	});

	it('tells which button was pressed by whom, with the text of the message that holds it', () => {
		expect(toItem(update('message_callback'), true).json).toMatchObject({
			user_name: 'Vera Orlova',
			callback_id: 'k0Zr',
			payload: 'order:17',
			text: 'Confirm?',
		});
	});

	it.each([
		['bot_started', { payload: 'campaign_42', chat_type: 'dialog' }],
		['chat_title_changed', { text: 'Day shift', chat_type: null }],
		['user_removed', { chat_type: 'channel' }],
		['comment_removed', { message_id: 'mid.1', chat_type: 'channel', user_name: null }],
	])('tells what belongs to %s', (type, facts) => {
		expect(toItem(update(type), true).json).toMatchObject(facts);
	});

	it('tells of an unknown type what it can', () => {
		expect(toItem(update('poll_closed'), true).json).toMatchObject({
			event: 'poll_closed',
			chat_id: null,
		});
	});
});

describe('an event from the wire', () => {
	it('keeps the digits of integers that a number cannot hold', () => {
		const given = parseExact(
			'{"update_type":"x","timestamp":1,"message":{"body":{"seq":116981768090823485}}}',
		);
		if (!isUpdate(given)) throw new Error('not an event');
		expect(toItem(given, false).json).toMatchObject({
			message: { body: { seq: '116981768090823485' } },
		});
	});

	it.each([
		['an array', []],
		['null', null],
		['a text', 'message_created'],
		['an object without type', { timestamp: 1 }],
		['an object without time', { update_type: 'x' }],
		['a time that is no whole number', { update_type: 'x', timestamp: Infinity }],
		['a type that is not a text', { update_type: 1, timestamp: 1 }],
	])('is not %s', (_, body) => {
		expect(isUpdate(body)).toBe(false);
	});
});
