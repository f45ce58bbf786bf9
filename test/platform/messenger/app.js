import { render } from 'preact';
import { get, listen } from './api.js';
import { settlePress } from './attachments.js';
import { Conversation } from './conversation.js';
import { Dialog } from './dialogs.js';
import { Log, logEvent, logHistory } from './log.js';
import { Menu } from './menu.js';
import { People } from './people.js';
import {
	attempt,
	change,
	drawWith,
	dropMessage,
	loadMessages,
	loadState,
	personOf,
	refresh,
	selectChat,
	store,
	takeMessage,
	toast,
} from './store.js';
import { nameOf, same } from './text.js';
import { html } from './ui.js';

/** Number of journal entries shown initially. */
const HISTORY = 200;
/** How long a bot's action is shown unless it is repeated. */
const ACTION_MS = 6_000;

const ACTIONS = {
	typing_on: 'is typing …',
	sending_photo: 'is sending a picture …',
	sending_video: 'is sending a video …',
	sending_audio: 'is sending audio …',
	sending_file: 'is sending a file …',
	mark_seen: 'has read your messages',
};

let fading;

/** Shows a bot's action in the open chat. */
function showAction({ chat_id, user_id, action }) {
	if (!same(chat_id, store.chatId)) return;
	change({ typing: `${nameOf(personOf(user_id))} ${ACTIONS[action] ?? action}` });
	clearTimeout(fading);
	fading = setTimeout(change, ACTION_MS, { typing: undefined });
}

/** How each kind of event changes the window. */
const HANDLERS = {
	message: ({ chat_id, message }) => {
		takeMessage(message, true);
		if (!store.chats.has(String(chat_id))) refresh();
	},
	message_edited: ({ message }) => takeMessage({ edited_at: message.timestamp, ...message }, false),
	message_removed: dropMessage,
	chat: ({ chat_id }) => {
		refresh();
		if (same(chat_id, store.chatId)) void attempt(loadMessages);
	},
	person: refresh,
	action: showAction,
	notification: ({ user_id, callback_id, text }) => {
		settlePress(callback_id);
		if (same(user_id, store.me)) toast(text, 'notification');
	},
	request: ({ method, path, status, query }) => {
		if (method === 'POST' && path === '/answers' && status === 200) settlePress(query.callback_id);
	},
};

function connected(isUp) {
	// Events were missed in the meantime.
	if (isUp && store.offline) {
		refresh();
		if (store.chatId) void attempt(loadMessages);
	}
	change({ offline: !isUp });
}

/** The address holds the selection, so that a window can be reopened, or opened for a given user and chat. */
function writeAddress() {
	const { me, chatId } = store;
	const selection = new URLSearchParams({
		...(me && { user: me }),
		...(chatId && { chat: chatId }),
	});
	if (location.hash !== `#${selection}`) history.replaceState(null, '', `#${selection}`);
}

const tab = (view, label) => html`
	<button
		type="button"
		class="grow muted"
		data-testid="tab-${view}"
		aria-current=${store.view === view ? 'page' : 'false'}
		onClick=${() => change({ view })}
	>
		${label}
	</button>
`;

const Page = ({ menu, dialog, toasts, logHidden }) => html`
	<div class="page ${logHidden ? 'log-hidden' : ''}">
		<${People} />
		<${Conversation} />
		<${Log} />
		<nav class="tabs row" aria-label="Views">
			${tab('chats', 'Chats')}${tab('conversation', 'Conversation')}${tab('log', 'Log')}
		</nav>
	</div>
	${menu && html`<${Menu} key=${menu} menu=${menu} />`}
	${dialog && html`<${Dialog} key=${dialog} dialog=${dialog} />`}
	<div class="toasts" data-testid="toasts" role="status" aria-live="polite">
		${toasts.map(({ text, kind }) => html`<div class="toast ${kind}" data-testid="toast">${text}</div>`)}
	</div>
`;

function draw() {
	writeAddress();
	render(html`<${Page} ...${store} />`, document.body);
}

async function start() {
	const wanted = new URLSearchParams(location.hash.slice(1));
	store.me = wanted.get('user') ?? undefined;
	drawWith(draw);
	const listener = (event) => {
		HANDLERS[event.type]?.(event);
		logEvent(event);
	};
	listen([...Object.keys(HANDLERS), 'update', 'delivery'], listener, connected);
	await loadState();
	const { entries } = await get(`/journal?limit=${HISTORY}`);
	logHistory(entries);
	const chatId = wanted.get('chat');
	if (store.chats.has(chatId)) {
		change({ view: 'conversation' });
		await selectChat(chatId);
	}
	addEventListener('focus', refresh);
	draw();
	document.body.dataset.ready = 'true';
}

void attempt(start);
