import { Form, labelsOf } from '../../../nodes/BotMessaging/form/form';
import { readFilters } from '../../../nodes/BotMessaging/trigger/filters';
import { triggerProperties } from '../../../nodes/BotMessaging/trigger/parameters';
import { isExplosive } from '../../../nodes/BotMessaging/trigger/pattern';
import type { INode } from 'n8n-workflow';
import { robot, said, TYPES, unsigned, update } from '../events/updates';

const node: INode = {
	...{ id: 'n', name: 'Trigger', type: 't', typeVersion: 1, position: [0, 0], parameters: {} },
};

const filter = (filters: Record<string, unknown>, events: string[] = []) =>
	readFilters(new Form(node, labelsOf(triggerProperties), (name) => ({ filters })[name]), events);

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

	it('by kind of chat holds back what does not say it', () => {
		const passes = filter({ chat_types: ['chat'] });
		expect(passes(update('message_created'))).toBe(true);
		expect(passes(update('bot_started'))).toBe(false);
		expect(passes(update('chat_title_changed'))).toBe(false);
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

describe('the filter by text', () => {
	it.each([
		['command', 'start', '/start'],
		['command', '/start', '/start'],
		['command', 'start', '/START now please'],
		['command', 'start', ' /start@clerk_bot 17'],
		['command', 'start', '/start\nsecond line'],
		['contains', 'PARCEL', 'Where is my parcel?'],
		['equals', 'yes', 'Yes'],
		['startsWith', 'order', 'Order 17'],
		['regex', '^order (\\d+)$', 'Order 17'],
		['regex', '[яё]+', 'Привет, я'],
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
		['regex', '^order (\\d+)$', 'Order seventeen'],
	])('%s %s does not take "%s"', (match, value, given) => {
		expect(text(match, value)(said(given))).toBe(false);
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
		['an expression that could take forever', 'regex', '^(a+)+$', /^Value repeats a group/],
	])('is refused with %s', (_, match, value, error) => {
		expect(() => text(match, value)).toThrow(error);
	});
});

describe('an expression that could take forever', () => {
	it.each(['(a+)+', '(a*)*$', '(a|a)*', '((ab)+c?)+', '(?:x{1,})+', '(.*,){11,}', '((a)|b)*'])(
		'is %s',
		(source) => {
			expect(isExplosive(source)).toBe(true);
		},
	);

	it.each([
		'^/(start|help)(\\s+.*)?$',
		'[(+*)]+',
		'(\\d{4})-(\\d{2})',
		'\\(a+\\)+',
		'(abc)+',
		'order #?\\d+',
		'^(?<what>\\w+) (\\d+)$',
	])('is not %s', (source) => {
		expect(isExplosive(source)).toBe(false);
	});

	it('and was not noticed is ended, and does not fit', () => {
		const startedAt = Date.now();
		expect(text('regex', 'x*x*x*x*y')(said('x'.repeat(4000)))).toBe(false);
		expect(Date.now() - startedAt).toBeLessThan(5000);
	});
});
