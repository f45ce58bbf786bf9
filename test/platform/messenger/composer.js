import { api } from './api.js';
import { attempt, byId, h, icon, toast } from './dom.js';
import { openMenu } from './menu.js';
import { emit, on, openChat, same, store, summary } from './store.js';

/** Largest file that is sent through the control API, in bytes. */
const LARGEST = 25 * 1024 ** 2;

/** What the next message will be: files with it, a message it answers, or a message that it replaces. */
let draft = { files: [] };

const input = h('textarea', {
	rows: 1,
	placeholder: 'Message',
	'aria-label': 'Message',
	'data-testid': 'composer-text',
});
const picker = h('input', {
	type: 'file',
	multiple: true,
	hidden: true,
	'data-testid': 'composer-file',
});
const context = h('div', { class: 'context', hidden: true, 'data-testid': 'composer-context' });

function setDraft(changes) {
	draft = { files: [], ...changes };
	showContext();
	input.focus();
}

/** The next message answers this one. */
export const composeReply = (message) => setDraft({ files: draft.files, replyTo: message });

/** The next message replaces this one. */
export function editMessage(message) {
	input.value = message.body.text ?? '';
	setDraft({ editing: message });
	grow();
}

function showContext() {
	const { files, replyTo, editing } = draft;
	const about = editing ?? replyTo;
	const label = editing ? 'Editing' : 'Reply to';
	context.hidden = !about && files.length === 0;
	context.replaceChildren(
		h(
			'div',
			{},
			about && h('span', {}, h('strong', {}, label), ` ${summary(about)}`),
			files.map((file) => h('span', { class: 'chip' }, icon('file'), file.name)),
		),
		h(
			'button',
			{
				type: 'button',
				class: 'icon',
				'aria-label': 'Discard',
				on: {
					click: () => {
						if (editing) input.value = '';
						setDraft({});
					},
				},
			},
			icon('close'),
		),
	);
}

function grow() {
	input.style.height = 'auto';
	input.style.height = `${Math.min(input.scrollHeight, 160)}px`;
}

function addFiles(files) {
	const fitting = [...files].filter((file) => file.size > 0 && file.size <= LARGEST);
	if (fitting.length < files.length) toast('A file has 1 byte to 25 MB here', 'error');
	setDraft({ ...draft, files: [...draft.files, ...fitting] });
}

/** The kind of attachment that a file becomes. Drawings and the like are no pictures to the service. */
function kindOf({ type }) {
	if (/^image\/(png|jpe?g|gif|bmp|heic|tiff)$/.test(type)) return 'image';
	const [kind] = type.split('/');
	return kind === 'video' || kind === 'audio' ? kind : 'file';
}

function toAttachment(file) {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onerror = () => reject(reader.error);
		reader.onload = () =>
			resolve({
				type: kindOf(file),
				file_name: file.name,
				mime_type: file.type || undefined,
				content_base64: reader.result.slice(reader.result.indexOf(',') + 1),
			});
		reader.readAsDataURL(file);
	});
}

/** Sends attachments alone, with what the draft answers. */
const sendAttachment = (attachment) =>
	attempt(() => api.write(store.chatId, { user_id: store.me, attachments: [attachment] }));

async function submit() {
	const text = input.value.trim();
	const { files, replyTo, editing } = draft;
	if (text === '' && files.length === 0) return;
	const { chatId } = store;
	const sent = await attempt(async () => {
		if (editing) return await api.edit(editing.body.mid, store.me, text);
		const attachments = await Promise.all(files.map(toAttachment));
		return await api.write(chatId, {
			user_id: store.me,
			...(text && { text }),
			...(attachments.length > 0 && { attachments }),
			...(replyTo && { link: { type: 'reply', mid: replyTo.body.mid } }),
		});
	});
	if (sent === undefined) return;
	input.value = '';
	setDraft({});
	grow();
}

function openAttachMenu({ currentTarget }) {
	const pick = (accept) => () => {
		picker.accept = accept;
		picker.click();
	};
	openMenu(currentTarget, [
		{ label: 'Picture or video', icon: 'picture', run: pick('image/*,video/*') },
		{ label: 'File', icon: 'file', run: pick('') },
		{
			label: 'Location',
			icon: 'location',
			run: () => sendAttachment({ type: 'location', latitude: 55.75, longitude: 37.61 }),
		},
		{ label: 'My contact', icon: 'contact', run: () => sendAttachment({ type: 'contact' }) },
	]);
}

/** Why the user that is played cannot write here; undefined when he can. */
function obstacle(chat) {
	if (chat.closed) return 'This chat is closed.';
	if (chat.type === 'dialog') return chat.suspended ? 'You stopped this bot.' : undefined;
	const me = chat.members.find(({ user_id }) => same(user_id, store.me));
	if (!me) return 'You are not a member.';
	const writes = chat.type === 'chat' || me.is_owner || me.permissions?.includes('write');
	return writes ? undefined : 'Only administrators write into this channel.';
}

function update() {
	const chat = openChat();
	const why = chat ? obstacle(chat) : undefined;
	const readonly = byId('readonly');
	byId('composer').hidden = !chat || why !== undefined;
	readonly.hidden = why === undefined;
	const restart = h(
		'button',
		{
			type: 'button',
			class: 'primary',
			on: { click: () => attempt(() => api.start(chat.bot_id, store.me)) },
		},
		'Start again',
	);
	readonly.replaceChildren(why ?? '', ...(chat?.suspended ? [' ', restart] : []));
}

/** Builds the composer. */
export function startComposer() {
	const form = byId('composer');
	const attach = h(
		'button',
		{
			type: 'button',
			class: 'icon',
			'aria-label': 'Attach',
			'data-testid': 'attach',
			on: { click: openAttachMenu },
		},
		icon('attach'),
	);
	const send = h(
		'button',
		{ type: 'submit', class: 'icon send', 'aria-label': 'Send', 'data-testid': 'send' },
		icon('send'),
	);
	form.append(context, h('div', { class: 'line' }, attach, input, send), picker);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void submit();
	});
	input.addEventListener('input', grow);
	input.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') setDraft({});
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		void submit();
	});
	input.addEventListener('paste', ({ clipboardData }) => {
		if (clipboardData.files.length > 0) addFiles(clipboardData.files);
	});
	picker.addEventListener('change', () => {
		addFiles(picker.files);
		picker.value = '';
	});
	on('selected', () => {
		input.value = '';
		draft = { files: [] };
		showContext();
		update();
	});
	on('header', update);
	emit('header');
}
