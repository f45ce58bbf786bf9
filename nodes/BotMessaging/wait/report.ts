import {
	NodeOperationError,
	sleep,
	type IHttpRequestOptions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { at, textAt } from '../service/read';
import { DEFAULT_TEXTS } from './texts';
import type { SignedPress, Ticket } from './ticket';

/** A press can overtake the storing of the execution that waits for it: until then it is reported again, in ms. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 500;

/** Longest wait for one answer, in ms; the service wants its own within 30 s. */
const ANSWER_TIMEOUT_MS = 5000;

/** Where presses arrive: at the trigger's webhook, or by polling. */
export type PressContext = IWebhookFunctions | ITriggerFunctions;

type Route = Pick<IHttpRequestOptions, 'url' | 'agentOptions'>;

/**
 * Ways to the resume address: as it is, and by the port of this very n8n, since many an n8n cannot reach itself at its
 * public address. The certificate is checked against the public name either way.
 */
function routesTo(context: PressContext, address: string): Route[] {
	if (!('getRequestObject' in context)) return [{ url: address }];
	const { hostname, pathname, search } = new URL(address);
	const { socket } = context.getRequestObject();
	const ip = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
	const host = ip.includes(':') ? `[${ip}]` : ip;
	const protocol = 'encrypted' in socket ? 'https' : 'http';
	return [
		{ url: address },
		{
			url: `${protocol}://${host}:${socket.localPort}${pathname}${search}`,
			agentOptions: { servername: hostname },
		},
	];
}

interface Answer {
	statusCode: number;
	body: unknown;
}

/** Posts a press by the first route that gives an answer; `undefined` when none does. */
async function post(
	context: PressContext,
	routes: Route[],
	body: SignedPress,
): Promise<Answer | undefined> {
	for (const route of routes) {
		const answer: Answer | undefined = await context.helpers
			.httpRequest({
				...route,
				method: 'POST',
				body,
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: ANSWER_TIMEOUT_MS,
			})
			.catch(() => undefined);
		// A gateway answers for an n8n that it cannot reach, and n8n itself for a press that came second.
		if (answer && answer.statusCode < 500) return answer;
	}
	return undefined;
}

/**
 * Reports a press to its execution until that has taken or refused it. Returns `undefined` when it was taken, else
 * what the person is told; executions that have ended answer with a page instead.
 */
export async function report(
	context: PressContext,
	{ url, late = DEFAULT_TEXTS.late }: Ticket,
	body: SignedPress,
): Promise<string | undefined> {
	const routes = routesTo(context, url);
	const end = Date.now() + PATIENCE_MS;
	for (;;) {
		const answer = await post(context, routes, body);
		const isRunning =
			answer?.statusCode === 409 && /running/.test(textAt(answer.body, 'message') ?? '');
		if (answer && !isRunning) {
			const isTaken = answer.statusCode === 200 && at(answer.body, 'taken') === true;
			return isTaken ? undefined : (textAt(answer.body, 'notification') ?? late);
		}
		if (Date.now() > end) {
			if (isRunning) return late;
			throw new NodeOperationError(
				context.getNode(),
				'The waiting execution could not be reached',
				{
					description:
						'A button of Send and Wait was pressed, and this n8n does not answer at its own address. Check WEBHOOK_URL of n8n.',
				},
			);
		}
		await sleep(PAUSE_MS);
	}
}
