import { api } from './api.js';
import { settlePress, startBubbles } from './bubbles.js';
import { startComposer } from './composer.js';
import { attempt, toast } from './dom.js';
import { showAction, startHeader } from './header.js';
import { logEvent, startLog } from './log.js';
import { startPeople } from './people.js';
import {
	dropMessage,
	emit,
	loadChat,
	loadMessages,
	loadState,
	on,
	same,
	selectChat,
	store,
	takeMessage,
} from './store.js';
import { showView, startViews } from './views.js';

/** Entries of the journal that are shown at the beginning. */
const HISTORY = 200;

/** Runs `work` once for many calls in a short time, with all their arguments. */
function gathered(work, ms = 150) {
	let pending = new Set();
	return (argument) => {
		if (pending.size === 0) {
			setTimeout(() => {
				const all = pending;
				pending = new Set();
				void attempt(() => work(all));
			}, ms);
		}
		pending.add(argument);
	};
}

const refreshState = gathered(loadState);

const refreshChats = gathered(async (chatIds) => {
	for (const chatId of chatIds) {
		await loadChat(chatId);
		if (same(chatId, store.chatId)) await loadMessages();
	}
});

/** What each kind of event changes in the window. */
const HANDLERS = {
	message: ({ chat_id, message }) => {
		takeMessage(message, true);
		if (!store.chats.has(String(chat_id))) refreshState();
	},
	message_edited: ({ message }) => takeMessage({ edited_at: message.timestamp, ...message }, false),
	message_removed: dropMessage,
	pinned: ({ chat_id, message_id }) => {
		const chat = store.chats.get(String(chat_id));
		if (chat) chat.pinned_message_id = message_id;
		if (same(chat_id, store.chatId)) emit('header');
	},
	chat: ({ chat_id }) => refreshChats(String(chat_id)),
	person: () => refreshState(),
	action: showAction,
	notification: ({ user_id, callback_id, text }) => {
		settlePress(callback_id);
		if (same(user_id, store.me)) toast(text, 'notification');
	},
	request: ({ method, path, status, query }) => {
		if (method === 'POST' && path === '/answers' && status === 200) settlePress(query.callback_id);
	},
};

/** The selection stands in the address, so that a window can be reopened, or opened for a certain user and chat. */
function readAddress() {
	const wanted = new URLSearchParams(location.hash.slice(1));
	return { user: wanted.get('user') ?? undefined, chat: wanted.get('chat') ?? undefined };
}

function writeAddress() {
	const { me, chatId } = store;
	const selection = new URLSearchParams({
		...(me && { user: me }),
		...(chatId && { chat: chatId }),
	});
	history.replaceState(null, '', `#${selection}`);
}

let lost = false;

function connected(isUp) {
	document.body.classList.toggle('offline', !isUp);
	// Whatever happened in the meantime was missed.
	if (isUp && lost) {
		refreshState();
		if (store.chatId) refreshChats(store.chatId);
	}
	lost = !isUp;
}

async function start() {
	startViews();
	startLog();
	startBubbles();
	startHeader();
	startComposer();
	startPeople();
	on('selected', writeAddress);
	on('people', writeAddress);
	const wanted = readAddress();
	store.me = wanted.user;
	emit('selected');
	api.listen((event) => {
		HANDLERS[event.type]?.(event);
		logEvent(event);
	}, connected);
	await loadState();
	const { entries } = await api.journal(HISTORY);
	entries.forEach(logEvent);
	if (wanted.chat !== undefined && store.chats.has(wanted.chat)) {
		showView('conversation');
		await selectChat(wanted.chat);
	}
	addEventListener('focus', () => refreshState());
	document.body.dataset.ready = 'true';
}

void attempt(start);
