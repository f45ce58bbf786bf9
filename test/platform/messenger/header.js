import { api } from './api.js';
import { showMessage } from './bubbles.js';
import { attempt, avatar, byId, h, icon } from './dom.js';
import { openMenu } from './menu.js';
import {
	loadMessages,
	nameOf,
	on,
	openChat,
	personOf,
	same,
	store,
	summary,
	titleOf,
} from './store.js';
import { showView } from './views.js';

/** How long an action of a bot is shown unless it is repeated. */
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

/** Shows what a bot does in the open chat. */
export function showAction({ chat_id, user_id, action }) {
	if (!same(chat_id, store.chatId)) return;
	const typing = byId('typing');
	typing.textContent = `${nameOf(personOf(user_id))} ${ACTIONS[action] ?? action}`;
	typing.hidden = false;
	clearTimeout(fading);
	fading = setTimeout(hideAction, ACTION_MS);
}

function hideAction() {
	byId('typing').hidden = true;
}

function subtitle(chat) {
	if (chat.type !== 'dialog')
		return `${chat.type === 'chat' ? 'group' : chat.type}, ${chat.members.length} members`;
	if (chat.suspended) return 'bot, stopped';
	return chat.muted_until ? 'bot, muted' : 'bot';
}

function menuItems(chat) {
	const id = chat.chat_id;
	const dialog = (label, iconName, action, danger) => ({
		label,
		icon: iconName,
		danger,
		run: () => attempt(() => api.dialog(id, action)),
	});
	if (chat.type !== 'dialog') {
		const run = () => attempt(() => api.leave(id, store.me));
		return [{ label: 'Leave', icon: 'close', danger: true, run }];
	}
	const start = {
		label: 'Start',
		icon: 'check',
		run: () => attempt(() => api.start(chat.bot_id, store.me)),
	};
	return [
		chat.suspended ? start : dialog('Stop the bot', 'close', 'stop'),
		chat.muted_until ? dialog('Unmute', 'check', 'unmute') : dialog('Mute', 'close', 'mute'),
		dialog('Clear', 'remove', 'clear'),
		dialog('Remove the dialog', 'remove', 'remove', true),
	];
}

function renderHeader() {
	const chat = openChat();
	const header = byId('chat-header');
	if (!chat) {
		header.replaceChildren(h('h1', {}, 'Messenger'));
		return;
	}
	const back = { click: () => showView('chats') };
	const open = { click: ({ currentTarget }) => openMenu(currentTarget, menuItems(chat)) };
	header.replaceChildren(
		h(
			'button',
			{ type: 'button', class: 'icon back', 'aria-label': 'Back', on: back },
			icon('back'),
		),
		avatar(chat.bot_id ?? chat.chat_id, titleOf(chat)),
		h(
			'div',
			{ class: 'about' },
			h('h1', {}, titleOf(chat)),
			h('small', { title: `chat_id ${chat.chat_id}` }, subtitle(chat)),
		),
		h(
			'button',
			{
				type: 'button',
				class: 'icon',
				'aria-label': 'Chat menu',
				'data-testid': 'chat-menu',
				on: open,
			},
			icon('menu'),
		),
	);
}

async function renderPinned() {
	const mid = openChat()?.pinned_message_id;
	const bar = byId('pinned');
	bar.hidden = mid === undefined;
	if (mid === undefined) return;
	const message = store.messages.get(mid) ?? (await api.message(mid).catch(() => undefined));
	if (!message || openChat()?.pinned_message_id !== mid) return;
	bar.replaceChildren(icon('pin'), h('strong', {}, 'Pinned'), h('span', {}, summary(message)));
	bar.onclick = () => showMessage(mid);
}

/** What stands in an empty conversation: a button to start the bot. */
function renderEmpty() {
	const scroll = byId('scroll');
	scroll.querySelector('.empty')?.remove();
	const chat = openChat();
	if (chat && store.messages.size > 0) return;
	const start = () =>
		attempt(async () => {
			await api.start(chat.bot_id, store.me);
			await loadMessages();
		});
	const button = h(
		'button',
		{ type: 'button', class: 'primary', 'data-testid': 'start', on: { click: start } },
		'Start',
	);
	const text = chat ? 'No messages yet.' : 'Choose a chat, or press New to start a bot.';
	scroll.append(h('div', { class: 'empty' }, h('p', {}, text), chat?.type === 'dialog' && button));
}

/** Connects the head of the conversation with what happens. */
export function startHeader() {
	const render = () => {
		renderHeader();
		void renderPinned();
	};
	on('selected', () => {
		hideAction();
		render();
		renderEmpty();
	});
	on('header', render);
	on('messages', () => {
		renderEmpty();
		void renderPinned();
	});
	on('message', ({ sender }) => {
		if (!same(sender?.user_id, store.me)) hideAction();
		renderEmpty();
	});
	on('removed', renderEmpty);
}
