import {
	EVENTS,
	agentFieldsOf,
	identityOf,
	shapeOf,
	eventOutput,
	isUpdate,
} from '../../../nodes/BotMessaging/events/events';
import { FACTS } from '../../../nodes/BotMessaging/events/facts';
import { answering, robot, TYPES, update } from './updates';

describe('the table of events', () => {
	it('has every type of the service and no other', () => {
		expect(Object.keys(EVENTS).sort()).toEqual([...TYPES].sort());
	});

	it.each(TYPES)('finds the chat and the user of %s', (type) => {
		const { chat_id, user_id } = eventOutput(update(type), 'simplified');
		expect(chat_id).toMatch(/^(-71234567890123|146854609)$/);
		expect(user_id).toBe('110022334');
	});

	it('keeps events of different types apart', () => {
		expect(new Set(TYPES.map((type) => identityOf(update(type)))).size).toBe(TYPES.length);
	});

	it.each(['constructor', '__proto__', 'toString'])('knows no event called %s', (type) => {
		expect(shapeOf(update(type))).toBeUndefined();
		expect(agentFieldsOf(update(type), false)).toEqual({ chatInput: '', sessionId: '' });
	});

	it('distinguishes events of an unknown type by their whole content', () => {
		const one = update('poll_closed', { poll: 1 });
		expect(identityOf(one)).toBe(identityOf(update('poll_closed', { poll: 1 })));
		expect(identityOf(one)).not.toBe(identityOf(update('poll_closed', { poll: 2 })));
	});

	/** Parts of the identity of events without a message (wire 4.3), where they are not the usual ones. */
	const PARTS: Record<string, object> = {
		message_removed: { message_id: 'mid.2' },
		comment_removed: { message_id: 'mid.2' },
		bot_admin_permissions_changed: { timestamp: 1, chat_id: 1, bot_id: 1 },
	};
	const USUAL = { timestamp: 1, chat_id: 1, user: { user_id: 1 } };
	it.each(TYPES.filter((type) => !('message' in update(type))))(
		'treats events of %s that differ in one part as two',
		(type) => {
			const all = Object.entries(PARTS[type] ?? USUAL).map(([part, other]) => ({ [part]: other }));
			const identities = [{}, ...all].map((changes) => identityOf(update(type, changes)));
			expect(new Set(identities).size).toBe(all.length + 1);
		},
	);

	const callback = { timestamp: 1, callback_id: 'k', payload: 'a', user: { user_id: 1 } };
	it.each([
		['another keyboard', { ...callback, callback_id: 'l' }],
		['another time', { ...callback, timestamp: 2 }],
		['another button of the keyboard', { ...callback, payload: 'b' }],
		['another person', { ...callback, user: { user_id: 2 } }],
	])('treats a press as a different one for %s', (_, other) => {
		expect(identityOf(update('message_callback', { callback }))).not.toBe(
			identityOf(update('message_callback', { callback: other })),
		);
	});

	it('treats two edits of one message as two events', () => {
		expect(identityOf(update('message_edited', { timestamp: 1 }))).not.toBe(
			identityOf(update('message_edited', { timestamp: 2 })),
		);
	});

	it('recognizes a message whose redelivery has a different time', () => {
		expect(identityOf(update('message_created', { timestamp: 1 }))).toBe(
			identityOf(update('message_created', { timestamp: 2 })),
		);
	});
});

describe('the identity of an event without its usual identifiers', () => {
	const forward = (text: string) =>
		update('message_created', {
			message: { recipient: { chat_id: 1 }, body: null, link: { message: { mid: 'm', text } } },
		});

	it('is its whole content', () => {
		expect(identityOf(forward('One'))).toBe(identityOf(forward('One')));
		expect(identityOf(forward('One'))).not.toBe(identityOf(forward('Two')));
	});

	it('is its whole content also where its message has an empty ID', () => {
		const written = (text: string) =>
			update('message_created', { message: { body: { mid: '', text } } });
		expect(identityOf(written('One'))).not.toBe(identityOf(written('Two')));
	});

	it.each(TYPES)('still distinguishes two events of %s', (type) => {
		const poor = (note: number) => ({ update_type: type, timestamp: 1, note });
		expect(identityOf(poor(1))).toBe(identityOf(poor(1)));
		expect(identityOf(poor(1))).not.toBe(identityOf(poor(2)));
	});

	it('does not depend on the order of keys', () => {
		expect(
			identityOf({ update_type: 'x', timestamp: 1, a: { b: 1, c: [2, { d: 3, e: 4 }] } }),
		).toBe(identityOf({ timestamp: 1, a: { c: [2, { e: 4, d: 3 }], b: 1 }, update_type: 'x' }));
	});

	it('is short, however long the event is', () => {
		expect(identityOf(forward('x'.repeat(100_000))).length).toBeLessThan(100);
	});
});

