import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultAction, Faults } from '../faults';
import { type Answer, readBody, send } from '../http';
import type { RequestEntry } from '../journal';
import { writeJson } from '../json';
import { type Inputs, type Profile, PROFILES, shownAs } from '../profiles';
import type { Bot } from '../world/types';
import type { World } from '../world/world';
import { ApiError, methodNotAllowed, notFound, unauthorized } from './errors';
import {
	faultAnswer,
	fieldsOf,
	goneSignal,
	JSON_HEADERS,
	readable,
	shownHeaders,
} from './exchange';
import { admitRequest } from './limits';
import { Query } from './query';
import type { Call, Route } from './route';
import { Router } from './router';
import { ROUTES } from './routes';

/** Larger bodies are not shown in the journal. */
const LARGEST_SHOWN_BODY = 64 * 1024;

/** One request while it is worked on. */
interface Exchange {
	request: IncomingMessage;
	method: string;
	path: string;
	query: Query;
	arrival: number;
	response: ServerResponse;
	/** The line for the journal, filled in on the way. */
	entry: RequestEntry;
}

/** The API origin: authentication, limits, faults and journal around the operations. */
export class ApiServer {
	private readonly profile: Profile;

	private readonly router: Router<Route>;

	constructor(
		private readonly world: World,
		private readonly faults: Faults,
	) {
		this.profile = PROFILES[world.base.settings.profile];
		this.router = new Router(ROUTES.filter((route) => this.inputsOf(route) !== undefined));
	}

	/** Serves one request and writes it to the journal. */
	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const exchange = this.begin(request, response);
		const { entry } = exchange;
		const fault = this.faults.match('api', exchange.method, exchange.path);
		const answer = await this.answerOrCut(exchange, fault);
		const { settings, journal } = this.world.base;
		if (settings.latencyMs > 0) await sleep(settings.latencyMs);
		entry.status = response.destroyed ? 0 : (answer?.status ?? 0);
		entry.duration_ms = Math.round(performance.now() - exchange.arrival);
		// Before the answer is sent, so that whoever has it finds the line.
		journal.add(entry);
		if (answer === undefined) request.socket.destroy();
		else await send(response, answer, fault?.slow_body_ms);
	}

	private begin(request: IncomingMessage, response: ServerResponse): Exchange {
		const { method = 'GET', url = '/', headers } = request;
		const mark = url.indexOf('?');
		const path = mark < 0 ? url : url.slice(0, mark);
		const query = new Query(mark < 0 ? '' : url.slice(mark + 1));
		const entry: RequestEntry = {
			kind: 'request',
			time: this.world.now(),
			origin: 'api',
			method,
			path,
			query: query.all(),
			headers: shownHeaders(headers),
			bytes: 0,
			status: 0,
			duration_ms: 0,
		};
		return { request, method, path, query, arrival: performance.now(), response, entry };
	}

	/** The answer; undefined when the connection is to be cut, or the client cut it. */
	private async answerOrCut(
		exchange: Exchange,
		fault: FaultAction | undefined,
	): Promise<Answer | undefined> {
		let body: Buffer;
		try {
			body = await readBody(exchange.request);
		} catch {
			return undefined;
		}
		exchange.entry.bytes = body.length;
		if (fault?.delay_ms !== undefined) await this.world.base.clock.sleep(fault.delay_ms);
		if (fault?.cut === 'before') return undefined;
		const replaced = fault?.status !== undefined;
		const work = replaced && fault.done !== true ? undefined : await this.work(exchange, body);
		if (fault?.cut === 'after') return undefined;
		if (replaced) return faultAnswer(fault);
		return work === undefined
			? undefined
			: { ...work, headers: { ...work.headers, ...fault?.headers } };
	}

	private async work(exchange: Exchange, body: Buffer): Promise<Answer> {
		try {
			const result = await this.dispatch(exchange, body);
			return {
				status: 200,
				headers: JSON_HEADERS,
				body: writeJson(shownAs(this.profile.looks, result)),
			};
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { status, code, headers } = error;
			const message = this.world.base.settings.emptyErrors ? '' : error.message;
			return {
				status,
				headers: { ...JSON_HEADERS, ...headers },
				body: writeJson({ code, message }),
			};
		}
	}

	private dispatch(exchange: Exchange, body: Buffer): object | Promise<object> {
		const { method, path, query, arrival, entry, request, response } = exchange;
		const shown = readable(body);
		if (body.length <= LARGEST_SHOWN_BODY && shown !== undefined) entry.body = shown.value;
		const match = this.router.find(method, path);
		if (match === undefined) throw notFound(`Path ${path} is not recognized`);
		if (match.route === undefined) throw methodNotAllowed(method, match.allowed);
		const bot = this.authenticate(request, query);
		entry.bot_id = bot.user_id;
		admitRequest(bot, arrival, this.world.base.settings.limits);
		const inputs = this.inputsOf(match.route) ?? {};
		const strict = this.profile.unknown === 'refused';
		const call: Call = {
			world: this.world,
			bot,
			path: match.path,
			query: query.only(inputs.query ?? [], strict),
			body: fieldsOf({ inputs: inputs.body ?? [], strict }, request, body, shown),
			arrival,
			gone: () => goneSignal(response),
		};
		return match.route.handle(call);
	}

	/** What an operation takes; undefined when services of this kind do not have it. */
	private inputsOf({ method, path }: Route): Inputs | undefined {
		return this.profile.operations[`${method} ${path}`];
	}

	private authenticate(request: IncomingMessage, query: Query): Bot {
		const { authorization } = request.headers;
		if (authorization?.startsWith('Bearer ') === true) throw unauthorized('Malformed access token');
		const bot = this.world.botByToken(authorization ?? '');
		if (bot === undefined || query.has('access_token')) throw unauthorized('Invalid access_token');
		return bot;
	}
}
