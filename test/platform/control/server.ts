import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, badRequest, notFound } from '../api/errors';
import { Fields } from '../api/fields';
import { Query } from '../api/query';
import { Router } from '../api/router';
import type { LiveEvents } from '../events';
import type { Faults } from '../faults';
import { IncomingBody, json, send } from '../http';
import { isObject, parseJson, writeReadableJson } from '../json';
import type { Deliveries } from '../updates/delivery';
import type { World } from '../world/world';
import { controlChatRoutes } from './chats';
import { faultRoutes } from './faults';
import { controlMemberRoutes } from './members';
import { controlMessageRoutes } from './messages';
import { observeRoutes } from './observe';
import { pageFile, sendPage } from './page';
import { peopleRoutes } from './people';
import { pressRoutes } from './presses';
import type { ControlRoutes } from './route';
import { settingRoutes } from './settings';

const ROUTES: ControlRoutes = {
	...peopleRoutes,
	...controlChatRoutes,
	...controlMemberRoutes,
	...controlMessageRoutes,
	...pressRoutes,
	...faultRoutes,
	...settingRoutes,
	...observeRoutes,
};

/** Keeps connections alive through proxies. */
const HEARTBEAT_MS = 15_000;

/**
 * The control API: what people do, and how the platform behaves. Integers beyond 2^53 are strings in its answers;
 * requests can have either form.
 */
export class ControlServer {
	private readonly router = new Router(Object.entries(ROUTES));

	constructor(
		private readonly world: World,
		private readonly faults: Faults,
		private readonly deliveries: Deliveries,
	) {}

	/** Serves one request: a file of the messenger window, the live events, or an operation. */
	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '/', 'http://control');
		try {
			const file = request.method === 'GET' ? pageFile(url.pathname) : undefined;
			if (file !== undefined) await sendPage(file, response);
			else if (url.pathname === '/events') streamEvents(this.world.base.events, request, response);
			else await send(response, json(200, await this.work(request, url), writeReadableJson));
		} catch (error) {
			const refusal = error instanceof RangeError ? badRequest(error.message) : error;
			if (!(refusal instanceof ApiError)) throw error;
			const { status, code, message } = refusal;
			await send(response, json(status, { code, message }));
		}
	}

	private async work(request: IncomingMessage, { pathname, search }: URL): Promise<unknown> {
		const body = await new IncomingBody(request).whole();
		const match = this.router.find(request.method ?? 'GET', pathname);
		if (match === undefined) throw notFound(`There is no ${pathname}`);
		const { target, allowed, path } = match;
		if (target === undefined) {
			throw new ApiError(405, 'method.not.allowed', `Allowed: ${allowed.join(', ')}`);
		}
		const raw = read(body);
		const { world, faults, deliveries } = this;
		const fields = Fields.of(isObject(raw) ? raw : {});
		const query = new Query(search);
		return await target({ world, faults, deliveries, path, query, body: fields, raw });
	}
}

function read(body: Buffer): unknown {
	if (body.length === 0) return {};
	try {
		return parseJson(body.toString());
	} catch {
		throw badRequest('The body is not JSON');
	}
}

/** Streams all events as Server-Sent Events until the client disconnects. */
function streamEvents(
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
