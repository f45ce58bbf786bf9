import { api } from './api.js';
import { attempt, avatar, byId, clockTime, h, icon } from './dom.js';
import { askForm, field } from './menu.js';
import {
	loadState,
	myChats,
	nameOf,
	on,
	playUser,
	same,
	selectChat,
	store,
	summary,
	titleOf,
} from './store.js';
import { showView } from './views.js';

function chatRow(chat) {
	const id = String(chat.chat_id);
	const last = store.last.get(id);
	const unread = store.unread.get(id);
	const open = () => {
		showView('conversation');
		void attempt(() => selectChat(id));
	};
	return h(
		'button',
		{
			type: 'button',
			class: 'chat',
			'data-testid': 'chat',
			'aria-current': same(id, store.chatId) ? 'true' : undefined,
			dataset: { chatId: id },
			on: { click: open },
		},
		avatar(chat.bot_id ?? id, titleOf(chat)),
		h(
			'span',
			{ class: 'about' },
			h('strong', {}, titleOf(chat)),
			h('small', {}, last ? summary(last) : chat.type),
		),
		h(
			'span',
			{ class: 'side' },
			last && h('small', {}, clockTime(last.timestamp)),
			unread && h('span', { class: 'unread', 'aria-label': `${unread} unread` }, String(unread)),
		),
	);
}

function renderChats() {
	const rows = myChats().map(chatRow);
	const list = byId('chat-list');
	const focused = document.activeElement?.dataset?.chatId;
	const empty = h('p', { class: 'empty' }, 'No chats yet. Press New to start a bot.');
	list.replaceChildren(...(rows.length > 0 ? rows : [empty]));
	if (focused) list.querySelector(`[data-chat-id="${CSS.escape(focused)}"]`)?.focus();
}

function renderUsers() {
	const options = [...store.users.entries()].map(([id, user]) =>
		h('option', { value: id, selected: same(id, store.me) }, nameOf(user)),
	);
	byId('user-select').replaceChildren(...options);
}

async function createUser() {
	const form = await askForm('New user', [
		field('First name', h('input', { name: 'first_name', required: true, maxlength: 60 })),
		field('Last name', h('input', { name: 'last_name', maxlength: 60 })),
	]);
	if (!form) return;
	const last_name = form.get('last_name') || undefined;
	const user = await api.createUser({ first_name: form.get('first_name'), last_name });
	await loadState();
	await playUser(user.user_id);
}

const KINDS = {
	start: 'Start a bot',
	dialog: 'Open a dialog without starting the bot',
	chat: 'Group',
	channel: 'Channel',
	bot: 'New bot',
};

/** The form for a new chat: what it asks for depends on the kind that is chosen. */
function newChatFields() {
	const kind = h(
		'select',
		{ name: 'kind', 'data-testid': 'new-kind' },
		Object.entries(KINDS).map(([value, label]) => h('option', { value }, label)),
	);
	const bots = [...store.bots.entries()].map(([value, bot]) => h('option', { value }, nameOf(bot)));
	const others = [...store.users.values(), ...store.bots.values()]
		.filter(({ user_id }) => !same(user_id, store.me))
		.map((person) =>
			h(
				'label',
				{ class: 'check' },
				h('input', { type: 'checkbox', name: 'members', value: person.user_id }),
				nameOf(person),
				person.is_bot && h('small', {}, 'bot, becomes administrator'),
			),
		);
	const parts = {
		bot: field('Bot', h('select', { name: 'bot_id' }, bots)),
		payload: field('Payload of the deep link', h('input', { name: 'payload', maxlength: 512 })),
		title: field('Name', h('input', { name: 'title', maxlength: 200 })),
		members: h('fieldset', {}, h('legend', {}, 'Members'), others),
	};
	const shown = {
		start: ['bot', 'payload'],
		dialog: ['bot'],
		chat: ['title', 'members'],
		channel: ['title', 'members'],
		bot: ['title'],
	};
	const update = () => {
		for (const [name, part] of Object.entries(parts))
			part.hidden = !shown[kind.value].includes(name);
	};
	if (bots.length === 0) kind.value = 'bot';
	kind.addEventListener('change', update);
	update();
	return [field('What', kind), ...Object.values(parts)];
}

async function createGroup(type, form) {
	const members = form.getAll('members');
	const isBot = (id) => store.bots.has(String(id));
	return await api.createChat({
		type,
		title: form.get('title') || KINDS[type],
		owner_id: store.me,
		admins: members.filter(isBot).map((user_id) => ({ user_id })),
		members: members.filter((id) => !isBot(id)),
	});
}

const CREATE = {
	start: (form) => api.start(form.get('bot_id'), store.me, form.get('payload') || undefined),
	dialog: (form) =>
		api.createChat({ type: 'dialog', bot_id: form.get('bot_id'), user_id: store.me }),
	chat: (form) => createGroup('chat', form),
	channel: (form) => createGroup('channel', form),
	bot: async (form) => {
		const bot = await api.createBot({ first_name: form.get('title') || 'Bot' });
		await loadState();
		await showToken(bot);
		return await api.createChat({ type: 'dialog', bot_id: bot.user_id, user_id: store.me });
	},
};

function showToken(bot) {
	const token = h('input', { value: bot.token, readonly: true, 'data-testid': 'token' });
	token.addEventListener('focus', () => token.select());
	return askForm(`Access token of ${nameOf(bot)}`, [field('Access token', token)], 'Done');
}

async function createChat() {
	await loadState();
	const form = await askForm('New', newChatFields(), 'Open');
	if (!form) return;
	const chat = await CREATE[form.get('kind')](form);
	await loadState();
	showView('conversation');
	await selectChat(chat.chat_id);
}

/** Builds the column of users and chats. */
export function startPeople() {
	const newUser = byId('new-user');
	newUser.append(icon('user'));
	newUser.setAttribute('aria-label', 'New user');
	newUser.addEventListener('click', () => void attempt(createUser));
	byId('new-chat').addEventListener('click', () => void attempt(createChat));
	byId('user-select').addEventListener('change', ({ target }) => {
		void attempt(() => playUser(target.value));
	});
	on('people', renderUsers);
	let planned = false;
	on('chats', () => {
		// Many events can arrive at once; one drawing is enough for all of them.
		if (planned) return;
		planned = true;
		requestAnimationFrame(() => {
			planned = false;
			renderChats();
		});
	});
}
