import { reasonOf } from '../../service/failure';
import { at, entryOf } from '../../service/read';
import type { Form } from '../../form/form';
import { chatOf, personOf, shapeOf, type Update } from '../../events/events';
import {
	choice,
	choicesField,
	collectionField,
	groupField,
	menuField,
	stringField,
	switchField,
} from '../../form/fields';
import { LinearPattern, UnusablePattern } from '../../text/linearPattern';

const chatTypesField = choicesField('Chat Types', 'chat_types', {
	options: [choice('Channel', 'channel'), choice('Dialog', 'dialog'), choice('Group Chat', 'chat')],
	description:
		"Kinds of chats whose events start the workflow. 'Chat Title Changed' and 'Message Removed' do not say whether the chat is a group or a channel, and pass for both.",
});

const matchField = menuField('Match', 'match', { default: 'command' }, [
	choice('Command', 'command', 'A command such as /start, with or without words behind it'),
	choice('Contains', 'contains'),
	choice('Equals', 'equals'),
	choice(
		'Regular Expression',
		'regex',
		'Matches anywhere in the text unless ^ and $ are used, ignoring case; no backreferences or lookarounds',
	),
	choice('Starts With', 'startsWith'),
]);

/** The part of the trigger's form that narrows down which events start the workflow. */
export const filtersField = collectionField('Filters', 'filters', {
	placeholder: 'Add filter',
	description:
		'Only events that pass all filters start the workflow. An event without the value that a filter checks does not pass it.',
	options: [
		stringField('Chat IDs', 'chat_ids', {
			placeholder: 'e.g. -71234567890123, 146854609',
			description: 'Chats whose events start the workflow, as a comma-separated list or an array',
		}),
		chatTypesField,
		switchField('Ignore Bots', 'ignore_bots', {
			default: true,
			description:
				'Whether to ignore messages and comments of other bots; those of this bot never start the workflow. Those that do not say who wrote them, such as channel posts, are ignored as well.',
		}),
		groupField('Text', 'text', {
			default: { rule: { match: 'command', value: '' } },
			description:
				'What the text of a message or comment must match. For a button or a start link, its payload is compared.',
			options: [
				{
					displayName: 'Rule',
					name: 'rule',
					values: [
						matchField,
						stringField('Value', 'value', {
							placeholder: 'e.g. start',
							description:
								"What to look for, ignoring case. The command start is also found in 'Bot Started', and in /start@clerk_bot or @clerk_bot /start, whichever bot that is; start@clerk_bot only in these two.",
						}),
					],
				},
			],
		}),
		stringField('User IDs', 'user_ids', {
			placeholder: 'e.g. 110022334, 130000777',
			description: 'People whose events start the workflow, as a comma-separated list or an array',
		}),
	],
});

type Filter = (update: Update) => boolean;

/** The values of a filter. An empty list is refused: it would lift the restriction. */
const restricting = (filters: Form, name: string, values: string[]): string[] =>
	values.length > 0
		? values
		: filters.refuseEmpty(name, 'A filter has to hold a value. Fill it in, or remove the filter.');

const byId =
	(name: string, idOf: (update: Update) => string | undefined) =>
	(filters: Form): Filter => {
		const ids: unknown[] = restricting(filters, name, filters.ids(name).map(String));
		return (update) => ids.includes(idOf(update));
	};

/** The filters by field name. An event that lacks what a filter looks at does not pass. */
const FILTERS: Readonly<Record<string, (filters: Form) => Filter>> = {
	chat_ids: byId('chat_ids', chatOf),
	chat_types: (filters) => {
		const types = restricting(filters, 'chat_types', filters.choices(chatTypesField));
		// Some events may come from either a group or a channel; they pass if one of the two is wanted.
		return (update) =>
			shapeOf(update)
				?.chatTypes(update)
				.some((type) => types.includes(type)) ?? false;
	},
	user_ids: byId('user_ids', personOf),
	ignore_bots: (filters) => {
		const isOn = filters.flag('ignore_bots');
		if (isOn === undefined) filters.refuse('ignore_bots', 'is neither on nor off');
		if (!isOn) return () => true;
		return (update) => {
			const shape = shapeOf(update);
			return !shape?.written || at(shape.user(update), 'is_bot') === false;
		};
	},
	text: (filters) => {
		const rule = filters.part('text', 'the text filter').part('rule');
		const matches = readMatcher(rule);
		const isCommand = rule.choice(matchField) === 'command';
		return (update) => {
			// Whoever presses Start writes no command /start (wire 4.1).
			const isStart = isCommand && update.update_type === 'bot_started';
			const text = isStart ? '/start' : shapeOf(update)?.text(update);
			return text !== undefined && matches(text);
		};
	},
};

