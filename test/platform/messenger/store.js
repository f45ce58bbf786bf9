import { api } from './api.js';

/** Ids are numbers, or strings where a number cannot hold them: compared as strings. */
export const same = (one, other) => String(one) === String(other);

const MESSAGES_SHOWN = 200;
/** How many chats of the list show their last message at the beginning. */
const PREVIEWS = 30;

const listeners = new Map();

/** Calls `listener` whenever this topic changes. */
export function on(topic, listener) {
	listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
}

/** Tells that a topic changed. */
export function emit(topic, detail) {
	for (const listener of listeners.get(topic) ?? []) listener(detail);
}

/** What the page knows. Maps have ids as strings for keys. */
export const store = {
	bots: new Map(),
	users: new Map(),
	chats: new Map(),
	/** The last message of each chat that was seen. */
	last: new Map(),
	unread: new Map(),
	/** The user that is played, and the chat that is open. */
	me: undefined,
	chatId: undefined,
	/** Messages of the open chat by mid, oldest first. */
	messages: new Map(),
};

export const personOf = (id) => store.users.get(String(id)) ?? store.bots.get(String(id));
export const openChat = () => store.chats.get(store.chatId);

/** A person's or bot's full name. */
export function nameOf(person) {
	return [person?.first_name, person?.last_name].filter(Boolean).join(' ') || 'Somebody';
}

/** What a chat is called for the user that is played. */
export function titleOf(chat) {
	return chat.type === 'dialog' ? nameOf(personOf(chat.bot_id)) : chat.title || 'Chat';
}

/** The chats of the user that is played, those with the newest events first. */
export function myChats() {
	const isMine = (chat) =>
		chat.type === 'dialog'
			? same(chat.user_id, store.me)
			: chat.members.some(({ user_id }) => same(user_id, store.me));
	return [...store.chats.values()]
		.filter(isMine)
		.sort((one, other) => other.last_event_time - one.last_event_time);
}

/** One line about a message. */
export function summary(message) {
	const { text, attachments = [] } = message.body ?? {};
	const [first] = attachments.filter(({ type }) => type !== 'inline_keyboard');
	return text || first?.filename || first?.type || (message.link ? 'Forwarded message' : 'Message');
}

const keyed = (people) => new Map(people.map((person) => [String(person.user_id), person]));

/** Reads everything but messages. */
export async function loadState() {
	const state = await api.state();
	store.bots = keyed(state.bots);
	store.users = keyed(state.users);
	store.chats = new Map(state.chats.map((chat) => [String(chat.chat_id), chat]));
	if (!store.users.has(store.me)) store.me = store.users.keys().next().value;
	emit('people');
	emit('chats');
	await loadPreviews();
}

async function loadPreviews() {
	const missing = myChats()
		.slice(0, PREVIEWS)
		.filter(({ chat_id }) => !store.last.has(String(chat_id)));
	await Promise.all(
		missing.map(async ({ chat_id }) => {
			const { messages } = await api.messages(chat_id, 1);
			if (messages[0]) store.last.set(String(chat_id), messages[0]);
		}),
	);
	if (missing.length > 0) emit('chats');
}

/** Reads one chat anew. */
export async function loadChat(chatId) {
	const chat = await api.chat(chatId);
	store.chats.set(String(chatId), chat);
	emit('chats');
	if (same(chatId, store.chatId)) emit('header');
}

/** Makes another user the one that is played. */
export async function playUser(userId) {
	store.me = String(userId);
	emit('people');
	await selectChat(undefined);
	await loadPreviews();
}

/** Opens a chat, or none. */
export async function selectChat(chatId) {
	store.chatId = chatId === undefined ? undefined : String(chatId);
	store.messages = new Map();
	emit('selected');
	emit('chats');
	if (chatId !== undefined) await loadMessages();
}

/** Reads the messages of the open chat. */
export async function loadMessages() {
	const { chatId } = store;
	const { messages } = await api.messages(chatId, MESSAGES_SHOWN);
	if (chatId !== store.chatId) return;
	store.messages = new Map(messages.reverse().map((message) => [message.body.mid, message]));
	store.unread.delete(chatId);
	emit('messages');
	emit('chats');
}

/** Remembers a new message, or an edited one. */
export function takeMessage(message, isNew) {
	const chatId = String(message.recipient.chat_id);
	const { mid } = message.body;
	if (message.recipient.post_id !== undefined) return;
	if (isNew || store.last.get(chatId)?.body.mid === mid) store.last.set(chatId, message);
	const chat = store.chats.get(chatId);
	if (chat && isNew) chat.last_event_time = message.timestamp;
	if (chatId === store.chatId) {
		store.messages.set(mid, message);
		emit('message', message);
	} else if (isNew && !same(message.sender?.user_id, store.me)) {
		store.unread.set(chatId, (store.unread.get(chatId) ?? 0) + 1);
	}
	emit('chats');
}

/** Forgets a message that was removed. */
export function dropMessage({ chat_id, message_id }) {
	if (store.last.get(String(chat_id))?.body.mid === message_id) store.last.delete(String(chat_id));
	if (same(chat_id, store.chatId) && store.messages.delete(message_id)) emit('removed', message_id);
	emit('chats');
}
