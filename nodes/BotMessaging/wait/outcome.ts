import type { IWebhookFunctions } from 'n8n-workflow';
import { openService } from '../service/client';
import type { ExactJson } from '../service/json';
import { escapeHtml } from './page';
import type { Press } from './ticket';

const NOT_ALLOWED = 'You are not allowed to answer this request.';

/** Tells a person who is not among the allowed ones that the press did nothing. */
export async function refusePress(context: IWebhookFunctions, press: Press): Promise<void> {
	await answer(context, press, { notification: NOT_ALLOWED });
}

/** Shows in the message who decided what, without its buttons. The decision counts even when this fails. */
export async function showOutcome(context: IWebhookFunctions, press: Press): Promise<void> {
	const format = context.getNodeParameter('options.format', '') || undefined;
	// Without a format both texts are the same, unless the parameter cannot be resolved again at this time.
	const text = format === undefined ? press.text : String(context.getNodeParameter('message', ''));
	const who = press.user_name || press.user_id;
	const name = format === 'html' ? escapeHtml(who) : who.replace(/[\\`*_~+^[\]#>]/g, '');
	const outcome = `${press.approved ? '✅ Approved' : '🚫 Declined'} by ${name}`;
	const message = {
		text: `${text}\n\n${outcome}`,
		attachments: [],
		format: format === undefined ? undefined : String(format),
	};
	await answer(context, press, { message });
}

async function answer(
	context: IWebhookFunctions,
	{ callback_id }: Press,
	body: { [key: string]: ExactJson },
): Promise<void> {
	try {
		const service = await openService(context, { patienceMs: 5000 });
		await service.request({
			method: 'POST',
			twice: 'again',
			path: '/answers',
			query: { callback_id },
			body,
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.warn(`The answer to a button press could not be shown: ${reason}`);
	}
}
