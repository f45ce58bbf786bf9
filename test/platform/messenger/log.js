import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { change, columnClass, personOf, store } from './store.js';
import { clockTime, nameOf } from './text.js';
import { html, IconButton, memo, useEnd } from './ui.js';

/** How many entries are kept, and how many of the matching ones are shown: the newest. */
const KEPT = 2_000;
const SHOWN = 500;

const took = ({ duration_ms }) => `${duration_ms} ms`;
const queryText = (query = {}) =>
	Object.entries(query)
		.map(([name, value], index) => `${index === 0 ? '?' : '&'}${name}=${value}`)
		.join('');

/** How each kind of entry is shown. */
const KINDS = {
	request: {
		label: 'Requests',
		color: 'var(--muted)',
		title: ({ method, path, query }) => `${method} ${path}${queryText(query)}`,
		side: (event) => [event.bot_id && nameOf(personOf(event.bot_id)), took(event)],
	},
	upload: {
		label: 'Uploads',
		color: 'light-dark(#b7791f, #e0ae5d)',
		title: ({ method, path, content_range = '' }) => `${method} ${path} ${content_range}`,
		side: (event) => [event.file_name, took(event)],
	},
	update: {
		label: 'Events',
		color: 'var(--accent)',
		title: ({ update }) => update.update_type,
		side: ({ bot_id }) => [`to ${nameOf(personOf(bot_id))}`],
	},
	delivery: {
		label: 'Deliveries',
		color: 'var(--good)',
		title: ({ update_type, url }) => `${update_type} → ${url}`,
		side: (event) => [event.attempt > 1 && `attempt ${event.attempt}`, event.error, took(event)],
	},
};

const kindOf = ({ type, kind, origin }) => (origin === 'upload' ? 'upload' : (kind ?? type));

/** The newest entries, oldest first: `{ key, kind, event, text }`; the text is made when it is first searched. */
let entries = [];
let count = 0;

const toEntries = (events) =>
	events
		.map((event) => ({ key: (count += 1), kind: kindOf(event), event }))
		.filter(({ kind }) => KINDS[kind]);

/** Adds an event: a request, an update or a delivery. */
export function logEvent(event) {
	entries.push(...toEntries([event]));
	// Drop entries in batches, so that the cost per entry stays constant.
	if (entries.length > KEPT * 1.25) entries = entries.slice(-KEPT);
	change();
}

/** Adds earlier events, except those already known. */
export function logHistory(events) {
	const known = new Set(entries.map(({ event }) => event.index));
	entries.unshift(...toEntries(events.filter(({ index }) => !known.has(index))));
	change();
}

function matches(entry, hidden, words) {
	if (hidden.includes(entry.kind)) return false;
	if (words.length === 0) return true;
	entry.text ??= JSON.stringify(entry.event).toLowerCase();
	return words.every((word) => entry.text.includes(word));
}

function Status({ status, error }) {
	if (status === undefined && error === undefined) return undefined;
	const good = status >= 200 && status < 300;
	return html`<span class="status ${good ? 'good' : 'bad'}">${status || 'cut'}</span>`;
}

/** An entry that unfolds on demand. Most are never unfolded, so their text is made only then. */
const Entry = memo(({ entry: { kind, event }, follow }) => {
	const row = useRef();
	const [open, setOpen] = useState(false);
	useLayoutEffect(() => {
		if (open) row.current.scrollIntoView({ block: 'nearest' });
	}, [open]);
	const { color, title, side } = KINDS[kind];
	const time = clockTime(event.time ?? event.update?.timestamp);
	const onToggle = ({ target }) => {
		follow(false);
		setOpen(target.open);
	};
	return html`
		<li ref=${row} class="entry" style=${{ '--side': color }} data-testid="log-entry">
			<details onToggle=${onToggle}>
				<summary>
					<span class="what cut">${title(event)}</span><${Status} ...${event} />
					<small>${time} · ${side(event).filter(Boolean).join(', ')}</small>
				</summary>
				${open && html`<pre tabindex="0">${JSON.stringify(event.update ?? event, null, 2)}</pre>`}
			</details>
		</li>
	`;
});

const without = (list, item) => list.filter((each) => each !== item);

/** The event log. */
export function Log() {
	const [filter, setFilter] = useState('');
	const [hidden, setHidden] = useState([]);
	const { props, follow } = useEnd();
	const { logHidden } = store;
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	const shown = entries.filter((entry) => matches(entry, hidden, words)).slice(-SHOWN);
	const chip = ([kind, { label }]) => {
		const off = hidden.includes(kind);
		const toggle = () => setHidden(off ? without(hidden, kind) : [...hidden, kind]);
		return html`<button type="button" class="chip" aria-pressed=${String(!off)} onClick=${toggle}>
			${label}
		</button>`;
	};
	const clear = () => {
		entries = [];
		change();
	};
	return html`
		<aside class=${columnClass('log')} id="view-log" aria-label="Event log" data-testid="log">
			<header class="bar row">
				<h2 class="grow">Event log</h2>
				<button type="button" class="quiet" data-testid="log-clear" onClick=${clear}>Clear</button>
				<${IconButton}
					icon="panel"
					label=${logHidden ? 'Show the log' : 'Hide the log'}
					class="toggle"
					aria-expanded=${String(!logHidden)}
					data-testid="log-toggle"
					onClick=${() => change({ logHidden: !logHidden })}
				/>
			</header>
			<div class="filters">
				<input
					type="search"
					data-testid="log-filter"
					placeholder="Filter"
					aria-label="Filter the log"
					onInput=${({ target }) => setFilter(target.value)}
				/>
				<div class="row chips" role="group" aria-label="Kinds of entries">
					${Object.entries(KINDS).map(chip)}
				</div>
			</div>
			<div class="entries" tabindex="0" role="region" aria-label="Entries" ...${props}>
				<ol data-testid="log-entries">
					${shown.map((entry) => html`<${Entry} key=${entry.key} entry=${entry} follow=${follow} />`)}
				</ol>
			</div>
		</aside>
	`;
}
