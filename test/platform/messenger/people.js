import { createChat, createUser } from './dialogs.js';
import {
	attempt,
	change,
	columnClass,
	myChats,
	playUser,
	selectChat,
	store,
	titleOf,
} from './store.js';
import { clockTime, nameOf, summary } from './text.js';
import { Avatar, html, IconButton } from './ui.js';

function ChatRow({ chat }) {
	const id = String(chat.chat_id);
	const last = store.last.get(id);
	const unread = store.unread.get(id);
	const title = titleOf(chat);
	const open = () => {
		change({ view: 'conversation' });
		void attempt(() => selectChat(id));
	};
	return html`
		<button
			type="button"
			class="chat row"
			data-testid="chat"
			aria-current=${id === store.chatId ? 'true' : undefined}
			onClick=${open}
		>
			<${Avatar} id=${chat.bot_id ?? id} name=${title} />
			<span class="about grow">
				<strong class="cut">${title}</strong>
				<small class="cut">${last ? summary(last) : chat.type}</small>
			</span>
			<span class="side">
				${last && html`<small>${clockTime(last.timestamp)}</small>`}
				${unread && html`<span class="unread" aria-label="${unread} unread">${unread}</span>`}
			</span>
		</button>
	`;
}

/** The column of users and chats. */
export function People() {
	const chats = myChats();
	const play = ({ target }) => void attempt(() => playUser(target.value));
	return html`
		<aside class=${columnClass('chats')} id="view-chats" aria-label="Chats">
			<header class="bar row">
				<label class="row grow">
					<small>You are</small>
					<select class="grow" data-testid="user-select" value=${store.me} onChange=${play}>
						${[...store.users].map(([id, user]) => html`<option key=${id} value=${id}>${nameOf(user)}</option>`)}
					</select>
				</label>
				<${IconButton}
					icon="user"
					label="New user"
					data-testid="new-user"
					onClick=${() => attempt(createUser)}
				/>
			</header>
			<div class="section row">
				<h2 class="grow">Chats</h2>
				<button
					type="button"
					class="quiet"
					data-testid="new-chat"
					onClick=${() => attempt(createChat)}
				>
					New
				</button>
			</div>
			<nav class="list" data-testid="chat-list" aria-label="Chats">
				${chats.map((chat) => html`<${ChatRow} key=${chat.chat_id} chat=${chat} />`)}
				${chats.length === 0 && html`<p class="empty muted">No chats yet. Press New to start a bot.</p>`}
			</nav>
		</aside>
	`;
}
