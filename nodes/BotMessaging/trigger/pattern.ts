import { LinearPattern, UnusablePattern } from '../text/linearPattern';
import type { Form } from '../form/form';
import { MATCHES } from './filterFields';

/** Longest text that is looked at, in UTF-16 code units: those of the service have 4,000 characters at most. */
const LONGEST_TEXT = 10_000;

const LONGEST_EXPRESSION = 1000;

/** Flags before an expression, as many other languages write them. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

/** Whether a text fits. */
export type Matcher = (text: string) => boolean;

const fold = (text: string): string => text.toLowerCase();

const MATCHERS = new Map<string, (value: string, rule: Form) => Matcher>([
	[
		MATCHES.command,
		(value) => {
			const command = fold(`/${value.trim().replace(/^\//, '')}`);
			// In group chats a command may name the bot it is for: /start@clerk_bot.
			return (text) => fold(text.trim()).split(/[\s@]/, 1)[0] === command;
		},
	],
	[MATCHES.contains, (value) => (text) => fold(text).includes(fold(value))],
	[MATCHES.equals, (value) => (text) => fold(text) === fold(value)],
	[MATCHES.startsWith, (value) => (text) => fold(text).startsWith(fold(value))],
	[
		MATCHES.regex,
		(value, rule) => {
			const pattern = readPattern(value, rule);
			// A part of a text would fit what the whole text does not.
			return (text) => text.length <= LONGEST_TEXT && pattern.test(text);
		},
	],
]);

/**
 * Reads the rule for texts.
 *
 * @throws NodeOperationError when the value is empty, or is no regular expression that takes linear time
 */
export function readMatcher(rule: Form): Matcher {
	const value = rule.requiredText('value');
	const create = MATCHERS.get(rule.text('match'));
	return create ? create(value, rule) : rule.refuse('match', 'is not one of its choices');
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
			'A text made for that purpose could keep n8n busy for hours. Write the expression without it, or look closer in the workflow.',
		);
	}
}
