import { sleep } from 'n8n-workflow';
import { BoundedMap } from './boundedMap';

/** Time, for code whose tests substitute a virtual clock. */
export interface Clock {
	/** Unix time in ms that never jumps; nearly the same in other processes. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export const realClock: Clock = { now: () => performance.timeOrigin + performance.now(), sleep };

/** Exponential backoff: pauses in ms that grow by the factor `growth` with each failure. */
export interface Backoff {
	first: number;
	growth: number;
	longest: number;
}

/** The pause after a failure, in ms, given the number of failures before it. */
export const backoffMs = (failures: number, { first, growth, longest }: Backoff): number =>
	Math.min(first * growth ** failures, longest);

/** Older versions of n8n cannot abort a sleep, so it is split into pieces of this many ms. */
const LOOK_MS = 250;

/** Waits for `ms` by a clock that cannot be set back; resolves to false early once `isOver()` is true. */
export async function sleepUnless(ms: number, isOver: () => boolean): Promise<boolean> {
	const end = realClock.now() + ms;
	for (let left = ms; left > 0; left = end - realClock.now()) {
		if (isOver()) return false;
		await sleep(Math.min(left, LOOK_MS));
	}
	return true;
}

/** Waits for `work` to settle, for `ms` at the most; resolves to whether it has. No longer once `isOver()` is true. */
export async function settledWithin(
	ms: number,
	work: Promise<unknown>,
	isOver = (): boolean => false,
): Promise<boolean> {
	let isSettled = false;
	const settling = Promise.allSettled([work]).then(() => {
		isSettled = true;
	});
	await Promise.race([settling, sleepUnless(ms, () => isSettled || isOver())]);
	return isSettled;
}

/** How long n8n may take to answer a call that needs its database, in ms. */
const DATABASE_MS = 30_000;

/** n8n has not answered a call that needs its database; it may be done nevertheless. */
export class NoAnswer extends Error {}

/**
 * Resolves like a call of n8n that needs its database, or throws NoAnswer: after the database has hung, n8n never ends
 * some of the calls that were under way.
 */
export async function fromDatabase<T>(call: Promise<T>): Promise<T> {
	if (await settledWithin(DATABASE_MS, call)) return await call;
	throw new NoAnswer("n8n's database did not answer");
}

/** By how much the clocks of services are ahead of `realClock`, in ms, by base url. */
const ahead = new BoundedMap<string, number>(100);

/** Learns a service's time from the `Date` header of an answer that has just come, if it has one. */
export function noteDate(
	{ baseUrl }: { baseUrl: string },
	date: string | string[] | undefined,
): void {
	const time = Date.parse(String(date));
	if (Number.isNaN(time)) return;
	ahead.set(baseUrl, time - realClock.now());
}

/** Unix time in ms by a service's clock, as in its events; by this machine's if no answer had a date. */
export function serviceTime({ baseUrl }: { baseUrl: string }): number {
	const aheadMs = ahead.get(baseUrl);
	return aheadMs === undefined ? Date.now() : realClock.now() + aheadMs;
}
