import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../../support/server';

/** Resolves to the port if nothing listens on it on the loopback address. */
async function probe(port: number): Promise<number> {
	const server = createServer();
	const found = await listen(server, port);
	server.close();
	await once(server, 'close');
	return found;
}

/** A port that was free a moment ago: the preferred one if possible, otherwise any. */
export const freePort = async (preferred = 0): Promise<number> =>
	await probe(preferred).catch(async () => await probe(0));
