import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { TEXT_LIMIT } from '../form/content';
import { answerRequest, chatKeyOfMessage, deletionRequest, editRequest } from '../form/target';
import { openService } from '../service/client';
import type { JsonObject } from '../service/json';
import { reasonOf } from '../service/failure';
import type { Service } from '../service/types';
import type { TextPart } from '../text/split';
import { escapeHtml } from './page';
import type { Question } from './question';
import { fillIn } from './texts';
import type { Press } from './ticket';

/** How long a message may wait for the service to show the outcome, in ms. */
const PATIENCE_MS = 5000;

/**
 * Makes ready what becomes of the message of a question. It is done once n8n has confirmed the answer: of two
 * presses at the same moment n8n takes one and refuses the other, so that nothing may be told before. The answer
 * counts even when it cannot be shown.
 */
export async function prepareOutcome(
	context: IWebhookFunctions,
	question: Question,
	answer: IDataObject,
	press: Press | undefined,
): Promise<void> {
	const warn = (error: unknown): void => {
		context.logger.warn(`The answer to a message could not be shown in it: ${reasonOf(error)}`);
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
	question: Question,
	answer: IDataObject,
	press: Press | undefined,
): Promise<void> {
	const { after, message_id } = question;
	if (after === 'delete') {
		if (message_id) await service.request(deletionRequest(message_id));
		return;
	}
	// A press is answered by the change of its message, or by a blank notification (wire 5.5).
	const callback_id = press?.callback_id;
	const message = after === 'keep' ? undefined : changed(question, answer, press);
	if (callback_id) {
		const body: JsonObject = message ? { message } : { notification: ' ' };
		const chat = chatKeyOfMessage(message_id);
		await service.request(answerRequest(callback_id, body, chat));
	} else if (message && message_id) {
		await service.request(editRequest(message_id, message));
	}
}

/** Keeps marks in a name or an answer from having an effect, by the format of the text around; plain text has none. */
const AS_PLAIN: Record<NonNullable<TextPart['format']>, (value: string) => string> = {
	html: escapeHtml,
	markdown: (value) => value.replace(/[\\`*_~+^[\]#>]/g, ''),
};

/** A value of a form as people read it. */
const shownValue = (value: unknown): string =>
	typeof value === 'boolean' ? (value ? '✓' : '✗') : String(value ?? '');

/** An answer as people read it: the label of a button, a text, or what was filled in of a form. */
function inWords({ kind, choices }: Question, answer: IDataObject): string {
	if (kind === 'approval') return choices[answer.approved === true ? 0 : 1] ?? '';
	if (kind === 'choices') return String(answer.choice);
	// A person may answer with a picture alone.
	if (kind === 'freeText') return String(answer.text) || '📎';
	return Object.entries(answer)
		.filter(([, value]) => shownValue(value) !== '')
		.map(([label, value]) => `${label}: ${shownValue(value)}`)
		.join(', ');
}

/** The message without its buttons, with what there is to say. */
function changed(question: Question, answer: IDataObject, press: Press | undefined): JsonObject {
	const { kind, after, asked, replacement, texts } = question;
	const { text, format } = after === 'replace' ? replacement : asked;
	const plain = format ? AS_PLAIN[format] : String;
	const approval = answer.approved === true ? texts.approved : texts.declined;
	const outcome = kind === 'approval' ? approval : texts.answered;
	const values = {
		name: plain(press ? press.user_name || press.user_id : texts.nobody),
		answer: plain(inWords(question, answer)),
	};
	const shown: Partial<Record<Question['after'], string>> = {
		show: `${text}\n\n${fillIn(outcome, values)}`,
		replace: fillIn(text, values),
	};
	return { text: cut(shown[after] ?? text), attachments: [], format };
}

/** A text as long as a message can be, in UTF-16 code units; no character is cut in half. */
const cut = (text: string): string => text.slice(0, TEXT_LIMIT).replace(/[\uD800-\uDBFF]$/, '');
