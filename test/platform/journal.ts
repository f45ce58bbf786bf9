import { wildcard } from './wildcard';

/** A request that reached the API or the upload origin. */
export interface RequestEntry {
	kind: 'request';
	/** Arrival, Unix ms on the platform's clock. */
	time: number;
	origin: 'api' | 'upload';
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** Names in lower case; `authorization` only says whether it was there, never the token. */
	headers: Record<string, string | boolean>;
	/** Bytes of the request's body. */
	bytes: number;
	/** The JSON body, if it is JSON and small. */
	body?: unknown;
	/** Status of the answer; 0 if the connection was cut instead. */
	status: number;
	duration_ms: number;
	/** The bot whose token was used. */
	bot_id?: bigint;
	/** Hexadecimal hash of the uploaded bytes. */
	sha256?: string;
	content_range?: string;
}

/** One attempt to deliver an update to a webhook. */
export interface DeliveryEntry {
	kind: 'delivery';
	time: number;
	bot_id: bigint;
	url: string;
	update_type: string;
	/** The update as sent. */
	update: unknown;
	/** 1 for the first attempt. */
	attempt: number;
	/** Status of the endpoint's answer; absent if there was none. */
	status?: number;
	/** Why there was no answer. */
	error?: string;
	duration_ms: number;
	/** Whether the secret header was sent. */
	secret_sent: boolean;
}

type JournalEntry = RequestEntry | DeliveryEntry;

/** An entry with its consecutive number. */
type NumberedEntry = JournalEntry & { index: number };

/** Which entries to show; all given conditions must hold. */
export interface JournalFilter {
	kind?: JournalEntry['kind'];
	origin?: RequestEntry['origin'];
	method?: string;
	/** Path of a request or URL of a delivery; `*` stands for any characters. */
	path?: string;
	status?: number;
	/** At most so many, the newest ones. */
	limit?: number;
}

/** How many entries are kept at least. */
const CAPACITY = 200_000;

/** All requests and deliveries. The number of entries is bounded: the oldest are dropped. */
export class Journal {
	private items: NumberedEntry[] = [];

	private next = 1;

	/** @param added is called with every new entry */
	constructor(private readonly added: (entry: NumberedEntry) => void = () => undefined) {}

	/** Appends an entry. */
	add(entry: JournalEntry): void {
		const numbered = Object.assign(entry, { index: this.next });
		this.next += 1;
		this.items.push(numbered);
		// Drop entries in batches, so that the cost per entry stays constant.
		if (this.items.length > CAPACITY * 1.25) this.items = this.items.slice(-CAPACITY);
		this.added(numbered);
	}

	/** The entries that match the filter, oldest first. */
	entries(filter: JournalFilter = {}): NumberedEntry[] {
		const found = this.items.filter(conditions(filter));
		return filter.limit === undefined ? found : found.slice(-filter.limit || found.length);
	}

	/** Forgets all entries; numbering goes on. */
	clear(): void {
		this.items = [];
	}
}

function conditions(filter: JournalFilter): (entry: NumberedEntry) => boolean {
	const path = filter.path === undefined ? undefined : wildcard(filter.path);
	return (entry) =>
		(filter.kind === undefined || entry.kind === filter.kind) &&
		(filter.status === undefined || entry.status === filter.status) &&
		(filter.origin === undefined || (entry.kind === 'request' && entry.origin === filter.origin)) &&
		(filter.method === undefined || (entry.kind === 'request' && entry.method === filter.method)) &&
		(path === undefined || path.test(entry.kind === 'request' ? entry.path : entry.url));
}
