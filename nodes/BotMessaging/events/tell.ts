import type { IDataObject } from 'n8n-workflow';
import { asObject, at, isKeyboard, listAt, nameOf, textAt } from '../service/read';

/** Value of a field of the output; `undefined` for what is missing. */
export type Value = IDataObject[string];

/** What is told of an object: everything as it was delivered, the fields most needed, or those chosen. */
export type View = 'raw' | 'simplified' | readonly string[];

/**
 * An object of the service for the output. What it lacks is left out; what identifies it is always told.
 *
 * @param needed names of the fields most needed, the first of which identifies the object
 * @param valueOf the value of a field by its name, `undefined` for a name that is not known
 */
export function tell(
	object: unknown,
	view: View,
	needed: readonly string[],
	valueOf: (name: string) => Value,
): IDataObject {
	if (view === 'raw') return asObject(object);
	const names = view === 'simplified' ? needed : [...needed.slice(0, 1), ...view];
	return withoutGaps(names.map((name) => [name, valueOf(name)]));
}

const withoutGaps = (entries: Array<[string, Value]>): IDataObject =>
	Object.fromEntries(entries.filter(([, value]) => value !== undefined));

/** Reads the text or number at a path, written out. */
export const textIn =
	(...path: string[]) =>
	(object: unknown): string | undefined =>
		textAt(object, ...path);

/** Reads the text, number, switch or list at a path as it is. */
export const plainIn =
	(...path: string[]) =>
	(object: unknown): Value => {
		const value = at(object, ...path);
		if (Array.isArray(value)) return value;
		const isScalar = typeof value === 'string' || typeof value === 'number';
		return isScalar || typeof value === 'boolean' ? value : undefined;
	};

/** Attachments besides the keyboard among them. */
export const withoutKeyboard = <T>(attachments: T[]): T[] =>
	attachments.filter((attachment) => !isKeyboard(attachment));

/** What is attached to the body of a message besides its keyboard; `undefined` when that is nothing. */
export function attachedTo(body: unknown): Value {
	const list = withoutKeyboard(listAt(body, 'attachments'));
	return list.length > 0 ? list.map(asObject) : undefined;
}

/** The rows of buttons below a message, as Keyboard JSON takes them; `undefined` where there are none. */
export function keyboardOf(body: unknown): Value {
	return plainIn('payload', 'buttons')(listAt(body, 'attachments').find(isKeyboard));
}

const isReply = (message: unknown): boolean => at(message, 'link', 'type') === 'reply';

/** The message that a message answers, or the one it passes on (wire 3.3: LinkedMessage). */
export const linkFields = {
	reply_to: (message: unknown, ownId?: string): Value =>
		isReply(message) ? linked(message, isOwn(message, ownId)) : undefined,
	forwarded: (message: unknown): Value => (isReply(message) ? undefined : linked(message)),
};

function linked(message: unknown, is_own?: boolean): Value {
	const link = at(message, 'link');
	if (link === undefined) return undefined;
	const origin = textAt(link, 'chat_id');
	return withoutGaps(
		Object.entries({
			message_id: textAt(link, 'message', 'mid'),
			// Of a dialog the service tells none, or 0 (wire 3.3).
			chat_id: origin === '0' ? undefined : origin,
			sender_id: textAt(link, 'sender', 'user_id'),
			sender_name: nameOf(at(link, 'sender')),
			is_own,
			text: textAt(link, 'message', 'text'),
			attachments: attachedTo(at(link, 'message')),
		}),
	);
}

/** Whether the answered message is the bot's own: in a dialog there is no other bot, elsewhere its ID has to be known. */
function isOwn(message: unknown, ownId: string | undefined): boolean | undefined {
	const sender = at(message, 'link', 'sender');
	if (at(sender, 'is_bot') !== true) return at(sender, 'is_bot') === false ? false : undefined;
	if (at(message, 'recipient', 'chat_type') === 'dialog') return true;
	return ownId === undefined ? undefined : ownId === textAt(sender, 'user_id');
}
