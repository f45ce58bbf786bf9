import { realClock } from './clock';
import type { Connection } from './connection';
import { evictOldest } from './evict';

/** Maximum number of services to remember; the oldest are evicted. */
const MOST_SERVICES = 100;

/** By how much the clocks of services are ahead of `realClock`, in ms, by base url. */
const ahead = new Map<string, number>();

/** Learns a service's time from the `Date` header of an answer that has just come, if it has one. */
export function noteDate(
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
	date: string | string[] | undefined,
): void {
	const time = Date.parse(String(date));
	if (Number.isNaN(time)) return;
	ahead.set(baseUrl, time - realClock.now());
	evictOldest(ahead, MOST_SERVICES);
}

/**
 * Unix time in ms by a service's clock, which the timestamps of its events follow; this machine's clock may be wrong, and
 * is used only if no answer of the service had a date.
 */
export function serviceTime({ baseUrl }: Pick<Connection, 'baseUrl'>): number {
	const aheadMs = ahead.get(baseUrl);
	return aheadMs === undefined ? Date.now() : realClock.now() + aheadMs;
}
