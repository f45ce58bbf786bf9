import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { nodeInExpression } from '../form/nodeInExpression';
import { settledWithin } from '../service/clock';
import { evictOldest } from '../service/evict';
import { at } from '../service/read';
import type { TextFormat } from '../text/format';
import type { TextPart } from '../text/split';
import type { FormPage } from './page';
import type { Texts } from './texts';

/**
 * What an execution remembers about the question it waits for. Everything that decides about an answer is resolved when
 * the question is sent: nothing that is evaluated later can change who may answer, or what an answer means.
 */
export interface Question {
	/** Random. Buttons and links carry it, so that those of an earlier question of the node have no effect. */
	id: string;
	kind: 'approval' | 'choices' | 'freeText' | 'customForm';
	place: 'chat' | 'page';
	/** IDs of the people who may answer in the chat; `null` for everybody. */
	allowed: string[] | null;
	/** ID of the message that asks; empty when the service did not return it. */
	message_id: string;
	/** When the execution stops waiting for an answer, Unix ms. */
	till: number;
	asked: TextPart;
	/** The chosen format, also of what is shown after the answer; `undefined` for plain text. */
	format?: TextFormat;
	/** Labels of the answer buttons; of an approval, the first one approves. */
	choices: string[];
	/** What happens to the message after the answer, and the text for `replace`. */
	after: 'show' | 'keep' | 'buttons' | 'replace' | 'delete';
	replacement: TextPart;
	/** How the message is sent, and changed after the answer; `undefined` leaves it to the service. */
	notify?: boolean;
	disable_link_preview?: boolean;
	texts: Texts;
	/** The page with a free text field or a form; `null` for other answers. */
	page: FormPage | null;
}

const KEY = 'question';

/** Stores the question with the execution in n8n's database, for other processes and after restarts. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node')[KEY] = JSON.stringify(question);
}

/**
 * The question that an execution waits for; `undefined` when there is none. Uses an expression: n8n offers a webhook no
 * other way to read the context of its node.
 */
export function questionOf(context: IWebhookFunctions): Question | undefined {
	const node = nodeInExpression(context.getNode().name);
	const kept = context.evaluateExpression(`{{ ${node}.context.${KEY} }}`);
	const question: Question | undefined = typeof kept === 'string' ? JSON.parse(kept) : undefined;
	return typeof at(question, 'id') === 'string' ? question : undefined;
}

/** A question that is answered by writing. */
export interface PendingQuestion {
	/** Sealed ticket of the question. */
	payload: string;
	message_id: string;
	/** When it was asked, Unix ms by the service's clock; 0 if unknown. */
	time: number;
}

/** Maximum numbers of chats to remember and of questions in each; the oldest are evicted. */
const MOST_CHATS = 10_000;
const MOST_QUESTIONS = 5;

/**
 * Questions asked by this process, by chat, newest last: the next message in a dialog answers the newest. A question that
 * is not here, as after a restart and in other processes, can be looked up by a reply to it.
 */
const pending = new Map<string, Array<PendingQuestion & { botKey: string }>>();

/** Adds a question to its chat: a new one, or one whose answer could not be passed on. */
export function notePending(botKey: string, chatId: string, question: PendingQuestion): void {
	const questions = [...(pending.get(chatId) ?? []), { ...question, botKey }];
	pending.delete(chatId);
	questions.sort((a, b) => a.time - b.time);
	pending.set(chatId, questions.slice(-MOST_QUESTIONS));
	evictOldest(pending, MOST_CHATS);
}

/** Whether a question of any bot waits in a chat. */
export const isPending = (chatId: string): boolean => pending.has(chatId);

/** Removes and returns a bot's newest question in a chat that fits. */
export function takePending(
	botKey: string,
	chatId: string,
	fits: (question: PendingQuestion) => boolean,
): PendingQuestion | undefined {
	const questions = pending.get(chatId) ?? [];
	const index = questions.findLastIndex((question) => question.botKey === botKey && fits(question));
	const [taken] = index < 0 ? [] : questions.splice(index, 1);
	if (questions.length === 0) pending.delete(chatId);
	return taken;
}

/** How long others wait for a decision at the most, in ms: longer than a message is looked up. */
const LONGEST_DECISION_MS = 5500;

/** What is being decided: whether messages answer a question, by chat; which message a question is, by recipient. */
const undecided = new Map<string, Set<Promise<unknown>>>();

/** Whether something is being decided about a chat or recipient. */
export const isUndecided = (place: string): boolean => undecided.has(place);

/** Resolves like `deciding`; until then, others can wait for its end. */
export async function decideIn<T>(place: string, deciding: Promise<T>): Promise<T> {
	const ofPlace = undecided.get(place) ?? new Set();
	undecided.set(place, ofPlace.add(deciding));
	try {
		return await deciding;
	} finally {
		ofPlace.delete(deciding);
		if (ofPlace.size === 0) undecided.delete(place);
	}
}

/** Resolves when everything is decided that is being decided about a chat or recipient, or when that takes too long. */
export async function decisionsIn(place: string): Promise<void> {
	const ofPlace = undecided.get(place);
	if (ofPlace) await settledWithin(LONGEST_DECISION_MS, Promise.allSettled(ofPlace));
}
