import { Form } from '../../../nodes/BotMessaging/form/form';
import { labelsOf } from '../../../nodes/BotMessaging/form/fields';
import { readFilters } from '../../../nodes/BotMessaging/trigger/filters';
import { triggerProperties } from '../../../nodes/BotMessaging/trigger/parameters';
import { robot, said, TYPES, unsigned, update } from '../events/updates';
import { nodeOf } from '../../support/node';

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

	it('an event that was not chosen does not', () => {
		expect(filter({}, ['bot_started'])(update('bot_added'))).toBe(false);
	});
});

describe('the filter by chat', () => {
	it.each([
		['a list in a text', '146854609, -71234567890123'],
		['an array', ['-71234567890123']],
		['a number', -71234567890123],
	])('takes %s', (_, chat_ids) => {
		expect(filter({ chat_ids })(update('message_created'))).toBe(true);
	});

	it('works for every type of event', () => {
		const either = filter({ chat_ids: '146854609, -71234567890123' });
		expect(TYPES.filter((type) => !either(update(type)))).toEqual([]);
		const other = filter({ chat_ids: '1' });
		expect(TYPES.filter((type) => other(update(type)))).toEqual([]);
	});

	it('holds back an event that does not say its chat', () => {
		expect(filter({ chat_ids: '1' })(update('bot_started', { chat_id: undefined }))).toBe(false);
		expect(filter({ chat_ids: '1' })(update('unknown_type', { chat_id: 1 }))).toBe(false);
	});

	it('compares ids beyond 2^53 to the last digit', () => {
		const passes = filter({ chat_ids: '9007199254740993' });
		expect(passes(update('bot_started', { chat_id: '9007199254740993' }))).toBe(true);
		expect(passes(update('bot_started', { chat_id: '9007199254740992' }))).toBe(false);
	});

	it('is refused by the label of its field when it holds no id', () => {
		expect(() => filter({ chat_ids: '@somebody' })).toThrow(/^Chat IDs is not an ID/);
	});
});

describe('the other filters', () => {
	it('by user works for every type of event', () => {
		const passes = filter({ user_ids: '110022334' });
		expect(TYPES.filter((type) => !passes(update(type)))).toEqual([]);
		expect(filter({ user_ids: '1' })(update('message_removed'))).toBe(false);
	});

	it('by kind of chat lets through what may be of that kind', () => {
		const group = filter({ chat_types: ['chat'] });
		expect(TYPES.filter((type) => !group(update(type)))).toEqual([
			'comment_created',
			'comment_edited',
			'comment_removed',
			'user_removed',
			'bot_started',
			'bot_stopped',
			'dialog_cleared',
			'dialog_removed',
			'dialog_muted',
			'dialog_unmuted',
		]);
		const channel = filter({ chat_types: ['channel'] });
		expect(['message_removed', 'chat_title_changed'].map((type) => channel(update(type)))).toEqual([
			true,
			true,
		]);
	});

	it('by kind of chat tells dialogs by their positive IDs', () => {
		const removed = update('message_removed', { chat_id: 146854609 });
		expect(filter({ chat_types: ['chat', 'channel'] })(removed)).toBe(false);
		expect(filter({ chat_types: ['dialog'] })(removed)).toBe(true);
	});

	it('by kind of chat holds back an event that does not say its chat at all', () => {
		const passes = filter({ chat_types: ['chat', 'channel', 'dialog'] });
		expect(passes(update('message_removed', { chat_id: undefined }))).toBe(false);
		expect(passes(update('unknown_type'))).toBe(false);
	});

	it('on bots lets through what people write', () => {
		const passes = filter({ ignore_bots: true });
		expect(passes(said('Hello'))).toBe(true);
		expect(passes(said('Beep', robot))).toBe(false);
	});

	it('on bots holds back messages that do not say who wrote them', () => {
		const passes = filter({ ignore_bots: true });
		expect(passes(unsigned('A post'))).toBe(false);
		expect(passes(said('Hi', { user_id: 1 }))).toBe(false);
	});

	it('on bots lets through what is not written by anybody', () => {
		const passes = filter({ ignore_bots: true });
		expect(passes(update('message_callback'))).toBe(true);
		expect(passes(update('message_removed'))).toBe(true);
	});

	it('all have to agree', () => {
		const passes = filter({ chat_ids: '-71234567890123', user_ids: '1' });
		expect(passes(update('message_created'))).toBe(false);
	});
});

