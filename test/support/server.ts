import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Lets a server listen on the loopback address, on a free port unless one is given. Returns the port. */
export async function listen(
	server: Pick<Server, 'listen' | 'address' | 'once'>,
	port = 0,
): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return address.port;
}

/** Ends a server and all its connections. */
export async function close(
	server: Pick<HttpServer, 'close' | 'closeAllConnections'>,
): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	server.closeAllConnections();
	await closed;
}
