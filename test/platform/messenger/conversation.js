import { useEffect, useState } from 'preact/hooks';
import { call, get, post } from './api.js';
import { Foot } from './composer.js';
import { openMenu } from './menu.js';
import { Messages, showMessage } from './messages.js';
import { attempt, change, columnClass, openChat, startBot, store, titleOf } from './store.js';
import { counted, summary } from './text.js';
import { Avatar, html, Icon, IconButton } from './ui.js';

function subtitle(chat) {
	if (chat.type !== 'dialog')
		return `${chat.type === 'chat' ? 'group' : chat.type}, ${counted(chat.members.length, 'member')}`;
	if (chat.suspended) return 'bot, stopped';
	return chat.muted_until ? 'bot, muted' : 'bot';
}

function openChatMenu({ currentTarget }, chat) {
	const item = (label, icon, act, danger) => ({ label, icon, danger, run: () => attempt(act) });
	const id = chat.chat_id;
	const dialog = (label, icon, action, danger) =>
		item(label, icon, () => post(`/chats/${id}/${action}`), danger);
	const items = [
		chat.suspended
			? item('Start', 'check', () => startBot(chat.bot_id))
			: dialog('Stop the bot', 'close', 'stop'),
		chat.muted_until ? dialog('Unmute', 'check', 'unmute') : dialog('Mute', 'close', 'mute'),
		dialog('Clear', 'remove', 'clear'),
		dialog('Remove the dialog', 'remove', 'remove', true),
	];
	const leave = item(
		'Leave',
		'close',
		() => call('DELETE', `/chats/${id}/members/${store.me}`),
		true,
	);
	openMenu(currentTarget, chat.type === 'dialog' ? items : [leave]);
}

const Head = ({ chat }) => html`
	<${IconButton} icon="back" label="Back" class="back" onClick=${() => change({ view: 'chats' })} />
	<${Avatar} id=${chat.bot_id ?? chat.chat_id} name=${titleOf(chat)} />
	<div class="about grow">
		<h1 class="cut">${titleOf(chat)}</h1>
		<small title="chat_id ${chat.chat_id}">${subtitle(chat)}</small>
	</div>
	<${IconButton}
		icon="menu"
		label="Chat menu"
		data-testid="chat-menu"
		onClick=${(event) => openChatMenu(event, chat)}
	/>
`;

/** The pinned message, which may not be among the messages that were loaded. */
function Pinned({ mid }) {
	const [read, setRead] = useState();
	const message = store.messages.get(mid) ?? read;
	useEffect(() => {
		if (!message) get(`/messages/${mid}`).then(setRead, () => undefined);
	}, []);
	if (!message) return undefined;
	return html`
		<button type="button" class="pinned row" data-testid="pinned" onClick=${() => showMessage(mid)}>
			<${Icon} name="pin" /><strong>Pinned</strong><span class="cut">${summary(message)}</span>
		</button>
	`;
}

/** The column of the open chat. */
export function Conversation() {
	const chat = openChat();
	const { chatId, typing, offline } = store;
	const pinned = chat?.pinned_message_id;
	return html`
		<main class=${columnClass('conversation')} id="view-conversation" data-testid="conversation">
			<header class="bar row">
				${chat ? html`<${Head} chat=${chat} />` : html`<h1 class="grow">Messenger</h1>`}
				${offline && html`<small class="bad">not connected</small>`}
			</header>
			${pinned && html`<${Pinned} key=${pinned} mid=${pinned} />`}
			<${Messages} key=${chatId} chat=${chat} />
			<p class="typing muted" data-testid="typing" role="status" hidden=${!typing}>${typing}</p>
			${chat && html`<${Foot} />`}
		</main>
	`;
}
