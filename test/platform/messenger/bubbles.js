import { api } from './api.js';
import { renderAttachment, renderKeyboard } from './attachments.js';
import { attempt, avatar, byId, clockTime, dayName, h, icon, stickToEnd } from './dom.js';
import { markedText } from './markup.js';
import { openMenu } from './menu.js';
import { nameOf, on, openChat, same, store, summary, titleOf } from './store.js';
import { composeReply, editMessage } from './composer.js';

/** How long a pressed button waits for the bot's answer. */
const PATIENCE_MS = 10_000;

/** Pressed callback buttons by callback id, until the bot answers. */
const waiting = new Map();

const isOwn = (message) => same(message.author_id ?? message.sender?.user_id, store.me);

function quote({ type, sender, message }) {
	const from = sender ? nameOf(sender) : 'a channel';
	const title = type === 'reply' ? from : `Forwarded from ${from}`;
	const { attachments = [], text, markup, mid } = message;
	const visible = attachments.filter((attachment) => attachment.type !== 'inline_keyboard');
	const show = { click: () => showMessage(mid) };
	return type === 'reply'
		? h(
				'button',
				{ type: 'button', class: 'quote', 'data-testid': 'quote', on: show },
				h('strong', {}, title),
				h('span', {}, summary({ body: message })),
			)
		: h(
				'div',
				{ class: 'forward', 'data-testid': 'forward' },
				h('strong', {}, title),
				visible.map(renderAttachment),
				text && h('div', { class: 'text' }, markedText(text, markup)),
			);
}

function pressed(mid) {
	return async (row, column, element) => {
		const effect = await attempt(() => api.press(mid, store.me, row, column));
		if (effect?.callback_id === undefined) return effect;
		element.classList.add('waiting');
		waiting.set(effect.callback_id, element);
		setTimeout(() => settlePress(effect.callback_id), PATIENCE_MS);
		return effect;
	};
}

/** The bot answered a press: its button no longer waits. */
export function settlePress(callbackId) {
	waiting.get(callbackId)?.classList.remove('waiting');
	waiting.delete(callbackId);
}

function actions(message) {
	const { mid, text } = message.body;
	const own = isOwn(message);
	const items = [
		{ label: 'Reply', icon: 'reply', run: () => composeReply(message) },
		text && { label: 'Copy text', icon: 'copy', run: () => navigator.clipboard?.writeText(text) },
		own && { label: 'Edit', icon: 'edit', run: () => editMessage(message) },
		own && {
			label: 'Delete',
			icon: 'remove',
			danger: true,
			run: () => attempt(() => api.remove(mid, store.me)),
		},
	].filter(Boolean);
	const open = ({ currentTarget }) => openMenu(currentTarget, items);
	return h(
		'button',
		{
			type: 'button',
			class: 'icon more',
			'aria-label': 'Message menu',
			'data-testid': 'message-menu',
			on: { click: open },
		},
		icon('menu'),
	);
}

function bubble(message, chat) {
	const { text, markup, attachments = [] } = message.body ?? {};
	const visible = attachments.filter(({ type }) => type !== 'inline_keyboard');
	const details = [
		message.comments_count && `${message.comments_count} comments`,
		message.stat && `${message.stat.views} views`,
		message.edited_at && 'edited',
		clockTime(message.timestamp),
	];
	const author = message.sender ? nameOf(message.sender) : titleOf(chat);
	return h(
		'div',
		{ class: 'bubble' },
		chat.type !== 'dialog' && !isOwn(message) && h('strong', { class: 'sender' }, author),
		message.link && quote(message.link),
		visible.length > 0 && h('div', { class: 'attachments' }, visible.map(renderAttachment)),
		text && h('div', { class: 'text', 'data-testid': 'text' }, markedText(text, markup)),
		h('small', { class: 'meta' }, details.filter(Boolean).join(' · ')),
	);
}

function row(message) {
	const chat = openChat();
	const keyboard = message.body?.attachments?.find(({ type }) => type === 'inline_keyboard');
	const own = isOwn(message);
	const { mid } = message.body;
	const sender = message.sender?.user_id ?? chat.chat_id;
	return h(
		'li',
		{
			class: `message ${own ? 'own' : 'other'}`,
			'data-testid': 'message',
			dataset: { mid, sender, day: dayName(message.timestamp) },
		},
		!own && chat.type !== 'dialog' && avatar(sender, nameOf(message.sender ?? {})),
		h(
			'div',
			{ class: 'stack' },
			bubble(message, chat),
			keyboard && renderKeyboard(keyboard, pressed(mid)),
		),
		actions(message),
	);
}

const rowOf = (mid) => byId('messages').querySelector(`[data-mid="${CSS.escape(mid)}"]`);

/** Brings a message into view and marks it for a moment. */
export function showMessage(mid) {
	const element = rowOf(mid);
	element?.scrollIntoView({ block: 'center', behavior: 'smooth' });
	element?.classList.add('found');
	setTimeout(() => element?.classList.remove('found'), 1_500);
}

/** Marks where a day begins, and where a sender goes on. */
function arrange() {
	let before;
	for (const element of byId('messages').children) {
		const isNewDay = element.dataset.day !== before?.dataset.day;
		element.classList.toggle('new-day', isNewDay);
		element.classList.toggle(
			'follows',
			!isNewDay && element.dataset.sender === before?.dataset.sender,
		);
		before = element;
	}
}

/** Connects the list of messages with what happens. */
export function startBubbles() {
	const list = byId('messages');
	const { toEnd } = stickToEnd(byId('scroll'), list);
	on('selected', () => list.replaceChildren());
	on('messages', () => {
		list.replaceChildren(...[...store.messages.values()].map(row));
		arrange();
		toEnd();
	});
	on('message', (message) => {
		const present = rowOf(message.body.mid);
		if (present) present.replaceWith(row(message));
		else list.append(row(message));
		arrange();
		if (!present && isOwn(message)) toEnd();
	});
	on('removed', (mid) => {
		rowOf(mid)?.remove();
		arrange();
	});
}
