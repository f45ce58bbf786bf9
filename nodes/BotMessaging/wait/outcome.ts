import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { answerRequest, deletionRequest, editRequest } from '../form/message/requests';
import { chatKeyOfMessage } from '../form/target';
import { openService } from '../service/client';
import type { JsonObject } from '../service/json';
import { TEXT_LIMIT } from '../service/limits';
import { reasonOf } from '../service/failure';
import { UNSEEN } from '../service/read';
import type { Service } from '../service/types';
import { truncate } from '../service/errorMessages';
import { FormattedText, visibleOf } from '../text/format';
import { escapeHtml } from '../text/html';
import type { TextPart } from '../text/rich';
import type { Question } from './question';
import { fillIn } from './texts';
import type { Press } from './ticket';

/** How long requests that show the outcome are retried, in ms. */
const PATIENCE_MS = 5000;

/** An answer to a question, and the press that gave it; `undefined` for an answer on a page. */
interface Answered {
	question: Question;
	answer: IDataObject;
	press?: Press;
}

/**
 * Prepares the update of the question's message. It is sent once n8n has taken the answer: of two simultaneous presses,
 * n8n refuses one, so nothing may be shown before. The answer counts even when it cannot be shown.
 */
export async function prepareOutcome(
	context: IWebhookFunctions,
	answered: Answered,
	taking: Promise<boolean>,
): Promise<void> {
	const warn = (error: unknown): void => {
		const reason = reasonOf(error);
		context.logger.warn(`A question was not changed as 'After the Answer' says: ${reason}`);
	};
	// Read the credential now: after the answer it may no longer be available.
	const service = await openService(context, { patienceMs: PATIENCE_MS }).catch(warn);
	if (!service) return;
	void taking.then(async (taken) => taken && (await show(service, answered))).catch(warn);
}

/** Shows the outcome. A message that the service does not delete, as not every service can, loses its buttons. */
async function show(service: Service, answered: Answered): Promise<void> {
	const { after, message_id } = answered.question;
	if (after !== 'delete' || !message_id) return await showByChange(service, answered);
	await service.request(deletionRequest(message_id)).catch(async (error: unknown) => {
		await showByChange(service, answered);
		throw error;
	});
}

async function showByChange(service: Service, answered: Answered): Promise<void> {
	const { after, message_id, disable_link_preview } = answered.question;
	const message = after === 'keep' ? undefined : changed(answered);
	const edit = message && message_id ? editRequest(message_id, message) : undefined;
	const callback_id = answered.press?.callback_id;
	if (!callback_id) {
		if (edit) await service.request(edit);
		return;
	}
	// A press is acknowledged by changing its message, or by a blank notification (wire 5.5).
	const body: JsonObject = message ? { message } : { notification: ' ' };
	const chat = chatKeyOfMessage(message_id);
	const taken = service.request(answerRequest(callback_id, body, chat, disable_link_preview));
	// How long a press can be answered is not known, and n8n may take its time.
	await (edit ? taken.catch(async () => await service.request(edit)) : taken);
}

/** Neutralizes markup in a name or an answer, by the format of the surrounding text; plain text needs nothing. */
const AS_PLAIN: Record<NonNullable<TextPart['format']>, (value: string) => string> = {
	html: escapeHtml,
	markdown: (value) => value.replace(/[\\`*_~+^[\]#>]/g, ''),
};

/** Shown for a name or an answer that has nothing to show: the service refuses a message of nothing else. */
const NOTHING = '–';

/** A character that shows something: by themselves, those that join others do not, nor does braille without dots. */
const SEEN = /[^\ufe0f\s\u2800\u200c\u200d]/;

/** Keeps what a person chose or wrote from turning, hiding or imitating what stands beside it. */
const unmasked = (value: string): string => value.replaceAll('\t', ' ').replace(UNSEEN, '');

/** A name has one line: others could look like the answers of other people. */
const oneLine = (name: string): string => unmasked(name.replace(/\s+/g, ' '));

const shownValue = (value: unknown): string =>
	typeof value === 'boolean' ? (value ? '✓' : '✗') : String(value ?? '');

/** A readable answer: the label of a button, a text, or the fields that were filled in. */
function inWords({ kind, labels }: Question, answer: IDataObject): string {
	if (kind === 'approval') return labels[answer.approved === true ? 0 : 1] ?? '';
	if (kind === 'choices') return String(answer.choice);
	// The answer may be an attachment without text.
	if (kind === 'freeText') return String(answer.text) || '📎';
	return Object.entries(answer)
		.filter(([, value]) => shownValue(value) !== '')
		.map(([label, value]) => `${label}: ${shownValue(value)}`)
		.join(', ');
}

/** What is shown below the question after an answer, in the format of the question; `undefined` if nothing is. */
function outcomeOf(question: Question, answer: IDataObject): TextPart | undefined {
	const { kind, after, texts, format } = question;
	if (after !== 'show') return undefined;
	const approval = answer.approved === true ? texts.approved : texts.declined;
	const template = kind === 'approval' ? approval : texts.answered;
	return new FormattedText(template, format).whole(TEXT_LIMIT);
}

/** The changed message: without its buttons, and with the text that `after` asks for. */
function changed({ question, answer, press }: Answered): JsonObject {
	const { after, asked, replacement, texts, notify } = question;
	const main = after === 'replace' ? replacement : asked;
	const below = outcomeOf(question, answer);
	const names = press ? [oneLine(press.user_name), press.user_id] : [texts.nobody];
	const words = [unmasked(inWords(question, answer))];
	const shownIn = (format: TextPart['format']): { text: string; outcome: string } => {
		const plain = format ? AS_PLAIN[format] : String;
		const read = (part: TextPart): string => {
			if (part.format === format) return part.text;
			return format ? plain(part.text) : visibleOf(part);
		};
		const seen = (values: string[]): string =>
			values.map((value) => plain(value).trim()).find((value) => SEEN.test(value)) ?? NOTHING;
		const values = { name: seen(names), answer: seen(words) };
		return {
			text: after === 'replace' ? fillIn(read(main), values) : read(main),
			outcome: below ? `\n\n${fillIn(read(below), values)}` : '',
		};
	};
	// Markdown without marks is sent as plain text, and the other part may be HTML.
	const format = main.format ?? below?.format;
	const whole = shownIn(format);
	const text = whole.text + whole.outcome;
	if (text.length <= TEXT_LIMIT) return { text, attachments: [], format, notify };
	// Without its marks, a text can be cut anywhere. The question makes room for the answer.
	const bare = shownIn(undefined);
	const room = Math.max(TEXT_LIMIT / 2, TEXT_LIMIT - bare.outcome.length);
	const both = truncate(bare.text, room) + bare.outcome;
	return { text: truncate(both, TEXT_LIMIT), attachments: [], notify };
}
