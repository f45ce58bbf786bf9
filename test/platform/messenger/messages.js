import { useLayoutEffect } from 'preact/hooks';
import { call } from './api.js';
import { Attachment, Keyboard } from './attachments.js';
import { editMessage, replyTo } from './composer.js';
import { markedText } from './markup.js';
import { openMenu } from './menu.js';
import { attempt, isMine, startBot, store, titleOf } from './store.js';
import { clockTime, counted, dayName, nameOf, same, summary, visible } from './text.js';
import { Avatar, html, IconButton, memo, useEnd } from './ui.js';

/** Scrolls a message into view and highlights it for a moment. */
export function showMessage(mid) {
	const row = document.querySelector(`[data-mid="${CSS.escape(mid)}"]`);
	row?.scrollIntoView({ block: 'center', behavior: 'smooth' });
	row?.querySelector('.bubble').animate({ background: ['var(--marked)', 'var(--marked)'] }, 1_500);
}

const Text = ({ text, markup }) =>
	html`<div class="text" data-testid="text">${markedText(text, markup)}</div>`;

const Attachments = ({ of }) =>
	of.length > 0 &&
	html`<div class="attachments">
		${of.map((each) => html`<${Attachment} attachment=${each} />`)}
	</div>`;

/** The message that another one replies to or forwards. */
function Linked({ type, sender, message }) {
	const { attachments, text, markup, mid } = message;
	const from = sender ? nameOf(sender) : 'a channel';
	if (type === 'reply') {
		return html`
			<button type="button" class="quote" data-testid="quote" onClick=${() => showMessage(mid)}>
				<strong>${from}</strong>
				<span class="cut">${summary({ body: message })}</span>
			</button>
		`;
	}
	return html`
		<div class="quote" data-testid="forward">
			<strong>Forwarded from ${from}</strong>
			<${Attachments} of=${visible(attachments)} />
			${text && html`<${Text} text=${text} markup=${markup} />`}
		</div>
	`;
}

function Bubble({ message, author }) {
	const { body, link, comments_count, stat, edited_at, timestamp } = message;
	const { text, markup, attachments } = body;
	const details = [
		comments_count && counted(comments_count, 'comment'),
		stat && counted(stat.views, 'view'),
		edited_at && 'edited',
		clockTime(timestamp),
	];
	return html`
		<div class="bubble">
			${author && html`<strong class="sender">${author}</strong>`}
			${link && html`<${Linked} ...${link} />`}
			<${Attachments} of=${visible(attachments)} />
			${text && html`<${Text} text=${text} markup=${markup} />`}
			<small class="meta">${details.filter(Boolean).join(' · ')}</small>
		</div>
	`;
}

function openMessageMenu({ currentTarget }, message) {
	const { mid, text } = message.body;
	const remove = () => attempt(() => call('DELETE', `/messages/${mid}?user_id=${store.me}`));
	openMenu(currentTarget, [
		{ label: 'Reply', icon: 'reply', run: () => replyTo(message) },
		text && { label: 'Copy text', icon: 'copy', run: () => navigator.clipboard?.writeText(text) },
		isMine(message) && { label: 'Edit', icon: 'edit', run: () => editMessage(message) },
		isMine(message) && { label: 'Delete', icon: 'remove', danger: true, run: remove },
	]);
}

/** A message. `day` is set for the first of a day, `follows` if the sender is the same as before, `title` in groups. */
const Message = memo(({ message, day, follows, title }) => {
	const own = isMine(message);
	const { mid, attachments } = message.body;
	const keyboard = attachments?.find(({ type }) => type === 'inline_keyboard');
	const author = !own && title && (message.sender ? nameOf(message.sender) : title);
	return html`
		<li
			class="message row ${own ? 'own' : ''} ${follows ? 'follows' : ''}"
			data-testid="message"
			data-mid=${mid}
		>
			${day && html`<p class="day muted">${day}</p>`}
			${author && html`<${Avatar} id=${senderOf(message)} name=${author} />`}
			<div class="stack">
				<${Bubble} message=${message} author=${!follows && author} />
				${keyboard && html`<${Keyboard} mid=${mid} rows=${keyboard.payload.buttons} />`}
			</div>
			<${IconButton}
				icon="menu"
				label="Message menu"
				class="more"
				data-testid="message-menu"
				onClick=${(event) => openMessageMenu(event, message)}
			/>
		</li>
	`;
});

const senderOf = ({ sender, recipient }) => sender?.user_id ?? recipient.chat_id;
const dayOf = ({ timestamp }) => new Date(timestamp).toDateString();

function row(message, before, title) {
	const isNewDay = !before || dayOf(before) !== dayOf(message);
	return html`
		<${Message}
			key=${message.body.mid}
			message=${message}
			day=${isNewDay ? dayName(message.timestamp) : undefined}
			follows=${!isNewDay && same(senderOf(before), senderOf(message))}
			title=${title}
		/>
	`;
}

/** An empty conversation: a button to start the bot. */
function Empty({ chat }) {
	const start = () => attempt(() => startBot(chat.bot_id));
	const button = html`<button type="button" class="primary" data-testid="start" onClick=${start}>
		Start
	</button>`;
	return html`
		<div class="empty muted">
			<p>${chat ? 'No messages yet.' : 'Choose a chat, or press New to start a bot.'}</p>
			${chat?.type === 'dialog' && button}
		</div>
	`;
}

/** The messages of the open chat. */
export function Messages({ chat }) {
	const messages = [...store.messages.values()];
	const title = chat && chat.type !== 'dialog' ? titleOf(chat) : undefined;
	const { props, follow } = useEnd();
	const last = messages.at(-1);
	useLayoutEffect(() => {
		if (last && isMine(last)) follow(true);
	}, [last?.body.mid]);
	return html`
		<div class="scroll" tabindex="-1" role="log" aria-label="Messages" ...${props}>
			<ol class="messages" data-testid="messages">
				${messages.map((message, index) => row(message, messages[index - 1], title))}
			</ol>
			${messages.length === 0 && html`<${Empty} chat=${chat} />`}
		</div>
	`;
}
