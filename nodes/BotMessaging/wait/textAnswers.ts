import { messageById } from '../form/history';
import { keysOfChat } from '../form/target';
import { BoundedMap } from '../service/boundedMap';
import { openService } from '../service/client';
import { settledWithin } from '../service/clock';
import { at, textAt } from '../service/read';
import { chatOf, personOf, type Update } from '../events/events';
import { contentOf, linkOf } from '../events/output';
import type { PressContext } from './report';
import { ticketIn } from './ticket';

/** A question that is answered by writing. */
interface PendingQuestion {
	payload: string;
	message_id: string;
	/** When it was asked, Unix ms by the service's clock; 0 if unknown. */
	time: number;
}

/** Maximum number of questions to remember of each bot in a chat; the oldest are forgotten. */
const MOST_QUESTIONS = 5;

/**
 * Questions asked by this process, by chat, newest last: the next message in a dialog answers the newest. A question that
 * is not here, as after a restart and in other processes, can be looked up by a reply to it.
 */
const pending = new BoundedMap<string, Array<PendingQuestion & { botKey: string }>>(10_000);

/** Adds a question to its chat: a new one, or one whose answer could not be passed on. */
export function addPending(botKey: string, chatId: string, question: PendingQuestion): void {
	const questions = [...(pending.get(chatId) ?? []), { ...question, botKey }];
	pending.delete(chatId);
	questions.sort((a, b) => a.time - b.time);
	// Those of another bot stay: chats of two services may have the same ID.
	const own = questions.filter((each) => each.botKey === botKey);
	const forgotten = own.slice(0, -MOST_QUESTIONS);
	const kept = questions.filter((each) => !forgotten.includes(each));
	pending.set(chatId, kept);
}

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
const LONGEST_DECISION_MS = 17_000;

/** What is being decided: whether messages answer a question, by chat; which message a question is, by recipient. */
const undecided = new Map<string, Set<Promise<unknown>>>();

/** Resolves like `deciding`; until then, others can wait for its end. */
export async function trackDecision<T>(place: string, deciding: Promise<T>): Promise<T> {
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
export async function decisionsSettled(place: string): Promise<void> {
	const ofPlace = undecided.get(place);
	if (ofPlace) await settledWithin(LONGEST_DECISION_MS, Promise.allSettled(ofPlace));
}

/**
 * Timeout for reading the message that a person replied to, and how long that is retried, in ms. Twice the timeout is
 * still within the time that the service waits: an answer that cannot be told from other messages starts the workflow.
 */
const LOOK_TIMEOUT_MS = 8000;
const LOOK_PATIENCE_MS = 2000;

/** The chat ID of a message in a dialog; `undefined` in other chats. */
const dialogOf = (update: Update): string | undefined =>
	at(update, 'message', 'recipient', 'chat_type') === 'dialog' ? chatOf(update) : undefined;

/** The keys that questions to the writer of a message in this dialog can have. */
function recipientsIn(update: Update): string[] {
	const dialog = dialogOf(update);
	return dialog === undefined ? [] : keysOfChat(dialog, personOf(update));
}

/** Whether a message can answer a question at all. For others, the credential is not read, which is expensive. */
export function mayAnswer(update: Update): boolean {
	// Some services send a bot its own messages, including the question. Unsigned ones cannot be told from those of people.
	if (at(update, 'message', 'sender', 'is_bot') === true) return false;
	const { text, attachments } = contentOf(update.message);
	if (!text && attachments.length === 0) return false;
	const reply = linkOf(update.message, 'reply');
	// The sender of an unsigned post in a channel is not told, so it may be the bot.
	if (reply !== undefined) return at(reply, 'sender', 'is_bot') !== false;
	return (
		pending.has(dialogOf(update) ?? '') || recipientsIn(update).some((one) => undecided.has(one))
	);
}

/** The question that a message may answer: the one it replies to, or the newest one before it in its dialog. */
export async function questionAnswered(
	context: PressContext,
	botKey: string,
	update: Update,
): Promise<PendingQuestion | undefined> {
	const reply = linkOf(update.message, 'reply');
	if (reply === undefined) {
		// An answer can be faster than the service's word that the question was sent.
		await Promise.all(recipientsIn(update).map(decisionsSettled));
		// A message may be delivered again after the question that its workflow asks.
		return takePending(botKey, dialogOf(update) ?? '', ({ time }) => time <= update.timestamp);
	}
	const message_id = textAt(reply, 'message', 'mid');
	if (message_id === undefined) return undefined;
	const known = takePending(botKey, chatOf(update) ?? '', (one) => one.message_id === message_id);
	if (known) return known;
	const payload =
		ticketIn(at(reply, 'message')) ?? (await lookUpTicket(context, botKey, message_id));
	return payload === undefined ? undefined : { payload, message_id, time: 0 };
}

/** Messages in which a bot found no question, by its key and their ID. */
const noQuestions = new BoundedMap<string, true>(1000);

/** The ticket in a message, read from the service: events omit the buttons of a message that is replied to. */
async function lookUpTicket(
	context: PressContext,
	botKey: string,
	message_id: string,
): Promise<string | undefined> {
	const key = `${botKey} ${message_id}`;
	if (noQuestions.has(key)) return undefined;
	try {
		const service = await openService(context, { patienceMs: LOOK_PATIENCE_MS });
		const body = at(await messageById(service, message_id, LOOK_TIMEOUT_MS), 'body');
		const ticket = ticketIn(body);
		if (body !== undefined && ticket === undefined) noQuestions.set(key, true);
		return ticket;
	} catch {
		return undefined;
	}
}
