import { Form } from '../../../../nodes/BotMessaging/form/form';
import { labelsOf } from '../../../../nodes/BotMessaging/form/fields';
import { filtersField, readFilters } from '../../../../nodes/BotMessaging/trigger/settings/filters';
import { triggerProperties } from '../../../../nodes/BotMessaging/trigger/settings/parameters';
import { robot, said, TYPES, unsigned, update } from '../../events/updates';
import { nodeOf } from '../../../support/node';

const filter = (filters: Record<string, unknown>, events: string[] = []) =>
	readFilters(
		new Form(nodeOf(), labelsOf(triggerProperties), (name) => ({ filters })[name]),
		events,
	);

const text = (match: string, value: string) => filter({ text: { rule: { match, value } } });

describe('without filters', () => {
	it.each(TYPES)('%s starts the workflow', (type) => {
		expect(filter({})(update(type))).toBe(true);
	});

	it('an event that was not chosen does not start the workflow', () => {
		expect(filter({}, ['bot_started'])(update('bot_added'))).toBe(false);
	});
});

describe('the filter by chat', () => {
	it('works for every type of event', () => {
		const either = filter({ chat_ids: '146854609, -71234567890123' });
		expect(TYPES.filter((type) => !either(update(type)))).toEqual([]);
		const other = filter({ chat_ids: '1' });
		expect(TYPES.filter((type) => other(update(type)))).toEqual([]);
	});

	it('holds back an event without a chat ID', () => {
		expect(filter({ chat_ids: '1' })(update('bot_started', { chat_id: undefined }))).toBe(false);
		expect(filter({ chat_ids: '1' })(update('unknown_type', { chat_id: 1 }))).toBe(false);
	});

	it('compares IDs beyond 2^53 to the last digit', () => {
		const passes = filter({ chat_ids: '9007199254740993' });
		expect(passes(update('bot_started', { chat_id: '9007199254740993' }))).toBe(true);
		expect(passes(update('bot_started', { chat_id: '9007199254740992' }))).toBe(false);
	});

	it('is refused with the label of its field when it contains no ID', () => {
		expect(() => filter({ chat_ids: '@somebody' })).toThrow(
			/^Chat IDs has an entry that is not an ID/,
		);
	});
});

describe('the other filters', () => {
	it.each(filtersField.options ?? [])('are all that the form offers: $name', ({ name }) => {
		// A filter without a value is refused for that, not because there is none.
		expect(() => filter({ [name]: undefined })).toThrow(/^(?!Filters has no filter called)/);
	});

	it('by user works for every type of event', () => {
		const passes = filter({ user_ids: '110022334' });
		expect(TYPES.filter((type) => !passes(update(type)))).toEqual([]);
		expect(filter({ user_ids: '1' })(update('message_removed'))).toBe(false);
	});

	it('by chat type lets through events that may be of that type', () => {
		const group = filter({ chat_types: ['chat'] });
		expect(TYPES.filter((type) => !group(update(type)))).toEqual([
			...'comment_created comment_edited comment_removed user_removed'.split(' '),
			...'bot_started bot_stopped dialog_cleared dialog_removed dialog_muted'.split(' '),
			...'dialog_unmuted'.split(' '),
		]);
		const channel = filter({ chat_types: ['channel'] });
		expect(['message_removed', 'chat_title_changed'].map((type) => channel(update(type)))).toEqual([
			true,
			true,
		]);
	});

	it('by chat type recognizes dialogs by their positive IDs', () => {
		const removed = update('message_removed', { chat_id: 146854609 });
		expect(filter({ chat_types: ['chat', 'channel'] })(removed)).toBe(false);
		expect(filter({ chat_types: ['dialog'] })(removed)).toBe(true);
	});

	it('by chat type holds back an event that names no chat', () => {
		const passes = filter({ chat_types: ['chat', 'channel', 'dialog'] });
		expect(passes(update('message_removed', { chat_id: undefined }))).toBe(false);
		expect(passes(update('unknown_type'))).toBe(false);
	});

	it('on bots lets through what people write', () => {
		const passes = filter({ ignore_bots: true });
		expect(passes(said('Hello'))).toBe(true);
		expect(passes(said('Beep', robot))).toBe(false);
	});

	it('on bots holds back messages without a known author', () => {
		const passes = filter({ ignore_bots: true });
		expect(passes(unsigned('A post'))).toBe(false);
		expect(passes(said('Hi', { user_id: 1 }))).toBe(false);
	});

	it('on bots lets through events that nobody wrote', () => {
		const passes = filter({ ignore_bots: true });
		expect(passes(update('message_callback', { callback: { user: { user_id: 1 } } }))).toBe(true);
		expect(passes(update('message_removed'))).toBe(true);
		expect(passes(update('unknown_type'))).toBe(true);
	});

	it('must all match', () => {
		const passes = filter({ chat_ids: '-71234567890123', user_ids: '1' });
		expect(passes(update('message_created'))).toBe(false);
	});
});