describe('a filter that is there but came to nothing', () => {
	const NOTHING = [undefined, null, '', ' ', [], [''], ',', {}, 'x', [null], [{}]];

	it.each([
		['chat_ids', /^Chat IDs /],
		['user_ids', /^User IDs /],
		['chat_types', /^Chat Types /],
		['ignore_bots', /^Ignore Bots /],
		['text', /^Value is empty/],
	])('is refused by the label of its field: %s', (name, error) => {
		for (const value of NOTHING) expect(() => filter({ [name]: value })).toThrow(error);
	});

	it('is refused where only its first part fits', () => {
		expect(() => filter({ chat_types: ['chat', 'group'] })).toThrow(
			'Chat Types has no choice group',
		);
		expect(() => filter({ user_ids: '110022334, @vera' })).toThrow('User IDs is not an ID: @vera');
	});

	it.each(['constructor', 'toString', 'other'])('is refused when it is called %s', (name) => {
		expect(() => filter({ [name]: '1' })).toThrow(`Filters has no filter called ${name}`);
	});

	it('is refused when all filters are a text', () => {
		const form = new Form(nodeOf(), labelsOf(triggerProperties), () => 'chat_ids');
		expect(() => readFilters(form, [])).toThrow('Filters is not a list of filters');
	});

	it('is no filter when bots are not to be ignored', () => {
		expect(filter({ ignore_bots: false })(said('Beep', robot))).toBe(true);
	});
});

describe('the filter by text', () => {
	it.each([
		['command', 'start', '/start'],
		['command', '/start', '/start'],
		['command', 'start', '/START now please'],
		['command', 'start', ' /start@clerk_bot 17'],
		['command', 'start', '/start\nsecond line'],
		['contains', 'PARCEL', 'Where is my parcel?'],
		['equals', 'yes', 'Yes'],
		['equals', ' yes ', 'Yes'],
		['startsWith', 'order', 'Order 17'],
		['startsWith', 'order ', 'Order 17'],
		['regex', '^order (\\d+)$', 'Order 17'],
		['regex', '[яё]+', 'Привет, я'],
		['regex', '(?i)^ORDER', 'order 17'],
		['regex', '(?im)^second', 'First\nSecond'],
		['regex', '(?s)first.second', 'First\nSecond'],
	])('%s %s takes "%s"', (match, value, given) => {
		expect(text(match, value)(said(given))).toBe(true);
	});

	it.each([
		['command', 'start', 'start'],
		['command', 'start', '/started'],
		['command', 'start', 'please /start'],
		['contains', 'parcel', 'Where is it?'],
		['equals', 'yes', 'yes!'],
		['startsWith', 'order', 'My order'],
		['startsWith', 'order ', 'Orders'],
		['contains', ' no ', 'I know'],
		['regex', '^order ', 'Orders'],
		['regex', '^order (\\d+)$', 'Order seventeen'],
	])('%s %s does not take "%s"', (match, value, given) => {
		expect(text(match, value)(said(given))).toBe(false);
	});

	it('holds back a text that is too long to look at, which its beginning could fit', () => {
		expect(text('regex', '^a+$')(said('a'.repeat(10_000)))).toBe(true);
		expect(text('regex', '^a+$')(said(`${'a'.repeat(10_000)}b`))).toBe(false);
		expect(text('regex', '^a+$')(said(`${'a'.repeat(3999)}b`))).toBe(false);
	});

	it('looks at the payload of buttons and start links', () => {
		expect(text('startsWith', 'order:')(update('message_callback'))).toBe(true);
		expect(text('equals', 'campaign_42')(update('bot_started'))).toBe(true);
	});

	it.each(['message_removed', 'user_added', 'dialog_muted'])('holds back %s', (type) => {
		expect(text('regex', '.*')(update(type))).toBe(false);
	});

	it.each([
		['an empty value', 'contains', ' ', /^Value is empty/],
		['a broken expression', 'regex', '(', /^Value is not a regular expression/],
		[
			'an expression with a backreference',
			'regex',
			'(a)\\1',
			/^Value uses a lookaround, a backref/,
		],
		['an expression with too many repetitions', 'regex', 'a{5000}', /^Value repeats too much/],
		['a way to compare that there is not', 'constructor', 'a', /^Match is not one of its choices/],
	])('is refused with %s', (_, match, value, error) => {
		expect(() => text(match, value)).toThrow(error);
	});
});
