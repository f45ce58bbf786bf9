import { notFound } from '../api/errors';
import type { Fields } from '../api/fields';
import type { Query } from '../api/query';
import type { Faults } from '../faults';
import type { Deliveries } from '../updates/delivery';
import { asId } from '../world/ids';
import type { Bot, Chat, Id, Person, StoredMessage } from '../world/types';
import type { World } from '../world/world';

/** One request to the control API. */
export interface ControlRequest {
	world: World;
	faults: Faults;
	deliveries: Deliveries;
	path: Record<string, string>;
	query: Query;
	body: Fields;
	/** The parsed body, for bodies that are not an object. */
	raw: unknown;
}

/** Operations of the control API by method and path; their results are the bodies of 200s. */
export type ControlRoutes = Readonly<Record<string, (call: ControlRequest) => unknown>>;

/** A person or bot that must exist. */
export function personOf(world: World, id: Id | undefined): Person {
	const person = id === undefined ? undefined : world.people.get(id);
	if (person === undefined) throw notFound(`User ${id} does not exist`);
	return person;
}

/** A bot that must exist. */
export function botOf(world: World, id: Id | undefined): Bot {
	const bot = id === undefined ? undefined : world.bots.get(id);
	if (bot === undefined) throw notFound(`Bot ${id} does not exist`);
	return bot;
}

/** The chat of the path. */
export function chatOf({ world, path }: ControlRequest): Chat {
	const chat = world.chats.get(asId(path.chatId) ?? 0n);
	if (chat === undefined) throw notFound(`Chat ${path.chatId} does not exist`);
	return chat;
}

/** The message or comment of the path. */
export function messageOf({ world, path }: ControlRequest): StoredMessage {
	const message = world.message(path.messageId ?? '');
	if (message === undefined) throw notFound(`Message ${path.messageId} does not exist`);
	return message;
}

/** Who acts: the given user, or else the person of the dialog. */
export function actorOf(world: World, chat: Chat, id: Id | undefined): Person {
	return id === undefined && chat.dialog !== undefined ? chat.dialog.user : personOf(world, id);
}
