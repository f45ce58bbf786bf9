import { useLayoutEffect, useRef } from 'preact/hooks';
import { call, post } from './api.js';
import { openMenu } from './menu.js';
import { attempt, change, openChat, startBot, store, toast } from './store.js';
import { same, summary } from './text.js';
import { html, Icon, IconButton } from './ui.js';

/** Largest file that can be sent through the control API, in bytes. */
const LARGEST = 25 * 1024 ** 2;

const setDraft = (draft) => change({ draft: { files: [], ...draft } });

/** Makes the next message a reply to this one. */
export const replyTo = (message) => setDraft({ files: store.draft.files, answered: message });

/** Makes the next message replace this one. */
export const editMessage = (message) => setDraft({ edited: message });

function addFiles(files) {
	const fitting = [...files].filter((file) => file.size > 0 && file.size <= LARGEST);
	if (fitting.length < files.length) toast('A file has 1 byte to 25 MB here', 'error');
	setDraft({ ...store.draft, files: [...store.draft.files, ...fitting] });
}

/** The kind of attachment that a file becomes. The service does not take drawings and the like as images. */
function kindOf({ type }) {
	if (/^image\/(png|jpe?g|gif|bmp|heic|tiff)$/.test(type)) return 'image';
	const [kind] = type.split('/');
	return kind === 'video' || kind === 'audio' ? kind : 'file';
}

async function toAttachment(file) {
	const reader = new FileReader();
	await new Promise((resolve, reject) => {
		reader.onload = resolve;
		reader.onerror = () => reject(reader.error);
		reader.readAsDataURL(file);
	});
	const [, content_base64] = reader.result.split(',');
	const about = { file_name: file.name, mime_type: file.type || undefined };
	return { type: kindOf(file), ...about, content_base64 };
}

const write = (chatId, message) =>
	post(`/chats/${chatId}/messages`, { user_id: store.me, ...message });

/** Sends a message with one attachment and nothing else. */
const sendAttachment = (attachment) =>
	attempt(() => write(store.chatId, { attachments: [attachment] }));

async function send(text, { files, answered, edited }) {
	// The user may open another chat while the files are read.
	const { chatId, me } = store;
	if (edited) return await call('PATCH', `/messages/${edited.body.mid}`, { user_id: me, text });
	const attachments = await Promise.all(files.map(toAttachment));
	return await write(chatId, {
		...(text && { text }),
		...(attachments.length > 0 && { attachments }),
		...(answered && { link: { type: 'reply', mid: answered.body.mid } }),
	});
}

/** Shown above the field: the message that is answered or edited, and the files to send. */
function Context({ draft: { files, answered, edited }, discard }) {
	const about = edited ?? answered;
	if (!about && files.length === 0) return undefined;
	return html`
		<div class="context row" data-testid="composer-context">
			<div class="grow row chips">
				${about && html`<span><strong>${edited ? 'Editing' : 'Reply to'}</strong> ${summary(about)}</span>`}
				${files.map((file) => html`<span class="chip row"><${Icon} name="file" />${file.name}</span>`)}
			</div>
			<${IconButton} icon="close" label="Discard" onClick=${discard} />
		</div>
	`;
}

function openAttachMenu(anchor, picker) {
	const pick = (accept) => () => {
		picker.accept = accept;
		picker.click();
	};
	const place = { type: 'location', latitude: 55.75, longitude: 37.61 };
	openMenu(anchor, [
		{ label: 'Picture or video', icon: 'picture', run: pick('image/*,video/*') },
		{ label: 'File', icon: 'file', run: pick('') },
		{ label: 'Location', icon: 'location', run: () => sendAttachment(place) },
		{ label: 'My contact', icon: 'contact', run: () => sendAttachment({ type: 'contact' }) },
	]);
}

/** The input field, which holds its text itself: the draft only holds what the text refers to. */
function Composer() {
	const input = useRef();
	const picker = useRef();
	const { draft } = store;
	const before = useRef(draft);
	const sending = useRef(false);
	useLayoutEffect(() => {
		if (before.current === draft) return;
		if (draft.edited) input.current.value = draft.edited.body.text ?? '';
		else if (before.current.edited) input.current.value = '';
		before.current = draft;
		input.current.focus();
	}, [draft]);
	const submit = async (event) => {
		event.preventDefault();
		const text = input.current.value.trim();
		if (sending.current || (text === '' && draft.files.length === 0)) return;
		sending.current = true;
		const sent = await attempt(() => send(text, draft));
		sending.current = false;
		// By the time of the answer, the user may be editing the message.
		const isBusy = store.draft !== draft && store.draft.edited;
		if (sent === undefined || !input.current || isBusy) return;
		input.current.value = '';
		setDraft({});
	};
	const onKeyDown = (event) => {
		if (event.key === 'Escape') setDraft({});
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		event.currentTarget.form.requestSubmit();
	};
	const onPaste = ({ clipboardData: { files } }) => files.length > 0 && addFiles(files);
	const onPick = ({ target }) => {
		addFiles(target.files);
		target.value = '';
	};
	const attach = ({ currentTarget }) => openAttachMenu(currentTarget, picker.current);
	return html`
		<form class="composer" data-testid="composer" onSubmit=${submit}>
			<${Context} draft=${draft} discard=${() => setDraft({})} />
			<div class="line row">
				<${IconButton} icon="attach" label="Attach" data-testid="attach" onClick=${attach} />
				<textarea
					ref=${input}
					rows="1"
					placeholder="Message"
					aria-label="Message"
					data-testid="composer-text"
					onKeyDown=${onKeyDown}
					onPaste=${onPaste}
				/>
				<${IconButton} icon="send" label="Send" type="submit" class="send" data-testid="send" />
			</div>
			<input
				ref=${picker}
				type="file"
				multiple
				hidden
				data-testid="composer-file"
				onChange=${onPick}
			/>
		</form>
	`;
}

/** Why the current user cannot write here; undefined if they can. */
function obstacle(chat) {
	if (chat.closed) return 'This chat is closed.';
	if (chat.type === 'dialog') return chat.suspended ? 'You stopped this bot.' : undefined;
	const me = chat.members.find(({ user_id }) => same(user_id, store.me));
	if (!me) return 'You are not a member.';
	const writes = chat.type === 'chat' || me.is_owner || me.permissions?.includes('write');
	return writes ? undefined : 'Only administrators write into this channel.';
}

/** Below the conversation: the input field, or why there is none. */
export function Foot() {
	const chat = openChat();
	const why = obstacle(chat);
	if (why === undefined) return html`<${Composer} key=${store.chatId} />`;
	const restart = () => attempt(() => startBot(chat.bot_id));
	const button = html`<button type="button" class="primary" onClick=${restart}>
		Start again
	</button>`;
	return html`<p class="readonly muted">${why} ${chat.suspended && button}</p>`;
}
