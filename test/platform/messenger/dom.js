/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * Makes an element. `props`: `class`, `dataset`, `style` (custom properties), `on` (listeners by event), and
 * attributes; true is an empty attribute, false, null and undefined are none. Children are nodes or texts,
 * never HTML.
 */
export function h(tag, props = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) setProp(element, name, value);
	element.append(
		...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
	);
	return element;
}

const SPECIAL = {
	on: (element, listeners) => {
		for (const [event, listener] of Object.entries(listeners)) {
			element.addEventListener(event, listener);
		}
	},
	dataset: (element, data) => Object.assign(element.dataset, data),
	style: (element, style) => {
		for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
	},
	class: (element, name) => (element.className = name),
};

function setProp(element, name, value) {
	if (SPECIAL[name]) SPECIAL[name](element, value);
	else if (value !== false && value !== null && value !== undefined) {
		element.setAttribute(name, value === true ? '' : String(value));
	}
}

/** Outlines on a grid of 24. */
const ICONS = {
	add: 'M12 5v14M5 12h14',
	app: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
	attach:
		'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.4a1.7 1.7 0 0 1-2.4-2.4L14 7.6',
	back: 'M15 5l-7 7 7 7',
	check: 'M5 12l5 5 9-10',
	close: 'M6 6l12 12M18 6L6 18',
	contact: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-4 4-6 8-6s7 2 8 6',
	copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
	edit: 'M4 20l1-4L16 5l3 3L8 19z',
	file: 'M6 3h8l5 5v13H6zM14 3v5h5',
	link: 'M8 16L18 6M10 5h9v9',
	location: 'M12 21s7-6 7-11a7 7 0 1 0-14 0c0 5 7 11 7 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
	menu: 'M12 5h.01M12 12h.01M12 19h.01',
	message: 'M4 5h16v11H11l-5 4v-4H4z',
	panel: 'M4 5h16v14H4zM14 5v14',
	picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15 10h.01',
	pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
	remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
	reply: 'M10 6l-6 5 6 5v-3c5 0 8 1 10 5 0-6-4-9-10-9z',
	send: 'M4 12l16-8-5 16-3-6z',
	user: 'M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 21c.5-4 3-6 7-6 1.500 0 3 .3 4 1M18 14v6M15 17h6',
};

/** An icon; it says nothing to screen readers. */
export function icon(name) {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	svg.setAttribute('viewBox', '0 0 24 24');
	svg.setAttribute('aria-hidden', 'true');
	const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
	path.setAttribute('d', ICONS[name] ?? ICONS.menu);
	if (name === 'menu') path.setAttribute('stroke-width', '3');
	svg.append(path);
	return svg;
}

/** A round picture with a letter; its colour follows from the id. */
export function avatar(id, name) {
	let hue = 0;
	for (const character of String(id)) hue = (hue * 31 + character.charCodeAt(0)) % 360;
	const letter = [...(name || '?')][0].toUpperCase();
	return h('span', { class: 'avatar', 'aria-hidden': 'true', style: { '--hue': hue } }, letter);
}

const pad = (number) => String(number).padStart(2, '0');

/** Hours and minutes. */
export function clockTime(ms) {
	const time = new Date(ms);
	return `${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** The day in words. */
export const dayName = (ms) =>
	new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Bytes in words. */
export function byteSize(bytes) {
	const units = ['bytes', 'KB', 'MB', 'GB'];
	let value = bytes;
	let unit = 0;
	for (; value >= 1024 && unit < 3; unit += 1) value /= 1024;
	return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/**
 * Keeps a scrolling element at its end while it grows or shrinks, unless the reader scrolled up. `toEnd` goes
 * there in any case, `release` stays where it is until the reader comes back to the end.
 */
export function stickToEnd(element, content) {
	let follows = true;
	let top = 0;
	const jump = () => {
		element.scrollTop = element.scrollHeight;
	};
	element.addEventListener('scroll', () => {
		const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 80;
		// Content that grew puts the end out of reach as well; only a reader moves up.
		if (isAtEnd) follows = true;
		else if (element.scrollTop < top) follows = false;
		top = element.scrollTop;
	});
	const observer = new ResizeObserver(() => follows && jump());
	observer.observe(element);
	observer.observe(content);
	return {
		toEnd() {
			follows = true;
			jump();
		},
		release() {
			follows = false;
		},
	};
}

/** Shows a short text for a while. */
export function toast(text, kind = 'info') {
	const element = h('div', { class: `toast ${kind}`, 'data-testid': 'toast' }, text);
	byId('toasts').append(element);
	setTimeout(() => element.remove(), 6_000);
}

/** Runs what a person asked for; a refusal is shown instead of thrown. */
export async function attempt(work) {
	try {
		return await work();
	} catch (error) {
		toast(error.message, 'error');
		return undefined;
	}
}
