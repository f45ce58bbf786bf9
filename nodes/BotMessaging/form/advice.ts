import type { INode } from 'n8n-workflow';
import { NO_EXPRESSION } from '../service/hints/status';

/** What to do about a value that does not fit its field. */
export const AS_TEXT = 'Give a text, for example by choosing one of its fields in the expression.';
export const NO_ID =
	'An ID is a whole number such as 110022334 or -71234567890123. Names and links do not work; the events of a chat carry its chat_id and the user_id of people.';
export const NO_NUMBER = 'Give digits alone, with a point before decimals, such as 12.5.';
export const NOT_CALCULATED =
	'Check what the expression calculates with: something in it is missing, or is not a number.';

const OTHER_INPUT =
	'Compare the expression with the input of this node: what it names may be missing there, or have another name.';
/** For an agent, which may have given nothing itself, or for the person who set up its tool. */
const OTHER_CALL =
	"Give it a value when calling the tool. Where the agent is not to choose it, compare the expression with the agent's input.";
/** Why an expression gives nothing in a trigger. */
export const NO_INPUT =
	'A trigger has no input, so $json and other nodes give nothing here. Enter the value itself.';

/** What is wrong with a field of a node whose expression gave nothing, and what to do about it. */
export function nothingGiven({ type }: INode): [problem: string, advice: string] {
	const problem = 'is empty: its expression gave nothing';
	if (type.endsWith('Trigger')) return [problem, NO_INPUT];
	return type.endsWith('Tool') ? [problem, OTHER_CALL] : [`${problem} for this item`, OTHER_INPUT];
}

/** What to do about a value that cannot be read: `advice`, unless it is an expression that n8n did not take for one. */
export const adviceOn = (value: unknown, advice: string): string =>
	String(value).includes('{{') ? NO_EXPRESSION : advice;
