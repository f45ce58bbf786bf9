import { useState } from 'preact/hooks';
import { post } from './api.js';
import { Link } from './markup.js';
import { attempt, store, toast } from './store.js';
import { byteSize, nameOf, playingTime } from './text.js';
import { html, Icon } from './ui.js';

const Card = ({ icon, title, line }) => html`
	<div class="card row">
		<span class="badge"><${Icon} name=${icon} /></span>
		<div class="about"><strong>${title}</strong>${line && html`<small>${line}</small>`}</div>
	</div>
`;

function Picture({ url, label }) {
	const [broken, setBroken] = useState(false);
	return broken
		? html`<${Card} icon="picture" title=${label} line="The picture cannot be loaded" />`
		: html`<img src=${url} alt=${label} loading="lazy" onError=${() => setBroken(true)} />`;
}

/**
 * A video with its first frame, and a card that describes and opens it. The platform's thumbnail is a placeholder of
 * one pixel, so it is not shown.
 */
function Video({ payload: { url }, ...told }) {
	const [broken, setBroken] = useState(false);
	const [found, setFound] = useState({});
	const { duration, width, height } = { ...found, ...told };
	const about = [
		broken && 'No preview',
		Number.isFinite(duration) && playingTime(duration),
		width && height && `${width} × ${height}`,
	];
	const props = {
		controls: true,
		preload: 'metadata',
		onError: () => setBroken(true),
		onLoadedMetadata: ({ target: { duration, videoWidth: width, videoHeight: height } }) =>
			setFound({ duration, width, height }),
	};
	return html`
		${!broken && html`<video src=${url} aria-label="Video" ...${props} />`}
		<${Link} url=${url} class="file">
			<${Card} icon="video" title="Video" line=${about.filter(Boolean).join(' · ')} />
		<//>
	`;
}

/** A value of a vCard, unescaped. */
function vcardField(vcf, name) {
	const value = new RegExp(`^${name}[^:\\n]*:(.*)$`, 'mi').exec(vcf ?? '')?.[1] ?? '';
	return value.trim().replace(/\\([,;\\])/g, '$1');
}

function Contact({ payload }) {
	// The key of the user differs between services.
	const user = Object.values(payload).find((value) => value?.user_id !== undefined);
	const phone = vcardField(payload.vcf_info, 'TEL');
	const link = phone && html`<${Link} url="tel:+${phone}">+${phone}<//>`;
	const name = vcardField(payload.vcf_info, 'FN') || nameOf(user);
	return html`<${Card} icon="contact" title=${name} line=${link} />`;
}

const VIEWS = {
	image: ({ payload }) =>
		html`<${Link} url=${payload.url}><${Picture} url=${payload.url} label="Picture" /><//>`,
	video: Video,
	audio: ({ payload }) =>
		html`<audio src=${payload.url} controls preload="none" aria-label="Audio" />`,
	file: ({ payload, filename, size }) => html`
		<${Link} url=${payload.url} class="file">
			<${Card} icon="file" title=${filename} line=${byteSize(size)} />
		<//>
	`,
	sticker: ({ payload: { url, code } }) =>
		html`<img class="sticker" src=${url} alt="Sticker ${code}" />`,
	contact: Contact,
	share: ({ payload, title, description, image_url }) => html`
		<${Link} url=${payload.url ?? ''} class="share">
			${image_url && html`<${Picture} url=${image_url} label="" />`}
			<strong>${title || payload.url || 'Shared link'}</strong>
			${description && html`<small>${description}</small>`}
		<//>
	`,
	location: ({ latitude, longitude }) => html`
		<a class="file" href="geo:${latitude},${longitude}">
			<${Card} icon="location" title="Location" line="${latitude}, ${longitude}" />
		</a>
	`,
};

const Unknown = ({ type }) =>
	html`<${Card} icon="file" title=${type} line="Unknown kind of attachment" />`;

/** One attachment as received; keyboards are shown elsewhere. */
export const Attachment = ({ attachment }) => html`
	<div data-testid="attachment-${attachment.type}">
		<${VIEWS[attachment.type] ?? Unknown} ...${attachment} />
	</div>
`;

const KEY_ICONS = {
	link: 'link',
	clipboard: 'copy',
	request_contact: 'contact',
	request_geo_location: 'location',
	open_app: 'app',
	message: 'message',
};

const AFTERWARDS = {
	clipboard: async ({ copied }) => {
		await navigator.clipboard?.writeText(copied).catch(() => undefined);
		toast('Copied');
	},
	open_app: ({ web_app }) => toast(`Opens the mini-app ${web_app}`),
};

/** How long a pressed button waits for the bot's answer. */
const PATIENCE_MS = 10_000;

/** Callbacks for the bot's answers to presses, by callback ID; undefined once answered. */
const presses = new Map();

/** The bot has answered a press: its button stops waiting. */
export function settlePress(callbackId) {
	presses.get(callbackId)?.();
	presses.set(callbackId, undefined);
}

function Key({ button, press }) {
	const [waits, setWaits] = useState(false);
	const onClick = async () => {
		const effect = await attempt(press);
		const id = effect?.callback_id;
		if (id !== undefined && !presses.has(id)) {
			presses.set(id, () => setWaits(false));
			setWaits(true);
			setTimeout(settlePress, PATIENCE_MS, id);
		}
		if (effect) await AFTERWARDS[button.type]?.(effect);
	};
	const { text, type, url } = button;
	const state = waits ? 'waiting' : '';
	const props = { class: `key ${state}`, 'data-testid': 'key', title: type, onClick };
	const content = html`
		<span>${text}</span>${KEY_ICONS[type] && html`<${Icon} name=${KEY_ICONS[type]} />`}
	`;
	if (type === 'link') return html`<${Link} url=${url} ...${props}>${content}<//>`;
	return html`<button type="button" ...${props}>${content}</button>`;
}

/** The inline keyboard of a message. */
export function Keyboard({ mid, rows }) {
	const keyAt = (row) => (button, column) => {
		const press = () => post(`/messages/${mid}/press`, { user_id: store.me, row, column });
		return html`<${Key} key=${`${column} ${button.text}`} button=${button} press=${press} />`;
	};
	const keys = (buttons, row) => html`<div class="keys row">${buttons.map(keyAt(row))}</div>`;
	return html`<div class="keyboard" role="group" aria-label="Buttons">${rows.map(keys)}</div>`;
}
