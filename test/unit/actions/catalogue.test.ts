import type { INodeProperties } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import codex from '../../../nodes/BotMessaging/BotMessaging.node.json';
import triggerCodex from '../../../nodes/BotMessaging/BotMessagingTrigger.node.json';
import { catalogue, formFields } from '../../../nodes/BotMessaging/actions/catalogue';
import { formOf } from '../../n8n/support/forms';
import { subtitleOf } from '../../support/node';

const { description } = new BotMessaging();

const operations = catalogue.flatMap(({ name, operations: all }) =>
	all.map((operation) => ({ title: `${name} → ${operation.name}`, operation })),
);

const byLabel = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

describe("The words follow n8n's guidelines", () => {
	it.each(operations)('$title: its action has no article', ({ operation }) => {
		expect(operation.action).toMatch(/^[A-Z][A-Za-z ]+$/);
		expect(operation.action).not.toMatch(/\b(a|an|the)\b/i);
	});

	it.each(operations)(
		'$title: an option that is a group shows its fields at once',
		({ operation }) => {
			const options = formFields(operation).find(({ name }) => name === 'options')?.options ?? [];
			const shown = options.flatMap((each) =>
				'type' in each && each.type === 'fixedCollection'
					? [[each.displayName, Object.keys(Object(each.default))]]
					: [],
			);
			expect(shown).toContainEqual(['Delivery', ['values']]);
			expect(shown.filter(([, groups]) => groups?.length !== 1)).toEqual([]);
		},
	);

	it.each(operations)('$title: its technical options are in one group', ({ operation }) => {
		const options = formFields(operation).find(({ name }) => name === 'options')?.options ?? [];
		const labels = options.flatMap((each) => ('displayName' in each ? [each.displayName] : []));
		expect(labels).toContain('Delivery');
		expect(labels).toEqual([...labels].sort(byLabel));
	});
});

it('What can be given as JSON is built otherwise, in all forms', () => {
	const menus = description.properties.map(({ options = [] }) => options.map(({ name }) => name));
	const others = menus
		.filter((names) => names.includes('Use JSON'))
		.map((names) => names.filter((name) => !['None', 'Use JSON'].includes(name)));
	expect([...new Set(others.flat())].sort(byLabel)).toEqual([
		'Build a List',
		'Build Rows of Buttons',
	]);
});

it('Menus are sorted, and the most used choices are the defaults', () => {
	const menus = description.properties.filter(({ name }) =>
		['resource', 'operation'].includes(name),
	);
	expect(menus).toHaveLength(1 + catalogue.length);
	for (const { options = [] } of menus) {
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort(byLabel));
	}
	const defaults = menus.map(({ default: preset }) => preset);
	expect(defaults.slice(0, 2)).toEqual(['message', 'send']);
});

it('Where n8n keeps what a field holds when resource or operation change, the new field can show it', () => {
	const shown = (fields: INodeProperties[]) => fields.filter((field) => !field.displayOptions);
	const carried = catalogue.flatMap(({ name, operations: own }) =>
		catalogue.flatMap((before) => {
			// Another resource brings its first operation.
			const reached = before.name === name ? own : own.slice(0, 1);
			return before.operations.flatMap(({ action, fields }) =>
				reached.flatMap((next) =>
					shown(fields).flatMap((from) =>
						shown(next.fields)
							.filter((to) => to.name === from.name && to.type !== from.type)
							.map((to) => `${action}, then ${next.action}: ${to.displayName}`),
					),
				),
			);
		}),
	);
	expect(carried).toEqual([]);
});

it('Send and Wait says that the buttons of its keyboard answer nothing', () => {
	const operation = operations.find(({ title }) => title.includes('Wait'))?.operation;
	const keyboard = operation?.fields.find(({ displayName }) => displayName === 'Inline Keyboard');
	expect(keyboard?.description).toContain('answers nothing');
});

it('Set Commands says, before it runs, that an empty list removes all commands', () => {
	const { labels } = formOf({ resource: 'bot', operation: 'setCommands' });
	expect(labels).toContainEqual(expect.stringContaining('An empty list removes all commands'));
});

const OF_QUESTIONS = [
	'Delivery',
	'Disable Link Preview',
	'Forward Message ID',
	'Limit Wait Time',
	'Notify',
];
const OF_PAGES = ['Form Button Label', 'Form Description', 'Form Title', 'Message Button Label'];

it.each([
	['callback', 'answer', {}, ['Delivery']],
	['message', 'sendAndWait', {}, OF_QUESTIONS],
	['message', 'sendAndWait', { responseType: 'freeText' }, OF_QUESTIONS],
	[
		'message',
		'sendAndWait',
		{ responseType: 'freeText', answer_in: 'page' },
		[...OF_QUESTIONS, ...OF_PAGES].sort(byLabel),
	],
	[
		'message',
		'sendAndWait',
		{ responseType: 'customForm' },
		[...OF_QUESTIONS, ...OF_PAGES].sort(byLabel),
	],
])(
	'The form of %s → %s with %j offers only options that have an effect',
	(resource, operation, filled, expected) => {
		expect(formOf({ resource, operation, filled }).options).toEqual(expected);
	},
);

it.each([
	['message', 'send', 'Send: Message'],
	['pinnedMessage', 'get', 'Get: Pinned Message'],
	['member', 'getAll', 'Get Many: Member'],
	['file', 'getUploadUrl', 'Get Upload URL: File'],
	['message', 'sendAndWait', 'Send and Wait for Response: Message'],
])('The subtitle of %s → %s is "%s"', (resource, operation, expected) => {
	const parameters = { resource, operation };
	expect(subtitleOf(new BotMessaging(), { parameters })).toBe(expected);
});

it('n8n lists the node among those that can ask a person', () => {
	expect(codex.categories).toContain('HITL');
	expect(codex.subcategories.HITL).toEqual(['Human in the Loop']);
});

it.each([
	...['send photo', 'chat bot', 'messenger', 'typing', 'approval', 'hitl', 'wait', 'form', 'kick'],
	...['receive message', 'command', 'members', 'buttons', 'ask', 'answer', 'button pressed'],
	...['attachments', 'forward', 'channel post', 'direct message', 'subscription', 'rights'],
	...['audio', 'callback query', 'commands', 'invite', 'menu', 'polling', 'subscribe'],
	...['send messages', 'permissions', 'promote', 'mini app'],
])('A search for "%s" finds the node', (words) => {
	expect(codex.alias).toContain(words);
});

it('n8n lists both nodes as one with the search words of the action, so it has those of the trigger', () => {
	expect(codex.alias).toEqual(expect.arrayContaining(triggerCodex.alias));
});
