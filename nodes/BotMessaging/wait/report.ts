import {
	NodeOperationError,
	sleep,
	type IHttpRequestOptions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { Semaphore } from '../files/semaphore';
import type { HttpAnswer } from '../service/answer';
import { BoundedMap } from '../service/boundedMap';
import { at, textAt } from '../service/read';
import { realClock, settledWithin } from '../service/clock';
import { isAnswered, LONGEST_MS, acceptanceOf } from './accepted';
import { DEFAULT_TEXTS } from './texts';
import { signPress, type Press, type SignedPress, type Ticket } from './ticket';

/** A press can arrive before n8n has stored the waiting execution: how long to retry, and the pause between, in ms. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 500;

/**
 * Timeout for one answer, in ms; LONGEST_MS once n8n has it. Then it waits for n8n's concurrency limit; a request that
 * is given up would not tell when the message may show the answer.
 */
const ANSWER_TIMEOUT_MS = 5000;

/** Answers that n8n judges at a time: of more, each may take longer than its timeout, and all would be in vain. */
const judgements = new Semaphore(5);

/** Whether only the local port led to n8n last time: its public address may take each answer the whole timeout. */
let isLocal = false;

/** Where presses arrive: at the trigger's webhook, or by polling. */
export type PressContext = IWebhookFunctions | ITriggerFunctions;

interface Reporter extends Pick<PressContext, 'getNode'> {
	helpers: Pick<PressContext['helpers'], 'httpRequest'>;
	getRequestObject?(): Pick<ReturnType<IWebhookFunctions['getRequestObject']>, 'socket'>;
}

type Route = Pick<IHttpRequestOptions, 'url' | 'agentOptions'>;

/** Where an n8n that calls others through a proxy most often calls without it. */
const LOOPBACK = '127.0.0.1';

/**
 * Routes to the resume address: the address itself, and the local port that received the request, since an n8n often
 * cannot reach itself at its public address. The certificate is checked against the public name either way.
 */
function routesTo(context: Reporter, address: string): Route[] {
	const socket = context.getRequestObject?.().socket;
	if (!socket) return [{ url: address }];
	const { hostname, pathname, search } = new URL(address);
	const ip = (socket.localAddress ?? LOOPBACK).replace(/^::ffff:/, '');
	const hosts = new Set([ip.includes(':') ? `[${ip}]` : ip, LOOPBACK]);
	const protocol = 'encrypted' in socket ? 'https' : 'http';
	const local = [...hosts].map((host) => ({
		url: `${protocol}://${host}:${socket.localPort}${pathname}${search}`,
		agentOptions: { servername: hostname },
	}));
	return [{ url: address }, ...local];
}

/** The advice is part of it, as n8n's log shows nothing else. */
const UNREACHABLE =
	'The waiting execution could not be reached. If n8n cannot call its own address, check N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL), whose path no proxy may change';

type Answer = Pick<HttpAnswer, 'statusCode' | 'body'>;

/** n8n's page for an execution that has ended: the answer of a login page has the same status. */
const ENDED = /<title>No action required/;

/** Whether this is n8n's word on a press, or on an execution that runs, has ended or was deleted: not a wrong path. */
const isOfN8n = ({ statusCode, body }: Answer): boolean =>
	statusCode === 409 ||
	at(body, 'taken') !== undefined ||
	ENDED.test(String(body)) ||
	(statusCode === 404 && /execution/.test(textAt(body, 'message') ?? ''));

/**
 * n8n's word on an execution of another workflow: with its database restored from a backup, or on another machine, n8n
 * gives the same IDs again. A login may be refused in the same words, so every other route goes first.
 */
const isOfOther = ({ statusCode, body }: Answer): boolean =>
	statusCode === 401 && textAt(body, 'error') === 'Invalid token';

/** Posts a press by the first route to n8n, not to a gateway or a login page; `undefined` when none leads there. */
async function post(
	context: Reporter,
	routes: Route[],
	question: string,
	body: SignedPress,
): Promise<Answer | undefined> {
	let ofOther: Answer | undefined;
	for (const route of isLocal ? routes.toReversed() : routes) {
		const answer = await postBy(context, route, question, body);
		if (answer && isOfN8n(answer)) {
			isLocal = route !== routes[0];
			return answer;
		}
		// A gateway was less patient than n8n's concurrency limit, or put a page of its own in place of the answer.
		if (await acceptanceOf(question, body.signature)) return TAKEN;
		if (answer && isOfOther(answer)) ofOther = answer;
	}
	return ofOther;
}

const TAKEN: Answer = { statusCode: 200, body: { taken: true } };

async function postBy(
	context: Reporter,
	route: Route,
	question: string,
	body: SignedPress,
): Promise<Answer | undefined> {
	const patience = new AbortController();
	const { posting } = await judgements.run(async () => {
		const posting: Promise<Answer | undefined> = context.helpers
			.httpRequest({
				...route,
				method: 'POST',
				body,
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: LONGEST_MS,
				abortSignal: patience.signal,
			})
			.catch(() => undefined);
		const isJudged = (): boolean => acceptanceOf(question, body.signature) !== undefined;
		await settledWithin(ANSWER_TIMEOUT_MS, posting, isJudged);
		if (!isJudged()) patience.abort();
		// Not awaited: what n8n has taken leaves its place to the next, however long its answer takes.
		return { posting };
	});
	return await posting;
}

/** Whether the time to answer a question is over. */
export const isExpired = ({ till = Infinity }: Ticket): boolean => till <= Date.now();

/** How long a refusal counts for the same person, in ms: to judge a press may take n8n a second. */
const REFUSED_MS = 10_000;

/** The last press, or else text, of each person for a question, and its refusal, if any. */
const reported = new BoundedMap<string, { refusal: Promise<string | undefined>; at: number }>(1000);

/** Reports a press: `undefined` when taken, else the text for the person. Throws when no route leads to n8n in time. */
export async function reportPress(
	context: Reporter,
	ticket: Ticket,
	token: string,
	press: Press,
): Promise<string | undefined> {
	const { question, user_id, message_id, written } = press;
	const key = JSON.stringify([question, user_id, message_id, written !== undefined]);
	const before = reported.get(key);
	const now = realClock.now();
	const isFresh = before !== undefined && now - before.at < REFUSED_MS;
	const known = isFresh ? await before.refusal.catch(() => undefined) : undefined;
	if (known !== undefined) return known;
	const refusal = reportUntilJudged(context, ticket, signPress(token, press));
	reported.set(key, { refusal, at: now });
	return await refusal;
}

/** The same, until it is taken or refused: with `late` when the execution has ended. */
async function reportUntilJudged(
	context: Reporter,
	ticket: Ticket,
	body: SignedPress,
): Promise<string | undefined> {
	const { url, question, late = DEFAULT_TEXTS.late } = ticket;
	const routes = routesTo(context, url);
	let end: number | undefined;
	for (;;) {
		const answer = await post(context, routes, question, body);
		// Many answers at once wait for each other before that.
		end ??= realClock.now() + PATIENCE_MS;
		const isRunning =
			answer?.statusCode === 409 && /running/.test(textAt(answer.body, 'message') ?? '');
		if (answer && answer.statusCode < 500) {
			const isTaken = at(answer.body, 'taken') === true;
			// n8n may have taken it only after an earlier request was given up.
			if (isTaken || (await acceptanceOf(question, body.signature))) return undefined;
			if (!isRunning) return textAt(answer.body, 'notification') ?? late;
		}
		const isLate = realClock.now() > end;
		// An execution that has gone on looks like one that is about to wait.
		if (isRunning && (isLate || isAnswered(question) || isExpired(ticket))) return late;
		if (isLate) {
			throw new NodeOperationError(context.getNode(), UNREACHABLE);
		}
		await sleep(PAUSE_MS);
	}
}