/** All filters combined, for these types of events (all if empty). One without a value is refused, not passed. */
export function readFilters(form: Form, events: string[]): Filter {
	const given = form.value('filters') ?? {};
	if (typeof given !== 'object') form.refuse('filters', 'is not a list of filters');
	const filters = form.part('filters');
	const chosen = Object.keys(given).map(
		(name) =>
			entryOf(FILTERS, name)?.(filters) ?? form.refuse('filters', `has no filter called ${name}`),
	);
	if (events.length > 0) chosen.unshift(({ update_type }) => events.includes(update_type));
	return (update) => chosen.every((passes) => passes(update));
}

/** Longest text to test expressions on, in UTF-16 code units; the service allows texts of 4,000 characters. */
const LONGEST_TEXT = 10_000;

/** Inline flags before an expression, such as `(?i)` in other languages. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

type Matcher = (text: string) => boolean;

const fold = (text: string): string => text.toLowerCase();

/** Mentions before a command, as the messenger puts them in group chats, the last one that of the bot. */
const MENTIONED = /^(?:@\S+\s+)*?@(\S+)\s+(\/[^\s@]+)/;

/** A text that addresses its command to a bot behind it, `/start@clerk_bot`, where it was `@clerk_bot /start`. */
const addressedBehind = (text: string): string => text.replace(MENTIONED, '$2@$1');

/** How a text is compared, by choice of 'Match'. */
const MATCHERS: Readonly<
	Record<typeof matchField.default, (value: string, rule: Form) => Matcher>
> = {
	command: (value, rule) => {
		const command = fold(`/${value.trim().replace(/^\//, '')}`);
		if (/\s/.test(command)) {
			rule.refuse(
				'value',
				'is more than one word',
				"Enter the command alone. To compare what follows it as well, choose 'Starts With' in 'Match'.",
			);
		}
		// In group chats, a command may be addressed to a bot: /start@clerk_bot.
		const end = command.includes('@') ? /\s/ : /[\s@]/;
		return (text) => fold(addressedBehind(text.trim())).split(end, 1)[0] === command;
	},
	contains: (value) => (text) => fold(text).includes(fold(value)),
	equals: (value) => (text) => fold(text.trim()) === fold(value.trim()),
	startsWith: (value) => (text) => fold(text).startsWith(fold(value)),
	regex: (value, rule) => {
		const pattern = readPattern(value, rule);
		// A longer text does not match. Testing only its beginning could match where the whole text does not.
		return (text) => text.length <= LONGEST_TEXT && pattern.test(text);
	},
};

/** Reads the rule for texts; refuses an empty value, and an expression that may not run in linear time. */
function readMatcher(rule: Form): Matcher {
	rule.requiredText('value');
	// Spaces at the ends are significant: 'order ' must not match 'orders'.
	const value = rule.text('value');
	return MATCHERS[rule.choice(matchField)](value, rule);
}

function readPattern(value: string, rule: Form): LinearPattern {
	const [leading = '', flags = ''] = LEADING_FLAGS.exec(value) ?? [];
	try {
		return new LinearPattern(value.slice(leading.length), `iu${flags.replace(/i/g, '')}`);
	} catch (error) {
		if (!(error instanceof UnusablePattern)) {
			// The last of its words tell why.
			const reason = reasonOf(error).split(': ').pop();
			return rule.refuse('value', `is not a regular expression: ${reason}`);
		}
		return rule.refuse(
			'value',
			error.message,
			'A malicious text could keep n8n busy for hours. Write the expression without it, or check the text in the workflow.',
		);
	}
}
