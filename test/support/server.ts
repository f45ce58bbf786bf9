import type { Server } from 'node:http';

/** Starts a server on a free port of this machine and returns the port. */
export async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return address.port;
}
