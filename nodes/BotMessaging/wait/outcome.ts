import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { openService } from '../service/client';
import type { Service } from '../service/types';
import { escapeHtml } from './page';
import type { Question } from './question';
import type { Press } from './ticket';

/** How long a message may wait for the service to show the outcome, in ms. */
const PATIENCE_MS = 5000;

/**
 * Makes ready what is shown in the message of a question: who decided what, without its buttons. It is shown once
 * n8n has confirmed the answer: of two presses at the same moment n8n takes one and refuses the other, so that
 * nothing may be told before. The decision counts even when it cannot be shown.
 */
export async function prepareOutcome(
	context: IWebhookFunctions,
	question: Question,
	answer: IDataObject,
	press: Press | undefined,
): Promise<void> {
	if (!press) return;
	const warn = (error: unknown): void => {
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.warn(`The answer to a message could not be shown in it: ${reason}`);
	};
	try {
		// The credential cannot be counted on after the answer.
		const service = await openService(context, { patienceMs: PATIENCE_MS });
		const response = context.getResponseObject();
		response.once('finish', () => {
			if (response.statusCode === 200) void show(service, question, answer, press).catch(warn);
		});
	} catch (error) {
		warn(error);
	}
}

async function show(
	service: Service,
	{ text, format }: Question,
	{ approved }: IDataObject,
	{ callback_id, user_name, user_id }: Press,
): Promise<void> {
	const who = user_name || user_id;
	const name = format === 'html' ? escapeHtml(who) : who.replace(/[\\`*_~+^[\]#>]/g, '');
	const outcome = `${approved ? '✅ Approved' : '🚫 Declined'} by ${name}`;
	await service.request({
		method: 'POST',
		twice: 'again',
		path: '/answers',
		query: { callback_id },
		body: {
			message: { text: `${text}\n\n${outcome}`, attachments: [], format: format ?? undefined },
		},
	});
}
