import type { IDataObject } from 'n8n-workflow';
import { at, textAt } from '../service/read';
import { shapeOf } from './events';
import { FACTS } from './facts';
import { tell, type Fields, type View } from './tell';
import type { Shape } from './shapes';
import type { Update } from './update';

/**
 * One event as the JSON of an item. An event of a type that this version does not know is told as it was delivered.
 *
 * @param ownId user ID of the bot, where it is known
 */
export function tellEvent(update: Update, view: View, ownId?: string): IDataObject {
	const shape = shapeOf(update);
	if (shape) return tell(update, view, simpleOf(shape), ownId);
	return view === 'raw' ? update : { event: update.update_type, ...update };
}

function simpleOf(shape: Shape) {
	const more: Fields<Update> = Object.fromEntries(
		Object.entries(FACTS).map(([name, { of }]) => [
			name,
			(update: Update, ownId?: string) => of(update, shape, ownId),
		]),
	);
	const fields: Fields<Update> = Object.fromEntries(
		shape.facts.flatMap((name) => (more[name] ? [[name, more[name]]] : [])),
	);
	return { fields, more };
}

/**
 * What n8n's agents and memories look for in an item: `chatInput` and `sessionId`.
 *
 * @param isPersonal whether each person of a chat has a conversation with the agent, and so a memory, of their own
 */
export function forAgents(update: Update, isPersonal: boolean): IDataObject {
	const shape = shapeOf(update);
	const forwarded = textAt(update, 'message', 'link', 'message', 'text');
	const user = textAt(shape?.user(update), 'user_id') ?? '';
	const chat = shape?.chat(update) ?? user;
	return {
		chatInput: shape?.text(update) ?? forwarded ?? '',
		sessionId: isPersonal ? `${chat}/${user}` : chat,
	};
}

/** Whether only the bot's own user ID tells if a message answers one of the bot: in chats with several bots. */
export const needsOwnId = (update: Update): boolean =>
	at(update, 'message', 'link', 'type') === 'reply' &&
	at(update, 'message', 'link', 'sender', 'is_bot') === true &&
	textAt(update, 'message', 'recipient', 'chat_type') !== 'dialog';
