import type { IDataObject } from 'n8n-workflow';
import { asObject, at, isKeyboard, listAt, nameOf, textAt } from '../service/read';

/** Value of an output field; `undefined` if it is missing. */
export type Value = IDataObject[string];

/** What to output of an object: everything as delivered, the fields needed most, or the chosen ones. */
export type View = 'raw' | 'simplified' | readonly string[];

/**
 * An object of the service as output, without missing fields. The first of the `needed` names identifies it and is
 * always included; `valueOf` gives a field by its name, `undefined` for one that is not known.
 */
export function selectFields(
	object: unknown,
	view: View,
	needed: readonly string[],
	valueOf: (name: string) => Value,
): IDataObject {
	if (view === 'raw') return asObject(object);
	const names = view === 'simplified' ? needed : [...needed.slice(0, 1), ...view];
	return withoutGaps(Object.fromEntries(names.map((name) => [name, valueOf(name)])));
}

/** An object without the keys whose values are missing. */
export const withoutGaps = (object: Record<string, Value>): IDataObject =>
	Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Reads the string or number at a path as text. */
export const textIn =
	(...path: string[]) =>
	(object: unknown): string | undefined =>
		textAt(object, ...path);

/** Reads the string, number, boolean or list at a path as it is. */
export const plainIn =
	(...path: string[]) =>
	(object: unknown): Value => {
		const value = at(object, ...path);
		if (Array.isArray(value)) return value;
		const isScalar = typeof value === 'string' || typeof value === 'number';
		return isScalar || typeof value === 'boolean' ? value : undefined;
	};

/** The attachments without the keyboard among them. */
export const withoutKeyboard = <T>(attachments: T[]): T[] =>
	attachments.filter((attachment) => !isKeyboard(attachment));

/** The attachments of a message's body without its keyboard; `undefined` if there are none. */
export function attachedTo(body: unknown): Value {
	const list = withoutKeyboard(listAt(body, 'attachments'));
	return list.length > 0 ? list.map(asObject) : undefined;
}

/** The rows of buttons below a message, in the form that Keyboard JSON takes; `undefined` if there are none. */
export function keyboardOf(body: unknown): Value {
	return plainIn('payload', 'buttons')(listAt(body, 'attachments').find(isKeyboard));
}

/** A message ID consists of the chat ID in two's complement and the message number (wire 2). */
const MID = /^mid\.(?!0{16})([0-9a-f]{16})[0-9a-f]{16}$/i;

/** ID of the chat of a message or comment, read from its ID; `undefined` for an ID of another shape. */
export function chatOfMessageId(mid = ''): string | undefined {
	const digits = MID.exec(mid)?.[1];
	return digits === undefined ? undefined : String(BigInt.asIntN(64, BigInt(`0x${digits}`)));
}

/** A chat ID; for a dialog the service may send none, or 0 (wire 2 and 3.3). */
const chatIdIn = (object: unknown): string | undefined => {
	const id = textAt(object, 'chat_id');
	return id === '0' ? undefined : id;
};

/** ID of the chat of a message. For a button pressed in a dialog, the service may leave it to the ID of the message. */
export const chatIn = (message: unknown): string | undefined =>
	chatIdIn(at(message, 'recipient')) ?? chatOfMessageId(textAt(message, 'body', 'mid'));

/** The message that a message replies to or forwards, with its sender; `undefined` when it does not. */
export function linkOf(message: unknown, type: 'reply' | 'forward'): unknown {
	const link = at(message, 'link');
	return at(link, 'type') === type ? link : undefined;
}

/** What a person wrote, and what they forwarded along with it or instead. */
export function contentOf(message: unknown): { text: string; attachments: unknown[] } {
	const bodies = [at(message, 'body'), at(linkOf(message, 'forward'), 'message')];
	return {
		text: bodies.map((body) => textAt(body, 'text')).find(Boolean) ?? '',
		attachments: withoutKeyboard(bodies.flatMap((body) => listAt(body, 'attachments'))),
	};
}

/** Whether a message replies to another one. */
export const isReply = (message: unknown): boolean => linkOf(message, 'reply') !== undefined;

/** The message that a message replies to, or the one that it forwards (wire 3.3: LinkedMessage). */
export const linkFields = {
	reply_to: (message: unknown, ownId?: string): Value =>
		isReply(message) ? linked(message, isOwn(message, ownId)) : undefined,
	forwarded: (message: unknown): Value => (isReply(message) ? undefined : linked(message)),
};

function linked(message: unknown, is_own?: boolean): Value {
	const link = at(message, 'link');
	if (link === undefined) return undefined;
	return withoutGaps({
		message_id: textAt(link, 'message', 'mid'),
		chat_id: chatIdIn(link),
		sender_id: textAt(link, 'sender', 'user_id'),
		sender_name: nameOf(at(link, 'sender')),
		is_own,
		text: textAt(link, 'message', 'text'),
		attachments: attachedTo(at(link, 'message')),
	});
}

/** Whether the message replied to is the bot's own. A dialog has no other bot; elsewhere the bot's ID is needed. */
function isOwn(message: unknown, ownId: string | undefined): boolean | undefined {
	const sender = at(message, 'link', 'sender');
	if (at(sender, 'is_bot') !== true) return at(sender, 'is_bot') === false ? false : undefined;
	if (at(message, 'recipient', 'chat_type') === 'dialog') return true;
	return ownId === undefined ? undefined : ownId === textAt(sender, 'user_id');
}