describe('a filter without a usable value', () => {
	const NOTHING = [undefined, null, '', ' ', [], [''], ',', {}, 'x', [null], [{}]];

	it.each([
		['chat_ids', /^Chat IDs /],
		['user_ids', /^User IDs /],
		['chat_types', /^Chat Types /],
		['ignore_bots', /^Ignore Bots /],
		['text', /^Value of the text filter is empty/],
	])('is refused with the label of its field: %s', (name, error) => {
		for (const value of NOTHING) expect(() => filter({ [name]: value })).toThrow(error);
	});

	it('is refused if only its first part is valid', () => {
		expect(() => filter({ chat_types: ['chat', 'group'] })).toThrow(
			'Chat Types has an entry that is not one of its choices: group',
		);
		expect(() => filter({ user_ids: '110022334, @vera' })).toThrow(
			'User IDs has an entry that is not an ID: @vera',
		);
	});

	it.each(['constructor', 'toString', 'other'])('is refused when it is called %s', (name) => {
		expect(() => filter({ [name]: '1' })).toThrow(`Filters has no filter called ${name}`);
	});

	it('is refused when the filters are a text', () => {
		const form = new Form(nodeOf(), labelsOf(triggerProperties), () => 'chat_ids');
		expect(() => readFilters(form, [])).toThrow('Filters is not a list of filters');
	});

	it('has no effect when Ignore Bots is switched off', () => {
		expect(filter({ ignore_bots: false })(said('Beep', robot))).toBe(true);
	});
});

describe('the filter by text', () => {
	it.each([
		['command', 'start', '/start'],
		['command', ' /start ', '/start'],
		['command', 'start', '/START now please'],
		['command', 'start', ' /start@clerk_bot 17'],
		['command', 'start', '/start\nsecond line'],
		['command', 'start@clerk_bot', '/start@Clerk_bot 17'],
		['command', '/start@clerk_bot', '/start@clerk_bot'],
		['command', 'start', '@clerk_bot /start 17'],
		['command', 'start', '@vera_o @clerk_bot /start'],
		['command', 'start@clerk_bot', '@Clerk_bot\n/start 17'],
		['contains', 'PARCEL', 'Where is my parcel?'],
		['equals', 'yes', 'Yes'],
		['equals', ' yes ', ' Yes '],
		['startsWith', 'order', 'Order 17'],
		['startsWith', 'order ', 'Order 17'],
		['regex', '^order (\\d+)$', 'Order 17'],
		['regex', '[яё]+', 'Привет, я'],
		['regex', '(?i)^ORDER', 'order 17'],
		['regex', '(?im)^second', 'First\nSecond'],
		['regex', '(?s)first.second', 'First\nSecond'],
	])('%s %s matches "%s"', (match, value, given) => {
		expect(text(match, value)(said(given))).toBe(true);
	});

	it.each([
		['command', 'start', 'start'],
		['command', 'start', '/started'],
		['command', 'start', 'please /start'],
		['command', 'start@clerk_bot', '/start'],
		['command', 'start@clerk_bot', '/start@other_bot'],
		['command', 'start@clerk_bot', '@other_bot /start'],
		['command', 'start', '@clerk_bot please /start'],
		['command', 'start', '@clerk_bot/start'],
		['contains', 'parcel', 'Where is it?'],
		['equals', 'yes', 'yes!'],
		['startsWith', 'order', 'My order'],
		['startsWith', 'order ', 'Orders'],
		['contains', ' no ', 'I know'],
		['regex', '^order ', 'Orders'],
		['regex', '^order (\\d+)$', 'Order seventeen'],
	])('%s %s does not match "%s"', (match, value, given) => {
		expect(text(match, value)(said(given))).toBe(false);
	});

	it('matches a long text as a whole, not only its beginning', () => {
		expect(text('regex', '^a+$')(said('a'.repeat(10_000)))).toBe(true);
		expect(text('regex', '^a+$')(said(`${'a'.repeat(10_000)}b`))).toBe(false);
		expect(text('regex', '^a+$')(said(`${'a'.repeat(3999)}b`))).toBe(false);
		expect(text('regex', '^a+')(said('a'.repeat(10_001)))).toBe(false);
	});

	it('takes an expression of any length, as long as it needs few steps for each character', () => {
		expect(text('regex', `^[${'ab'.repeat(1000)}]+$`)(said('Abba'))).toBe(true);
	});

	it('looks at the payload of buttons and start links', () => {
		expect(text('startsWith', 'order:')(update('message_callback'))).toBe(true);
		expect(text('equals', 'campaign_42')(update('bot_started'))).toBe(true);
	});

	it.each([{}, { payload: undefined }])(
		'takes the press of Start for the command start, which people can also write: %j',
		(change) => {
			const started = update('bot_started', change);
			expect(['start', '/START'].map((value) => text('command', value)(started))).toEqual([
				true,
				true,
			]);
			expect(text('command', 'help')(started)).toBe(false);
			expect(text('contains', '/start')(started)).toBe(false);
			expect(text('command', 'start')(update('bot_stopped'))).toBe(false);
		},
	);

	it.each(['message_removed', 'user_added', 'unknown_type'])('holds back %s', (type) => {
		expect(text('regex', '.*')(update(type))).toBe(false);
	});

	it.each([
		['an empty value', 'contains', ' ', /^Value of the text filter is empty/],
		[
			'a command of two words',
			'command',
			'/start now',
			/^Value of the text filter is more than one word/,
		],
		[
			'an invalid expression',
			'regex',
			'a: (b',
			/^Value of the text filter is not a regular expression: Unterminated group$/,
		],
		[
			'an expression with a backreference',
			'regex',
			'(a)\\1',
			/^Value of the text filter uses a lookaround, a backref/,
		],
		[
			'an expression with too many repetitions',
			'regex',
			'a{5000}',
			/^Value of the text filter is too long or r/,
		],
		[
			'an unknown way to compare',
			'constructor',
			'a',
			/^Match of the text filter is not one of its choices/,
		],
	])('is refused with %s', (_, match, value, error) => {
		expect(() => text(match, value)).toThrow(error);
	});
});
