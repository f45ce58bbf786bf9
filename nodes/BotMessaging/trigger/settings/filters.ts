import { at, entryOf } from '../../service/read';
import type { Form } from '../../form/form';
import { chatOf, personOf, shapeOf } from '../../events/events';
import { chatTypesField, matchField } from './filterFields';
import type { Update } from '../../events/update';
import { LinearPattern, UnusablePattern } from '../../text/linearPattern';

export type Filter = (update: Update) => boolean;

const isOneOf = (list: readonly string[], value: string | undefined): boolean =>
	value !== undefined && list.includes(value);

/** The values of a filter. An empty list is refused: it would lift the restriction. */
const restricting = (filters: Form, name: string, values: string[]): string[] =>
	values.length > 0
		? values
		: filters.refuseEmpty(name, 'A filter has to hold a value. Fill it in, or remove the filter.');

const idsOf = (filters: Form, name: string): string[] =>
	restricting(filters, name, filters.ids(name).map(String));

/** The filters by field name. An event that lacks what a filter looks at does not pass. */
const FILTERS: Readonly<Record<string, (filters: Form) => Filter>> = {
	chat_ids: (filters) => {
		const ids = idsOf(filters, 'chat_ids');
		return (update) => isOneOf(ids, chatOf(update));
	},
	chat_types: (filters) => {
		const types = restricting(filters, 'chat_types', filters.choices(chatTypesField));
		// Some events may come from either a group or a channel; they pass if one of the two is wanted.
		return (update) =>
			shapeOf(update)
				?.chatTypes(update)
				.some((type) => types.includes(type)) ?? false;
	},
	user_ids: (filters) => {
		const ids = idsOf(filters, 'user_ids');
		return (update) => isOneOf(ids, personOf(update));
	},
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
		const matches = readMatcher(filters.part('text').part('rule'));
		return (update) => {
			const text = shapeOf(update)?.text(update);
			return text !== undefined && matches(text);
		};
	},
};

/**
 * All filters of a trigger combined. A filter without a usable value is refused: it would let everything through.
 *
 * @param events types to let through; all when empty
 * @throws NodeOperationError naming the field whose value cannot be used
 */
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

const LONGEST_EXPRESSION = 1000;

/** Inline flags before an expression, such as `(?i)` in other languages. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

type Matcher = (text: string) => boolean;

const fold = (text: string): string => text.toLowerCase();

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
		return (text) => fold(text.trim()).split(end, 1)[0] === command;
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

/**
 * Reads the rule for texts.
 *
 * @throws NodeOperationError when the value is empty, or not a regular expression that runs in linear time
 */
function readMatcher(rule: Form): Matcher {
	rule.requiredText('value');
	// Spaces at the ends are significant: 'order ' must not match 'orders'.
	const value = rule.text('value');
	return MATCHERS[rule.choice(matchField)](value, rule);
}

function readPattern(value: string, rule: Form): LinearPattern {
	if (value.length > LONGEST_EXPRESSION) rule.refuse('value', 'is too long an expression');
	const [leading = '', flags = ''] = LEADING_FLAGS.exec(value) ?? [];
	try {
		return new LinearPattern(value.slice(leading.length), `iu${flags.replace(/i/g, '')}`);
	} catch (error) {
		if (!(error instanceof UnusablePattern)) {
			return rule.refuse('value', 'is not a regular expression');
		}
		return rule.refuse(
			'value',
			error.message,
			'A malicious text could keep n8n busy for hours. Write the expression without it, or check the text in the workflow.',
		);
	}
}