describe('simplified output', () => {
	it.each(TYPES)('has at most ten fields for %s, and none of them is null', (type) => {
		const told = eventOutput(update(type), 'simplified');
		expect(Object.keys(told).length).toBeLessThanOrEqual(10);
		expect(Object.values(told)).not.toContain(null);
		expect(told).toMatchObject({ event: type, user_id: '110022334' });
	});

	it('has no more than ten fields even for a message with everything', () => {
		const { message } = update('message_created');
		const link = { type: 'forward', message: { mid: 'mid.0', text: 'Old' } };
		const attachments = [{ type: 'image' }];
		const body = { mid: 'mid.1', text: 'Full', attachments };
		const sender = { user_id: 1, first_name: 'V', username: 'v', is_bot: false };
		const full = { ...Object(message), sender, body, link };
		const told = eventOutput(
			update('message_created', { user_locale: 'ru', message: full }),
			'simplified',
		);
		expect(Object.keys(told)).toEqual([
			...'event chat_id user_id user_name username user_locale message_id text'.split(' '),
			...'attachments forwarded'.split(' '),
		]);
	});

	it('says what a message contains, who wrote it and where', () => {
		expect(eventOutput(update('message_created'), 'simplified')).toEqual({
			event: 'message_created',
			chat_id: '-71234567890123',
			user_id: '110022334',
			user_name: 'Vera Orlova',
			message_id: 'mid.1',
			text: 'Where is my parcel?',
		});
	});

	it('says below which post a comment was written that comes, or is removed, as a message', () => {
		const { message } = update('comment_created');
		const told = eventOutput(update('message_created', { message }), 'simplified');
		expect(told).toMatchObject({ event: 'message_created', post_id: 'mid.0', text: 'Thanks!' });
		const removed = eventOutput(update('message_removed', { post_id: 'mid.0' }), 'simplified');
		expect(removed).toMatchObject({ message_id: 'mid.1', post_id: 'mid.0' });
	});

	it('says what little is known of a message that comes without itself, as voice messages can', () => {
		const voice = { message: undefined, user_locale: 'ru' };
		expect(eventOutput(update('message_created', voice), 'simplified')).toEqual({
			event: 'message_created',
			user_locale: 'ru',
		});
	});

	it('says which button was pressed and by whom, with the text of its message', () => {
		expect(eventOutput(update('message_callback'), 'simplified')).toMatchObject({
			user_name: 'Vera Orlova',
			callback_id: 'k0Zr',
			payload: 'order:17',
			text: 'Confirm?',
		});
	});

	it.each([
		['bot_started', { payload: 'campaign_42', chat_type: 'dialog' }],
		['chat_title_changed', { title: 'Day shift' }],
		['user_added', { user_id: '110022334', inviter_id: '130000777' }],
		['user_removed', { chat_type: 'channel', user_id: '110022334', admin_id: '130000777' }],
		['comment_created', { post_id: 'mid.0', message_id: 'mid.1', text: 'Thanks!' }],
		['comment_removed', { message_id: 'mid.1', post_id: 'mid.0', chat_type: 'channel' }],
		['dialog_muted', { muted_until: 1785000123456 }],
		['bot_admin_permissions_changed', { is_admin: true, permissions: ['write'] }],
	])('has the fields that belong to %s', (type, facts) => {
		expect(eventOutput(update(type), 'simplified')).toMatchObject(facts);
	});

	it.each([
		['an object', { first_name: {}, name: 'Vera' }, 'Vera'],
		[
			'an object that cannot be converted to text',
			{ first_name: 'Vera', last_name: { toString: 1 } },
			'Vera',
		],
		['a list', { first_name: ['Vera'] }, undefined],
		['empty texts', { first_name: '', last_name: '', name: '' }, undefined],
	])('takes no name from %s', (_, user, user_name) => {
		const told = eventOutput(
			update('bot_started', { user: { user_id: 1, ...user } }),
			'simplified',
		);
		expect(told.user_name).toBe(user_name);
	});

	it('leaves out the chat type if the event lacks it', () => {
		expect(eventOutput(update('chat_title_changed'), 'simplified')).not.toHaveProperty('chat_type');
	});

	it('leaves out the keyboard of a message', () => {
		const { message } = update('message_created');
		const attachments = [{ type: 'inline_keyboard', payload: {} }, { type: 'image' }];
		const body = { mid: 'mid.1', attachments };
		const told = update('message_created', { message: { ...Object(message), body } });
		expect(eventOutput(told, 'simplified').attachments).toEqual([{ type: 'image' }]);
	});

	it('keeps all fields of an event of an unknown type', () => {
		const closed = update('poll_closed', { poll: 1 });
		const raw = { update_type: 'poll_closed', timestamp: 1785000123456, poll: 1 };
		expect(eventOutput(closed, 'raw')).toEqual(raw);
		expect(eventOutput(closed, 'simplified')).toEqual({ event: 'poll_closed', ...raw });
	});
});

