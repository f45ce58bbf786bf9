import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** Resolves to the port if nothing listens on it on the loopback address, otherwise to undefined. */
function probe(port: number): Promise<number | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			const found = typeof address === 'object' ? address?.port : undefined;
			server.close(() => resolve(found));
		});
	});
}

/** A port that was free a moment ago: the preferred one if possible, otherwise any. */
export async function freePort(preferred = 0): Promise<number> {
	const port = (await probe(preferred)) ?? (await probe(0));
	if (port === undefined) throw new Error('No free port on the loopback address');
	return port;
}
