/** A question that waits for a message of the person. */
export interface PendingQuestion {
	/** Sealed ticket of the question. */
	payload: string;
	message_id: string;
}

/** So many dialogs are remembered; the oldest is forgotten first. */
const MOST_DIALOGS = 10_000;

/**
 * Questions that were asked by this process, by bot and dialog: there the person's next message answers. A reply to
 * the question finds its way without this memory, so a restart and other processes lose nothing else.
 */
const pending = new Map<string, PendingQuestion>();

const keyOf = (botKey: string, chatId: string): string => `${botKey} ${chatId}`;

/** Notes the newest question of a dialog. */
export function notePending(botKey: string, chatId: string, question: PendingQuestion): void {
	const key = keyOf(botKey, chatId);
	pending.delete(key);
	pending.set(key, question);
	const [oldest] = pending.keys();
	if (pending.size > MOST_DIALOGS && oldest !== undefined) pending.delete(oldest);
}

/** Takes the question of a dialog, so that one message answers it; with `messageId` that very question or none. */
export function takePending(
	botKey: string,
	chatId: string,
	messageId?: string,
): PendingQuestion | undefined {
	const key = keyOf(botKey, chatId);
	const question = pending.get(key);
	if (messageId !== undefined && question?.message_id !== messageId) return undefined;
	pending.delete(key);
	return question;
}
