import {
	NodeOperationError,
	sleep,
	type IHttpRequestOptions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { openService } from '../service/client';
import { readConnection } from '../service/connection';
import { at, nameOf, textAt } from '../service/read';
import { shapeOf } from '../events/events';
import type { Update } from '../events/update';
import { openTicket, signPress, type Press, type SignedPress } from './ticket';

/** A press can overtake the storing of the execution that waits for it: so often it is reported again. */
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** The service wants its answer within 30 s. */
const ANSWER_TIMEOUT_MS = 8000;

const TOO_LATE = 'This request has already been answered.';

/**
 * Passes the press of a button of Send and Wait on to the execution that waits for it. Returns whether the event
 * was such a press and so is done with; every other event is left to the workflow of the trigger.
 *
 * @throws NodeOperationError when the waiting execution cannot be reached; the service then delivers the press again
 */
export async function passOnPress(context: Context, update: Update): Promise<boolean> {
	const payload = textAt(update, 'callback', 'payload');
	if (update.update_type !== 'message_callback' || payload === undefined) return false;
	const { token } = await readConnection(context);
	const ticket = openTicket(token, payload);
	if (!ticket) return false;
	const press = pressOf(update, ticket.approved);
	if (!(await report(context, ticket.url, signPress(token, press)))) {
		await notify(context, press.callback_id);
	}
	return true;
}

function pressOf(update: Update, approved: boolean): Press {
	const shape = shapeOf(update);
	const user = at(update, 'callback', 'user');
	return {
		approved,
		callback_id: textAt(update, 'callback', 'callback_id') ?? '',
		user_id: textAt(user, 'user_id') ?? '',
		user_name: nameOf(user) ?? '',
		chat_id: shape?.chat(update) ?? '',
		message_id: shape?.messageId(update) ?? '',
		text: textAt(update, 'message', 'body', 'text') ?? '',
	};
}

type Context = IWebhookFunctions | ITriggerFunctions;

type Route = Pick<IHttpRequestOptions, 'url' | 'agentOptions'>;

/**
 * Ways to the resume address: as it is, and by the port of this very n8n, since many an n8n cannot reach itself at its
 * public address. The certificate is checked against the public name either way.
 */
function routesTo(context: Context, address: string): Route[] {
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

/** Posts a press by the first route that gives an answer. */
async function post(context: Context, routes: Route[], body: SignedPress): Promise<Answer> {
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
		// A gateway answers for an n8n that it cannot reach.
		if (answer && answer.statusCode < 500) return answer;
	}
	throw new NodeOperationError(context.getNode(), 'The waiting execution could not be reached', {
		description:
			'A button of Send and Wait was pressed, and this n8n does not answer at its own address. Check WEBHOOK_URL of n8n.',
	});
}

/** Returns whether an execution took the press: one that has ended answers with a page for people instead. */
async function report(context: Context, url: string, body: SignedPress): Promise<boolean> {
	const routes = routesTo(context, url);
	for (let attempt = 1; ; attempt++) {
		const answer = await post(context, routes, body);
		if (answer.statusCode === 200) return at(answer.body, 'taken') === true;
		const isRunning =
			answer.statusCode === 409 && /running/.test(textAt(answer.body, 'message') ?? '');
		if (!isRunning || attempt === ATTEMPTS) return false;
		await sleep(PAUSE_MS);
	}
}

async function notify(context: Context, callback_id: string): Promise<void> {
	const service = await openService(context);
	await service.request({
		method: 'POST',
		twice: 'again',
		path: '/answers',
		query: { callback_id },
		body: { notification: TOO_LATE },
	});
}
