import { byteSize, h, icon, toast } from './dom.js';
import { safeLink } from './markup.js';
import { nameOf } from './store.js';

/** A card: an icon, a title, and a line below it. */
function card(iconName, title, ...lines) {
	return h(
		'div',
		{ class: 'card' },
		h('span', { class: 'badge' }, icon(iconName)),
		h(
			'div',
			{},
			h('strong', {}, title),
			lines.filter(Boolean).map((line) => h('small', {}, line)),
		),
	);
}

function picture(url, label) {
	const image = h('img', { src: url, alt: label, loading: 'lazy' });
	image.addEventListener('error', () => {
		image.replaceWith(card('picture', label, 'The picture cannot be loaded'));
	});
	return image;
}

/** A value of a vCard, its escapes undone. */
function vcardField(vcf, name) {
	const value = new RegExp(`^${name}[^:\\n]*:(.*)$`, 'mi').exec(vcf ?? '')?.[1] ?? '';
	return value.trim().replace(/\\([,;\\])/g, '$1');
}

/** The user in a contact card stands under a key that differs from service to service. */
function contactUser(payload) {
	return Object.values(payload).find((value) => value?.user_id !== undefined);
}

const RENDER = {
	image: ({ payload }) =>
		safeLink(payload.url, { class: 'media' }, picture(payload.url, 'Picture')),
	video: ({ payload, thumbnail, width, height }) =>
		h('video', {
			class: 'media',
			src: payload.url,
			poster: thumbnail?.url,
			width,
			height,
			controls: true,
			preload: 'none',
			'aria-label': 'Video',
		}),
	audio: ({ payload }) =>
		h('audio', { src: payload.url, controls: true, preload: 'none', 'aria-label': 'Audio' }),
	file: ({ payload, filename, size }) =>
		safeLink(payload.url, { class: 'file' }, card('file', filename, byteSize(size))),
	sticker: ({ payload, width, height }) =>
		h('img', { class: 'sticker', src: payload.url, alt: `Sticker ${payload.code}`, width, height }),
	contact: ({ payload }) => {
		const name = vcardField(payload.vcf_info, 'FN') || nameOf(contactUser(payload));
		const phone = vcardField(payload.vcf_info, 'TEL');
		return card('contact', name, phone && safeLink(`tel:+${phone}`, {}, `+${phone}`));
	},
	share: ({ payload, title, description, image_url }) =>
		safeLink(
			payload.url ?? '',
			{ class: 'share' },
			image_url && picture(image_url, ''),
			h('strong', {}, title || payload.url || 'Shared link'),
			description && h('small', {}, description),
		),
	location: ({ latitude, longitude }) =>
		h(
			'a',
			{ class: 'file', href: `geo:${latitude},${longitude}` },
			card('location', 'Location', `${latitude}, ${longitude}`),
		),
};

/** One attachment as it was received; keyboards are shown elsewhere. */
export function renderAttachment(attachment) {
	const { type } = attachment;
	const element = RENDER[type]?.(attachment) ?? card('file', type, 'Unknown kind of attachment');
	element.dataset.testid = `attachment-${type}`;
	return element;
}

const BUTTON_ICONS = {
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

function keyboardButton(button, press) {
	const content = [
		h('span', {}, button.text),
		BUTTON_ICONS[button.type] && icon(BUTTON_ICONS[button.type]),
	];
	const props = { class: 'key', 'data-testid': 'key', title: button.type };
	if (button.type === 'link')
		return safeLink(button.url, { ...props, on: { click: press } }, ...content);
	return h('button', { ...props, type: 'button', on: { click: press } }, ...content);
}

/**
 * An inline keyboard. `press(row, column, element)` tells the platform about a press and resolves to what came
 * of it.
 */
export function renderKeyboard({ payload }, press) {
	const rows = payload.buttons.map((row, rowIndex) =>
		row.map((button, column) =>
			keyboardButton(button, async ({ currentTarget }) => {
				const effect = await press(rowIndex, column, currentTarget);
				if (effect) await AFTERWARDS[button.type]?.(effect);
			}),
		),
	);
	return h(
		'div',
		{ class: 'keyboard', role: 'group', 'aria-label': 'Buttons' },
		rows.map((row) => h('div', { class: 'keys' }, row)),
	);
}
