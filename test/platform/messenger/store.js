import { get, post } from './api.js';
import { nameOf, same } from './text.js';

/** How many messages of a chat are kept. */
const MESSAGES = 1_000;
/** How many chats in the list initially show their last message. */
const PREVIEWS = 30;
/** How long a toast is shown. */
const TOAST_MS = 6_000;
/** How long events are gathered before the state is reloaded. */
const GATHER_MS = 150;

/** Everything that the page knows and shows. Maps use IDs as strings for keys. */
export const store = {
	bots: new Map(),
	users: new Map(),
	chats: new Map(),
	/** The last known message of each chat. */
	last: new Map(),
	unread: new Map(),
	/** The user being played, and the open chat. */
	me: undefined,
	chatId: undefined,
	/** Messages of the open chat by mid, oldest first. */
	messages: new Map(),
	/** The next message: its `files`, and the message that it answers or replaces. */
	draft: { files: [] },
	/** What a bot is doing in the open chat, in words. */
	typing: undefined,
	offline: false,
	/** Address prefixes, and what is opened instead. */
	openAs: {},
	/** In a narrow window only one column is shown: `chats`, `conversation` or `log`. */
	view: 'chats',
	logHidden: false,
	menu: undefined,
	dialog: undefined,
	toasts: [],
};

let draw;
let drawing = false;

/** Sets the function that draws the page. */
export const drawWith = (work) => (draw = work);

/** Changes what is shown. Changes that come at once are drawn together. */
export function change(values) {
	Object.assign(store, values);
	if (drawing) return;
	drawing = true;
	requestAnimationFrame(() => {
		drawing = false;
		draw();
	});
}

/** Shows a short text for a while. */
export function toast(text, kind = 'info') {
	const shown = { text, kind };
	change({ toasts: [...store.toasts, shown] });
	setTimeout(() => change({ toasts: store.toasts.filter((each) => each !== shown) }), TOAST_MS);
}

/** Runs a user's action; shows a refusal instead of throwing it. */
export async function attempt(work) {
	try {
		return await work();
	} catch (error) {
		toast(error.message, 'error');
		return undefined;
	}
}

export const personOf = (id) => store.users.get(String(id)) ?? store.bots.get(String(id));
export const openChat = () => store.chats.get(store.chatId);
export const isMine = (message) => same(message.author_id ?? message.sender?.user_id, store.me);

/** The class of a column: in a narrow window only the current one is shown. */
export const columnClass = (view) => `column ${view} ${store.view === view ? 'current' : ''}`;

/** The title of a chat as the current user sees it. */
export const titleOf = (chat) =>
	chat.type === 'dialog' ? nameOf(personOf(chat.bot_id)) : chat.title || 'Chat';

/** The chats of the current user, latest events first. */
export function myChats() {
	const isMember = ({ user_id }) => same(user_id, store.me);
	return [...store.chats.values()]
		.filter((chat) => (chat.type === 'dialog' ? isMember(chat) : chat.members.some(isMember)))
		.sort((one, other) => other.last_event_time - one.last_event_time);
}

const keyed = (people) => new Map(people.map((person) => [String(person.user_id), person]));

/** Loads everything but messages. */
export async function loadState() {
	const { bots, users, chats, open_as: openAs } = await get('/state');
	change({
		openAs,
		bots: keyed(bots),
		users: keyed(users),
		chats: new Map(chats.map((chat) => [String(chat.chat_id), chat])),
	});
	if (!store.users.has(store.me)) store.me = store.users.keys().next().value;
	const unseen = ({ chat_id }) => !store.last.has(String(chat_id));
	const readLast = async ({ chat_id }) => {
		const { messages } = await get(`/chats/${chat_id}/messages?limit=1`);
		if (messages[0]) store.last.set(String(chat_id), messages[0]);
	};
	await Promise.all(myChats().slice(0, PREVIEWS).filter(unseen).map(readLast));
	change();
}

let planned = false;

/** Schedules a reload of everything but messages, once for many events. */
export function refresh() {
	if (planned) return;
	planned = true;
	setTimeout(() => {
		planned = false;
		void attempt(loadState);
	}, GATHER_MS);
}

/** The current user starts a bot. */
export const startBot = (bot_id, payload) => post('/start', { bot_id, user_id: store.me, payload });

/** Switches to another user. */
export async function playUser(userId) {
	store.me = String(userId);
	await selectChat(undefined);
	await loadState();
}

/** Opens a chat, or none. */
export async function selectChat(id) {
	const chatId = id === undefined ? undefined : String(id);
	change({ chatId, messages: new Map(), draft: { files: [] }, typing: undefined });
	if (chatId !== undefined) await loadMessages();
}

/** Loads the messages of the open chat. */
export async function loadMessages() {
	const { chatId } = store;
	const known = new Set(store.messages.keys());
	const { messages } = await get(`/chats/${chatId}/messages?limit=${MESSAGES}`);
	if (chatId !== store.chatId) return;
	// The answer may be older than messages that arrived while it was in flight.
	const arrived = [...store.messages].filter(([mid]) => !known.has(mid));
	const read = messages.reverse().map((message) => [message.body.mid, message]);
	store.unread.delete(chatId);
	change({ messages: new Map([...read, ...arrived]) });
}

/** Stores a new or edited message. */
export function takeMessage(message, isNew) {
	const { chat_id, post_id } = message.recipient;
	const chatId = String(chat_id);
	const { mid } = message.body;
	if (post_id !== undefined) return;
	if (isNew || store.last.get(chatId)?.body.mid === mid) store.last.set(chatId, message);
	const chat = store.chats.get(chatId);
	if (chat && isNew) chat.last_event_time = message.timestamp;
	if (chatId === store.chatId) {
		if (isNew || store.messages.has(mid)) store.messages.set(mid, message);
		if (store.messages.size > MESSAGES) store.messages.delete(store.messages.keys().next().value);
		if (isNew && !isMine(message)) store.typing = undefined;
	} else if (isNew && !isMine(message)) {
		store.unread.set(chatId, (store.unread.get(chatId) ?? 0) + 1);
	}
	change();
}

/** Forgets a message that was removed. */
export function dropMessage({ chat_id, message_id }) {
	const chatId = String(chat_id);
	if (store.last.get(chatId)?.body.mid === message_id) store.last.delete(chatId);
	if (chatId === store.chatId) store.messages.delete(message_id);
	change();
}
