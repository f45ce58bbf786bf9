import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from './api.js';
import { change, loadState, playUser, selectChat, store } from './store.js';
import { nameOf, same } from './text.js';
import { html } from './ui.js';

/** Asks by a form in a dialog. Resolves to the form's data when it is confirmed, else to undefined. */
const ask = (title, fields, confirm = 'Create') =>
	new Promise((resolve) => change({ dialog: { title, fields, confirm, resolve } }));

/** The open dialog. */
export function Dialog({ dialog }) {
	const ref = useRef();
	useLayoutEffect(() => ref.current.showModal(), []);
	const close = () => {
		const { returnValue, firstElementChild } = ref.current;
		dialog.resolve(returnValue === 'confirm' ? new FormData(firstElementChild) : undefined);
		if (store.dialog === dialog) change({ dialog: undefined });
	};
	return html`
		<dialog ref=${ref} aria-label=${dialog.title} data-testid="dialog" onClose=${close}>
			<form method="dialog">
				<h2>${dialog.title}</h2>
				${dialog.fields}
				<div class="row" style="justify-content: end">
					<button type="button" class="quiet" onClick=${() => ref.current.close()}>Cancel</button>
					<button type="submit" class="primary" value="confirm">${dialog.confirm}</button>
				</div>
			</form>
		</dialog>
	`;
}

const Field = ({ label, children }) =>
	html`<label class="field"><small>${label}</small>${children}</label>`;

/** Creates a user and plays it. */
export async function createUser() {
	const form = await ask('New user', [
		html`<${Field} label="First name"><input name="first_name" required maxlength="60" /><//>`,
		html`<${Field} label="Last name"><input name="last_name" maxlength="60" /><//>`,
	]);
	if (!form) return;
	const last_name = form.get('last_name') || undefined;
	const user = await api.createUser({ first_name: form.get('first_name'), last_name });
	await playUser(user.user_id);
}

/** What can be opened, and what is asked for it. */
const KINDS = {
	start: { label: 'Start a bot', asks: ['bot', 'payload'] },
	dialog: { label: 'Open a dialog without starting the bot', asks: ['bot'] },
	chat: { label: 'Group', asks: ['title', 'members'] },
	channel: { label: 'Channel', asks: ['title', 'members'] },
	bot: { label: 'New bot', asks: ['title'] },
};

const options = (entries) =>
	entries.map(([value, label]) => html`<option value=${value}>${label}</option>`);

const member = (person) => html`
	<label class="row">
		<input type="checkbox" name="members" value=${person.user_id} />
		${nameOf(person)}${person.is_bot && html`<small>bot, becomes administrator</small>`}
	</label>
`;

/** The fields of a new chat: what they are depends on the kind that is chosen. */
function NewChat() {
	const bots = [...store.bots].map(([id, bot]) => [id, nameOf(bot)]);
	const [kind, setKind] = useState(bots.length > 0 ? 'start' : 'bot');
	const others = [...store.users.values(), ...store.bots.values()].filter(
		({ user_id }) => !same(user_id, store.me),
	);
	const parts = {
		bot: html`<${Field} key="bot" label="Bot"
			><select name="bot_id">
				${options(bots)}
			</select><//
		>`,
		payload: html`<${Field} key="payload" label="Payload of the deep link"
			><input name="payload" maxlength="512"
		/><//>`,
		title: html`<${Field} key="title" label="Name"><input name="title" maxlength="200" /><//>`,
		members: html`<fieldset key="members">
			<legend>Members</legend>
			${others.map(member)}
		</fieldset>`,
	};
	const kinds = Object.entries(KINDS).map(([value, { label }]) => [value, label]);
	return html`
		<${Field} label="What">
			<select
				name="kind"
				value=${kind}
				data-testid="new-kind"
				onChange=${({ target }) => setKind(target.value)}
			>
				${options(kinds)}
			</select>
		<//>
		${KINDS[kind].asks.map((name) => parts[name])}
	`;
}

async function createGroup(type, form) {
	const members = form.getAll('members');
	const isBot = (id) => store.bots.has(id);
	return await api.createChat({
		type,
		title: form.get('title') || KINDS[type].label,
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
		const token = html`<input
			value=${bot.token}
			readonly
			data-testid="token"
			onFocus=${({ target }) => target.select()}
		/>`;
		await ask(
			`Access token of ${nameOf(bot)}`,
			html`<${Field} label="Access token">${token}<//>`,
			'Done',
		);
		return await api.createChat({ type: 'dialog', bot_id: bot.user_id, user_id: store.me });
	},
};

/** Creates a chat and opens it. */
export async function createChat() {
	await loadState();
	const form = await ask('New', html`<${NewChat} />`, 'Open');
	if (!form) return;
	const chat = await CREATE[form.get('kind')](form);
	await loadState();
	change({ view: 'conversation' });
	await selectChat(chat.chat_id);
}
