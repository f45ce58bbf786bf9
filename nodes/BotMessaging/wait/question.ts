import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { at } from '../service/read';
import type { TextPart } from '../text/split';
import type { FormPage } from './page';
import type { Texts } from './texts';

/**
 * What an execution remembers of the question it waits on. Everything an answer is judged by was resolved when the
 * question was sent: nothing that is evaluated later can change who may answer, or what an answer means.
 */
export interface Question {
	/** Random; buttons and links carry it, so that those of an earlier question of the node answer nothing. */
	id: string;
	kind: 'approval' | 'choices' | 'freeText' | 'customForm';
	/** Where the answer is given. */
	place: 'chat' | 'page';
	/** IDs of the people who may answer in the chat; `null` for everybody. */
	allowed: string[] | null;
	/** The message that asks; empty when the service did not tell its ID. */
	message_id: string;
	/** Its text as it was sent. */
	asked: TextPart;
	/** Labels of the buttons to choose from; of an approval the first approves. */
	choices: string[];
	/** What becomes of the message when it was answered, and the text that may replace it. */
	after: 'show' | 'keep' | 'buttons' | 'replace' | 'delete';
	replacement: TextPart;
	texts: Texts;
	/** The page that a free text or a form is given on; `null` for other answers. */
	page: FormPage | null;
}

const KEY = 'question';

/** Keeps the question with the execution, in n8n's database: a restart and other processes find it there. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node')[KEY] = JSON.stringify(question);
}

/**
 * The question that an execution waits on, `undefined` when there is none. A webhook reads what its node keeps by an
 * expression: n8n offers it no other way.
 */
export function questionOf(context: IWebhookFunctions): Question | undefined {
	const name = JSON.stringify(context.getNode().name).replace(/[{}]/g, toEscape);
	const kept = context.evaluateExpression(`{{ $(${name}).context.${KEY} }}`);
	const question: Question | undefined = typeof kept === 'string' ? JSON.parse(kept) : undefined;
	return typeof at(question, 'id') === 'string' ? question : undefined;
}

const toEscape = (brace: string): string => `\\u00${brace.charCodeAt(0).toString(16)}`;

/** A question that waits for a message of the person. */
export interface PendingQuestion {
	/** Sealed ticket of the question. */
	payload: string;
	message_id: string;
}

/** So many dialogs are remembered, and so many questions in each; the oldest is forgotten first. */
const MOST_DIALOGS = 10_000;
const MOST_QUESTIONS = 5;

/**
 * Questions that were asked by this process, by dialog, the newest last: there the person's next message answers. A reply
 * to a question finds its way without this memory, so a restart and other processes lose nothing else.
 */
const pending = new Map<string, Array<PendingQuestion & { botKey: string }>>();

/** Notes the newest question of a dialog. */
export function notePending(botKey: string, chatId: string, question: PendingQuestion): void {
	const questions = [...(pending.get(chatId) ?? []), { ...question, botKey }];
	pending.delete(chatId);
	pending.set(chatId, questions.slice(-MOST_QUESTIONS));
	const [oldest = chatId] = pending.keys();
	if (pending.size > MOST_DIALOGS) pending.delete(oldest);
}

/** Whether a question waits in a dialog, of whatever bot. */
export const isPending = (chatId: string): boolean => pending.has(chatId);

/** Takes the newest question of a dialog, so that one message answers it; with `messageId` that very question or none. */
export function takePending(
	botKey: string,
	chatId: string,
	messageId?: string,
): PendingQuestion | undefined {
	const questions = pending.get(chatId) ?? [];
	const index = questions.findLastIndex(
		(question) =>
			question.botKey === botKey && (messageId === undefined || question.message_id === messageId),
	);
	const [taken] = index < 0 ? [] : questions.splice(index, 1);
	if (questions.length === 0) pending.delete(chatId);
	return taken;
}