describe('a message that replies to another', () => {
	const reply = (sender: object, chatType: string) =>
		eventOutput(answering(sender, chatType), 'simplified', '240000111').reply_to;

	it('says what it replies to', () => {
		expect(reply({ user_id: 5, first_name: 'Oleg', is_bot: false }, 'chat')).toEqual({
			message_id: 'mid.0',
			sender_id: '5',
			sender_name: 'Oleg',
			is_own: false,
			text: 'Which pallet?',
			attachments: [{ type: 'image' }],
		});
	});

	it.each([
		['a dialog, by any bot', robot, 'dialog', true],
		['a group, by the bot', { user_id: 240000111, is_bot: true }, 'chat', true],
		['a group, by another bot', robot, 'chat', false],
	])('says whether that is the bot’s own message: in %s', (_, sender, chatType, is_own) => {
		expect(reply(sender, chatType)).toMatchObject({ is_own });
	});

	it.each([
		[-71234567890123, { chat_id: '-71234567890123' }],
		// What the service sends if the original message is in a dialog.
		[0, {}],
	])('says which chat the original message is in: %p', (chat_id, told) => {
		const message = { link: { type: 'reply', chat_id } };
		expect(eventOutput(update('message_created', { message }), ['reply_to'])).toEqual({
			event: 'message_created',
			reply_to: told,
		});
	});

	it('does not say whether that is the bot’s own message if it is unknown', () => {
		expect(eventOutput(answering(robot, 'chat'), 'simplified').reply_to).not.toHaveProperty(
			'is_own',
		);
		expect(reply({}, 'chat')).not.toHaveProperty('is_own');
	});
});

describe('selected fields', () => {
	it('follow the type of the event, in the given order', () => {
		const told = eventOutput(update('message_created'), [
			'text',
			'chat_type',
			'timestamp',
			'title',
		]);
		expect(Object.entries(told)).toEqual([
			['event', 'message_created'],
			['text', 'Where is my parcel?'],
			['chat_type', 'chat'],
			['timestamp', 1785000123456],
		]);
	});

	it('include what a channel post has besides its text', () => {
		const buttons = [[{ type: 'callback', text: 'A', payload: 'a' }]];
		const markup = [{ type: 'strong', from: 0, length: 4 }];
		const post = update('message_created', {
			message: {
				recipient: { chat_id: -71234567890123, chat_type: 'channel' },
				body: {
					mid: 'mid.1',
					markup,
					attachments: [{ type: 'inline_keyboard', payload: { buttons } }],
				},
				stat: { views: 3 },
				url: 'https://a.example/1',
			},
		});
		expect(eventOutput(post, ['markup', 'keyboard', 'views', 'url'])).toEqual({
			event: 'message_created',
			markup,
			keyboard: buttons,
			views: 3,
			url: 'https://a.example/1',
		});
	});

	it('that do not exist are left out', () => {
		expect(eventOutput(update('bot_started'), ['constructor', '__proto__'])).toEqual({
			event: 'bot_started',
		});
	});

	/** Fields that no event in these tests has. */
	const LACKING = [
		...['username', 'user_locale', 'attachments', 'reply_to', 'forwarded'],
		...['markup', 'keyboard', 'views', 'url'],
	];

	it.each(Object.keys(FACTS))('can be %s', (name) => {
		expect(TYPES.some((type) => name in eventOutput(update(type), [name]))).toBe(
			!LACKING.includes(name),
		);
	});
});

describe('output for AI agents', () => {
	it.each([
		['message_created', 'Where is my parcel?'],
		['message_callback', 'order:17'],
		['bot_started', 'campaign_42'],
		['user_added', ''],
	])('of %s says %p', (type, chatInput) => {
		expect(agentFieldsOf(update(type), false)).toMatchObject({ chatInput });
	});

	/** A message without text of its own that replies to or forwards another one. */
	const silent = (type: string, body: object | null) => {
		const { message } = answering(robot, 'chat');
		const link = { ...Object(message).link, type };
		return update('message_created', { message: { ...Object(message), link, body } });
	};

	it.each([null, { mid: 'mid.1', text: '' }])(
		'contains the text of a message forwarded without a comment: %p',
		(body) => {
			expect(agentFieldsOf(silent('forward', body), false).chatInput).toBe('Which pallet?');
		},
	);

	it('does not contain the original text when somebody replies with a picture', () => {
		expect(agentFieldsOf(silent('reply', { mid: 'mid.1' }), false).chatInput).toBe('');
	});

	it('has one session for each chat, or for each person in it', () => {
		const event = update('message_created');
		expect(agentFieldsOf(event, false).sessionId).toBe('-71234567890123');
		expect(agentFieldsOf(event, true).sessionId).toBe('-71234567890123/110022334');
	});
});

it.each([
	['time is not a whole number', { update_type: 'x', timestamp: Infinity }],
	['type is not a text', { update_type: 1, timestamp: 1 }],
])('An object whose %s is not an event', (_, body) => {
	expect(isUpdate(body)).toBe(false);
});
