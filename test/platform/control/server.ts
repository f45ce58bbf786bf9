import { join } from 'node:path';
import express, { type Express, type Request, type Response } from 'express';
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

const FOLDER = join(__dirname, '..', 'messenger');
const MODULES = join(__dirname, '..', '..', '..', 'node_modules');

/** The libraries of the window, by address in its import map. Nothing else of node_modules is served. */
const LIBRARIES = {
	'/messenger/library/htm.js': join(MODULES, 'htm/dist/htm.module.js'),
	'/messenger/library/preact.js': join(MODULES, 'preact/dist/preact.mjs'),
	'/messenger/library/hooks.js': join(MODULES, 'preact/hooks/dist/hooks.mjs'),
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

	/** Serves the files of the messenger window, the live events, and the operations. */
	get app(): Express {
		const app = express().disable('x-powered-by').use('/messenger', express.static(FOLDER));
		const pages = { '/': join(FOLDER, 'index.html'), ...LIBRARIES };
		for (const [path, file] of Object.entries(pages)) {
			app.get(path, (_request, response) => response.sendFile(file));
		}
		return app
			.get('/events', (_request, response) => streamEvents(this.world.base.events, response))
			.use(async (request, response) => await this.answer(request, response));
	}

	private async answer(request: Request, response: Response): Promise<void> {
		try {
			await send(response, json(200, await this.work(request), writeReadableJson));
		} catch (error) {
			const refusal = error instanceof RangeError ? badRequest(error.message) : error;
			if (!(refusal instanceof ApiError)) throw error;
			const { status, code, message } = refusal;
			await send(response, json(status, { code, message }));
		}
	}

	private async work(request: Request): Promise<unknown> {
		const { pathname, search } = new URL(request.url, 'http://control');
		const body = await new IncomingBody(request).whole();
		const match = this.router.find(request.method, pathname);
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
function streamEvents(events: LiveEvents, response: Response): void {
	response.writeHead(200, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-store',
	});
	response.write(': connected\n\n');
	const end = events.subscribe((event) => {
		response.write(`event: ${event.type}\ndata: ${writeReadableJson(event)}\n\n`);
	});
	const heartbeat = setInterval(() => response.write(': alive\n\n'), HEARTBEAT_MS);
	response.once('close', () => {
		clearInterval(heartbeat);
		end();
	});
}
