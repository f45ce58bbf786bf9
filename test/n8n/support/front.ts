import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { listen } from '../../support/server';

/** A TLS front for a plain local server, like a reverse proxy. */
interface Front {
	port: number;
	stop(): Promise<void>;
}

/** Listens on a free loopback port, terminates TLS there, and relays to and from `target` (a loopback port). */
export async function startFront(
	certificate: { key: string; cert: string },
	target: number,
): Promise<Front> {
	const open = new Set<Socket>();
	const server = createServer(certificate, (outside) => {
		const inside = connect(target, '127.0.0.1');
		const pair = [outside, inside];
		for (const socket of pair) {
			open.add(socket);
			// When either side ends, for whatever reason, end both.
			socket.on('error', () => pair.forEach((each) => each.destroy()));
			socket.on('close', () => {
				open.delete(socket);
				for (const each of pair) each.destroy();
			});
		}
		outside.pipe(inside).pipe(outside);
	});
	const port = await listen(server);
	return {
		port,
		stop: async () => {
			for (const socket of open) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
