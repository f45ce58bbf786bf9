import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, serve, type Surroundings } from '../exchange';
import type { Faults } from '../faults';
import { type Answer, json } from '../http';
import { parseJson } from '../json';
import { type Inputs, type Profile, PROFILES, shownAs } from '../profiles';
import type { Bot } from '../world/types';
import type { World } from '../world/world';
import {
	ApiError,
	badRequest,
	cannotDeserialize,
	methodNotAllowed,
	notFound,
	unauthorized,
} from './errors';
import { Fields } from './fields';
import { admit } from './limits';
import { Query } from './query';
import type { Call, Handler } from './route';
import { Router } from './router';
import { ROUTES } from './routes';

/** Larger bodies are not shown in the journal. */
const LARGEST_SHOWN_BODY = 64 * 1024;

/** The API origin: authentication, limits, faults and journal around the operations. */
export class ApiServer {
	private readonly profile: Profile;

	/** The operations that this kind of service has. */
	private readonly router: Router<{ handle: Handler; inputs: Inputs; isCoded: boolean }>;

	private readonly surroundings: Surroundings;

	constructor(
		private readonly world: World,
		faults: Faults,
	) {
		const { clock, journal, settings } = world.base;
		const latencyMs = () => settings.latencyMs;
		this.surroundings = { origin: 'api', clock, journal, faults, latencyMs };
		this.profile = PROFILES[settings.profile];
		const { operations, coded = [] } = this.profile;
		this.router = new Router(
			Object.entries(ROUTES).flatMap(([name, handle]) => {
				const inputs = operations[name];
				const isCoded = coded.includes(name);
				return inputs === undefined ? [] : [[name, { handle, inputs, isCoded }] as const];
			}),
		);
	}

	/** Serves one request and writes it to the journal. */
	handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		return serve(this.surroundings, request, response, (exchange) => this.answer(exchange));
	}

	private async answer(exchange: Exchange): Promise<Answer> {
		const body = await exchange.body.whole();
		try {
			return json(200, shownAs(this.profile.looks, await this.work(exchange, body)));
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { status, code, message, headers } = error;
			const answer = json(status, { code, message });
			return { ...answer, headers: { ...answer.headers, ...headers } };
		}
	}

	private work(exchange: Exchange, body: Buffer): object | Promise<object> {
		const { entry, request, response, search, arrival } = exchange;
		const parsed = parsedBody(body);
		if (body.length <= LARGEST_SHOWN_BODY && parsed !== undefined) entry.body = parsed.value;
		const match = this.router.find(entry.method, entry.path);
		if (match === undefined) throw notFound(`Path ${entry.path} is not recognized`);
		const { target, allowed, path } = match;
		if (target === undefined) throw methodNotAllowed(entry.method, allowed);
		const query = new Query(search);
		const bot = this.authenticate(request, query);
		entry.bot_id = bot.user_id;
		const { limits } = this.world.base.settings;
		admit(bot.requests, arrival, limits.requests_per_second, limits);
		const { query: parameters = [], body: fields = [] } = target.inputs;
		const strict = this.profile.unknown === 'refused';
		if (strict && fields.length === 0 && body.length > 0) throw badRequest('No body expected');
		const call: Call = {
			world: this.world,
			bot,
			path,
			query: query.only(parameters, strict),
			body:
				fields.length === 0 || body.length === 0
					? Fields.of({})
					: fieldsOf(request, parsed, strict).known(...fields),
			arrival,
			gone: () => goneSignal(response),
		};
		try {
			return target.handle(call);
		} catch (error) {
			if (!target.isCoded || !(error instanceof ApiError)) throw error;
			return { success: false, code: error.code, message: error.message };
		}
	}

	private authenticate(request: IncomingMessage, query: Query): Bot {
		const { authorization } = request.headers;
		if (authorization?.startsWith('Bearer ') === true) throw unauthorized('Malformed access token');
		const bot = this.world.botByToken(authorization ?? '');
		if (bot === undefined || query.has('access_token')) throw unauthorized('Invalid access_token');
		return bot;
	}
}

/** A body parsed as JSON; undefined if it is not JSON. */
function parsedBody(body: Buffer): { value: unknown } | undefined {
	if (body.length === 0) return undefined;
	try {
		return { value: parseJson(body.toString()) };
	} catch {
		return undefined;
	}
}

/** The fields of a request's body. @throws ApiError 415 or 400 */
function fieldsOf(
	{ headers }: IncomingMessage,
	parsed: { value: unknown } | undefined,
	strict: boolean,
): Fields {
	const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
	if (type !== 'application/json') {
		throw new ApiError(415, 'unsupported.media.type', `Content type '${type ?? ''}' not supported`);
	}
	if (parsed === undefined) throw cannotDeserialize();
	return Fields.of(parsed.value, strict);
}

/** A signal that aborts if the client disconnects before it has its answer. */
function goneSignal(response: ServerResponse): AbortSignal {
	const gone = new AbortController();
	if (response.destroyed) gone.abort();
	response.once('close', () => gone.abort());
	return gone.signal;
}
