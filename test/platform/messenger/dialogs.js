import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { post } from './api.js';
import { change, loadState, playUser, selectChat, startBot, store } from './store.js';
import { nameOf, same } from './text.js';
import { html } from './ui.js';

/** Shows a form in a dialog. Resolves to the form's data on confirmation, otherwise to undefined. */
const ask = (title, fields, confirm = 'Create') =>
	new Promise((resolve) => change({ dialog: { title, fields, confirm, resolve } }));

/** The open dialog. */
export function Dialog({ dialog: { title, fields, confirm, resolve } }) {
	const ref = useRef();
	useLayoutEffect(() => ref.current.showModal(), []);
	const close = ({ target }) => {
		change({ dialog: undefined });
		const form = target.returnValue === 'confirm' && new FormData(target.firstElementChild);
		resolve(form || undefined);
	};
	return html`
		<dialog ref=${ref} aria-label=${title} data-testid="dialog" onClose=${close}>
			<form method="dialog">
				<h2>${title}</h2>
				${fields}
				<div class="row" style="justify-content: end">
					<button type="button" class="quiet" onClick=${() => ref.current.close()}>Cancel</button>
					<button type="submit" class="primary" value="confirm">${confirm}</button>
				</div>
			</form>
		</dialog>
	`;
}

/** A labeled field: an input, or a choice among `options`, which are `[value, text]`. */
const Field = ({ label, options, ...props }) => html`
	<label class="field">
		<small>${label}</small>
		${
			options
				? html`<select ...${props}>
						${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
					</select>`
				: html`<input ...${props} />`
		}
	</label>
`;

/** Creates a user and switches to them. */
export async function createUser() {
	const form = await ask('New user', [
		html`<${Field} label="First name" name="first_name" required maxlength="60" />`,
		html`<${Field} label="Last name" name="last_name" maxlength="60" />`,
	]);
	if (!form) return;
	const last_name = form.get('last_name') || undefined;
	const user = await post('/users', { first_name: form.get('first_name'), last_name });
	await playUser(user.user_id);
}

const createDialog = (bot_id) =>
	post('/chats', { type: 'dialog', bot_id: String(bot_id), user_id: store.me });

const createGroup = (type, label) => async (form) => {
	const members = form.getAll('members');
	const isBot = (id) => store.bots.has(id);
	return await post('/chats', {
		type,
		title: form.get('title') || label,
		owner_id: store.me,
		admins: members.filter(isBot).map((user_id) => ({ user_id })),
		members: members.filter((id) => !isBot(id)),
	});
};

async function createBot(form) {
	const bot = await post('/bots', { first_name: form.get('title') || 'Bot' });
	const props = { value: bot.token, readonly: true, onFocus: ({ target }) => target.select() };
	const token = html`<${Field} label="Access token" data-testid="token" ...${props} />`;
	await ask(`Access token of ${nameOf(bot)}`, token, 'Done');
	return await createDialog(bot.user_id);
}

/** The kinds of chat to open: which fields each asks for, and how it is made. */
const KINDS = {
	start: {
		label: 'Start a bot',
		asks: ['bot', 'payload'],
		create: (form) => startBot(form.get('bot_id'), form.get('payload') || undefined),
	},
	dialog: {
		label: 'Open a dialog without starting the bot',
		asks: ['bot'],
		create: (form) => createDialog(form.get('bot_id')),
	},
	chat: { label: 'Group', asks: ['title', 'members'], create: createGroup('chat', 'Group') },
	channel: {
		label: 'Channel',
		asks: ['title', 'members'],
		create: createGroup('channel', 'Channel'),
	},
	bot: { label: 'New bot', asks: ['title'], create: createBot },
};

const member = (person) => html`
	<label class="row">
		<input type="checkbox" name="members" value=${person.user_id} />
		${nameOf(person)}${person.is_bot && html`<small>bot, becomes administrator</small>`}
	</label>
`;

/** The fields of a new chat, depending on the chosen kind. */
function NewChat() {
	const bots = [...store.bots].map(([id, bot]) => [id, nameOf(bot)]);
	const kinds = Object.entries(KINDS).map(([value, { label }]) => [value, label]);
	const [kind, setKind] = useState(bots.length > 0 ? 'start' : 'bot');
	const onChange = ({ target }) => setKind(target.value);
	const others = [...store.users.values(), ...store.bots.values()].filter(
		({ user_id }) => !same(user_id, store.me),
	);
	const parts = {
		bot: { label: 'Bot', name: 'bot_id', options: bots },
		payload: { label: 'Payload of the deep link', name: 'payload', maxlength: 512 },
		title: { label: 'Name', name: 'title', maxlength: 200 },
	};
	const members = html`<fieldset>
		<legend>Members</legend>
		${others.map(member)}
	</fieldset>`;
	const part = (name) => (parts[name] ? html`<${Field} key=${name} ...${parts[name]} />` : members);
	const props = { name: 'kind', value: kind, options: kinds, onChange };
	return html`
		<${Field} label="What" data-testid="new-kind" ...${props} />
		${KINDS[kind].asks.map(part)}
	`;
}

/** Creates a chat and opens it. */
export async function createChat() {
	await loadState();
	const form = await ask('New', html`<${NewChat} />`, 'Open');
	if (!form) return;
	const chat = await KINDS[form.get('kind')].create(form);
	await loadState();
	change({ view: 'conversation' });
	await selectChat(chat.chat_id);
}
