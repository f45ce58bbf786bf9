import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../../support/server';

/**
 * From these ports, systems give none to a client, nor to a server that asks for any: so another test does not get one
 * while the program that it was looked up for is still starting.
 */
const [FIRST, LAST] = [20_000, 32_000];

const MOST_TRIES = 100;

/** Resolves if nothing listens on a port of the loopback address, and rejects if something does. */
async function probe(port: number): Promise<void> {
	const server = createServer();
	await listen(server, port);
	server.close();
	await once(server, 'close');
}

/** A port that was free a moment ago: the preferred one if possible, otherwise any. */
export async function freePort(preferred = randomInt(FIRST, LAST)): Promise<number> {
	for (let port = preferred, tries = 1; ; tries++, port = randomInt(FIRST, LAST)) {
		try {
			await probe(port);
			return port;
		} catch (error) {
			if (tries === MOST_TRIES) throw error;
		}
	}
}
