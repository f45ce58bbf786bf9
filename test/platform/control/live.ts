import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveEvents } from '../events';
import { writeReadableJson } from '../json';

/** Keeps connections alive through proxies. */
const HEARTBEAT_MS = 15_000;

/** Streams all events as Server-Sent Events until the client disconnects. */
export function streamEvents(
	events: LiveEvents,
	request: IncomingMessage,
	response: ServerResponse,
): void {
	response.writeHead(200, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-store',
	});
	response.write(': connected\n\n');
	const end = events.subscribe((event) => {
		response.write(`event: ${event.type}\ndata: ${writeReadableJson(event)}\n\n`);
	});
	const heartbeat = setInterval(() => response.write(': alive\n\n'), HEARTBEAT_MS);
	request.once('close', () => {
		clearInterval(heartbeat);
		end();
	});
}
