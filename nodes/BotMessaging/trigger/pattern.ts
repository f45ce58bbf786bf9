import { safeRegex } from 'n8n-workflow';
import type { Form } from '../form/form';
import { MATCHES } from './filterFields';

/** Longest text that a regular expression is given: events are written by strangers. */
const LONGEST_TEXT = 1000;

/** A repeated group in which something is repeated or has alternatives: what makes an expression take forever. */
const REPEATED_CHOICE =
	/\((?:[^()\\]|\\.)*(?:[*+|]|\{\d+,\d*\})(?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,\d*\})/;

/** Groups without a choice in them, which are taken out one after the other to find nested ones. */
const PLAIN_GROUP = /\((?:[^()\\]|\\.)*\)/g;

const CHARACTER_CLASS = /\[(?:[^\]\\]|\\.)*\]/g;

/** Whether an expression could take forever on a text made for that purpose. */
export function isExplosive(source: string): boolean {
	let rest = source.replace(CHARACTER_CLASS, 'c');
	for (;;) {
		if (REPEATED_CHOICE.test(rest)) return true;
		// What a group holds counts for the group around it.
		const outer = rest.replace(PLAIN_GROUP, (group) => (/[^\\][*+|{]/.test(group) ? 'c*' : 'c'));
		if (outer === rest) return false;
		rest = outer;
	}
}

/** Whether a text fits. */
export type Matcher = (text: string) => boolean;

const fold = (text: string): string => text.toLowerCase();

const MATCHERS: Record<string, (value: string, refuse: (problem: string) => never) => Matcher> = {
	[MATCHES.command]: (value) => {
		const command = fold(`/${value.trim().replace(/^\//, '')}`);
		// In group chats a command may name the bot it is for: /start@clerk_bot.
		return (text) => fold(text.trim()).split(/[\s@]/, 1)[0] === command;
	},
	[MATCHES.contains]: (value) => (text) => fold(text).includes(fold(value)),
	[MATCHES.equals]: (value) => (text) => fold(text) === fold(value),
	[MATCHES.startsWith]: (value) => (text) => fold(text).startsWith(fold(value)),
	[MATCHES.regex]: (value, refuse) => {
		if (!isExpression(value)) refuse('is not a regular expression');
		if (isExplosive(value)) refuse('repeats a group that itself repeats or has alternatives');
		return (text) => test(value, text.slice(0, LONGEST_TEXT));
	},
};

/**
 * Reads the rule for texts.
 *
 * @throws NodeOperationError when the value is empty, is no regular expression, or is one that could take forever
 */
export function readMatcher(rule: Form): Matcher {
	const value = rule.requiredText('value');
	const create = MATCHERS[rule.text('match')];
	if (!create) return rule.refuse('match', 'is not one of its choices');
	return create(value, (problem) =>
		rule.refuse(
			'value',
			problem,
			'A text made for that purpose could keep n8n busy for hours. Write the expression without repeating such a group.',
		),
	);
}

const FLAGS = 'iu';

function isExpression(source: string): boolean {
	try {
		return new RegExp(source, FLAGS).source !== '';
	} catch {
		return false;
	}
}

/** n8n ends an expression that takes too long with an error; such a text does not fit. Older versions do not. */
function test(source: string, text: string): boolean {
	if (safeRegex === undefined) return new RegExp(source, FLAGS).test(text);
	try {
		return safeRegex.test(source, text, FLAGS);
	} catch {
		return false;
	}
}
