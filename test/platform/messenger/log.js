import { byId, clockTime, h, icon, stickToEnd } from './dom.js';
import { nameOf, personOf } from './store.js';

/** How many entries are kept. */
const CAPACITY = 500;

/** Kinds of entries, and whether they are shown at first. */
const KINDS = { request: 'Requests', upload: 'Uploads', update: 'Events', delivery: 'Deliveries' };

const shown = new Set(Object.keys(KINDS));
let entries = [];
let stick;

const kindOf = ({ type, kind, origin }) => (origin === 'upload' ? 'upload' : (kind ?? type));

function queryText(query = {}) {
	const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

const TITLES = {
	request: ({ method, path, query }) => `${method} ${path}${queryText(query)}`,
	upload: ({ method, path, content_range }) =>
		[method, path, content_range].filter(Boolean).join(' '),
	update: ({ update }) => update.update_type,
	delivery: ({ update_type, url }) => `${update_type} → ${url}`,
};

const SIDES = {
	request: ({ bot_id, duration_ms }) =>
		[bot_id && nameOf(personOf(bot_id)), `${duration_ms} ms`].filter(Boolean).join(', '),
	upload: ({ file_name, duration_ms }) =>
		[file_name, `${duration_ms} ms`].filter(Boolean).join(', '),
	update: ({ bot_id }) => `to ${nameOf(personOf(bot_id))}`,
	delivery: ({ attempt, error, duration_ms }) =>
		[attempt > 1 && `attempt ${attempt}`, error, `${duration_ms} ms`].filter(Boolean).join(', '),
};

function statusChip({ status, error }) {
	if (status === undefined && error === undefined) return undefined;
	const isGood = status >= 200 && status < 300;
	return h('span', { class: `status ${isGood ? 'good' : 'bad'}` }, status ? String(status) : 'cut');
}

function render(event, kind) {
	const details = h('pre', {});
	const element = h(
		'li',
		{ class: `entry ${kind}`, 'data-testid': 'log-entry', dataset: { kind } },
		h(
			'details',
			{},
			h(
				'summary',
				{},
				h('span', { class: 'what' }, TITLES[kind](event)),
				statusChip(event),
				h(
					'small',
					{},
					`${clockTime(event.time ?? event.update?.timestamp)} · ${SIDES[kind](event)}`,
				),
			),
			details,
		),
	);
	// Most entries are never looked at, so their text is made when they are.
	element.firstChild.addEventListener('toggle', () => {
		details.textContent = JSON.stringify(event.update ?? event, null, 2);
		stick.release();
		element.scrollIntoView({ block: 'nearest' });
	});
	return element;
}

function matches({ kind, event }, words) {
	if (!shown.has(kind)) return false;
	if (words.length === 0) return true;
	const text = JSON.stringify(event).toLowerCase();
	return words.every((word) => text.includes(word));
}

const filterWords = () => byId('log-filter').value.toLowerCase().split(/\s+/).filter(Boolean);

function filterAll() {
	const words = filterWords();
	for (const entry of entries) entry.element.hidden = !matches(entry, words);
}

let waiting = [];

function draw() {
	const list = byId('log-entries');
	const words = filterWords();
	const fresh = waiting.slice(-CAPACITY).map((event) => {
		const kind = kindOf(event);
		const entry = { kind, event, element: render(event, kind) };
		entry.element.hidden = !matches(entry, words);
		return entry;
	});
	waiting = [];
	entries.push(...fresh);
	list.append(...fresh.map(({ element }) => element));
	for (const { element } of entries.slice(0, -CAPACITY)) element.remove();
	entries = entries.slice(-CAPACITY);
}

/** Adds a request, an update or a delivery. */
export function logEvent(event) {
	if (TITLES[kindOf(event)] === undefined) return;
	if (waiting.length === 0) requestAnimationFrame(draw);
	waiting.push(event);
	// A window in the background draws nothing for a while.
	if (waiting.length > CAPACITY * 2) waiting = waiting.slice(-CAPACITY);
}

function kindChip([kind, label]) {
	const chip = h('button', { type: 'button', class: 'chip', 'aria-pressed': 'true' }, label);
	chip.addEventListener('click', () => {
		if (!shown.delete(kind)) shown.add(kind);
		chip.setAttribute('aria-pressed', String(shown.has(kind)));
		filterAll();
	});
	return chip;
}

/** Builds the log. */
export function startLog() {
	byId('log-kinds').append(...Object.entries(KINDS).map(kindChip));
	byId('log-filter').addEventListener('input', filterAll);
	stick = stickToEnd(byId('log-scroll'), byId('log-entries'));
	byId('log-clear').addEventListener('click', () => {
		entries = [];
		byId('log-entries').replaceChildren();
	});
	const toggle = byId('log-toggle');
	toggle.append(icon('panel'));
	const update = (collapsed) => {
		document.body.classList.toggle('log-collapsed', collapsed);
		toggle.setAttribute('aria-label', collapsed ? 'Show the log' : 'Hide the log');
		toggle.setAttribute('aria-expanded', String(!collapsed));
	};
	toggle.addEventListener('click', () =>
		update(!document.body.classList.contains('log-collapsed')),
	);
	update(false);
}
