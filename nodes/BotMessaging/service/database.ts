import { settledWithin } from './clock';

/** How long n8n may take to answer a call that needs its database, in ms. */
const PATIENCE_MS = 30_000;

/** n8n has not answered a call that needs its database; it may be done nevertheless. */
export class NoAnswer extends Error {}

/**
 * Resolves like a call of n8n that needs its database. After the database has hung, n8n never ends some of the calls that
 * were under way: whatever waits for one would wait forever.
 *
 * @throws NoAnswer when it takes too long
 */
export async function fromDatabase<T>(call: Promise<T>): Promise<T> {
	if (await settledWithin(PATIENCE_MS, call)) return await call;
	throw new NoAnswer("n8n's database did not answer");
}
