import { Linter } from 'eslint';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../nodes/BotMessaging/BotMessagingTrigger.node';

/** Rules of n8n that are not followed, and why. */
const EXCEPTIONS = [
	// Fields of a row are in the order in which they are filled in; Automatic comes first.
	'node-param-fixed-collection-type-unsorted-items',
	'node-param-options-type-unsorted-items',
	'node-param-multi-options-type-unsorted-items',
	// The operation Send Action has a field of this name, whose choices are not operations.
	'node-param-operation-option-without-action',
	// A field that is optional where another form requires it.
	'node-param-required-false',
	// As in eslint.config.mjs.
	'node-param-type-options-max-value-present',
].map((rule) => `n8n-nodes-base/${rule}`);

/** Tokens of files are not secrets: people have to see and compare them. */
const NO_SECRETS = /name: "(share_)?token"/;
const SECRETS = 'n8n-nodes-base/node-param-type-options-password-missing';

/** The source code of fields, as it would be in a node's file: the rules read source code. */
const asWritten = (fields: unknown): string =>
	`export const fields = ${JSON.stringify(fields, undefined, '\t').replace(/"(\w+)":/g, '$1:')};`;

function problemsIn(fields: unknown): string[] {
	const source = asWritten(fields);
	const lines = source.split('\n');
	const isException = ({ ruleId, line }: Linter.LintMessage): boolean =>
		ruleId === SECRETS
			? NO_SECRETS.test(lines.slice(0, line).findLast((text) => /^\t+name:/.test(text)) ?? '')
			: EXCEPTIONS.includes(String(ruleId));
	return new Linter()
		.verify(source, [
			{ plugins: { 'n8n-nodes-base': nodesBase }, rules: nodesBase.configs.nodes.rules },
		])
		.filter((problem) => !isException(problem))
		.map(({ line, ruleId, message }) => `${lines[line - 1]} ${ruleId}: ${message}`);
}

test.each([
	['action node', new BotMessaging()],
	['trigger node', new BotMessagingTrigger()],
])("The fields of the %s follow n8n's rules, however they are built", (_, { description }) => {
	expect(problemsIn(description.properties)).toEqual([]);
});

test.each([
	[{ displayName: 'Of', name: 'of', type: 'boolean', default: false, description: 'Switch' }],
	[{ displayName: 'Access Token', name: 'access_token', type: 'string', default: '' }],
	[{ displayName: 'two words', name: 'two', type: 'string', default: '' }],
])('A field that breaks a rule is found: %j', (field) => {
	expect(problemsIn([field])).toHaveLength(1);
});

test.each([
	['action node', new BotMessaging()],
	['trigger node', new BotMessagingTrigger()],
])(
	'A switch of the %s that is added as an option is on: off, it would change nothing',
	(_, node) => {
		const added = node.description.properties.flatMap(({ type, options = [] }) =>
			type === 'collection' ? options : [],
		);
		const switches = added.flatMap((each) =>
			'type' in each && each.type === 'boolean' ? [[each.displayName, each.default]] : [],
		);
		expect(switches.length).toBeGreaterThan(0);
		expect(switches.filter(([, preset]) => preset !== true)).toEqual([]);
	},
);

test.each([
	['action node', new BotMessaging()],
	['trigger node', new BotMessagingTrigger()],
])('A notice of the %s ends with a period only if it has several sentences', (_, node) => {
	const notices = node.description.properties.flatMap(({ type, displayName }) =>
		type === 'notice' ? [displayName] : [],
	);
	expect(notices.length).toBeGreaterThan(0);
	expect(notices.filter((text) => text.endsWith('.') !== /[.] [A-Z]/.test(text))).toEqual([]);
});
