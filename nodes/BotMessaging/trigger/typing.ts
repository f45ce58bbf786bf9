import type { ITriggerFunctions } from 'n8n-workflow';
import { chatOf, personOf } from '../events/events';
import type { Update } from '../events/update';
import { onWritten, openService } from '../service/client';
import { reasonOf } from '../service/failure';
import { waited } from '../service/retry';

/** A workflow that is done by then shows nothing: that would cost the bot a request, and nobody would see it. In ms. */
const FIRST_AFTER_MS = 500;

/** People see it for a few seconds. */
const REPEAT_MS = 4000;

/** In case an execution does not end, in ms. */
const LONGEST_MS = 300_000;

/**
 * Shows in the chats of these events that the bot is typing (interface: POST /chats/{chatId}/actions), until it has
 * written there or `isOver`. It goes only when nothing else waits for the bot's pace. Never rejects: nobody is to
 * miss more than the sight of it.
 */
export function showTyping(
	context: ITriggerFunctions,
	updates: Update[],
	isOver: () => boolean,
): void {
	const keysOf = new Map<string, string[]>();
	for (const update of updates) {
		const chat = chatOf(update);
		if (chat === undefined) continue;
		const person = personOf(update);
		// A message to a person goes into their dialog; dialogs alone have positive identifiers (wire 2).
		const isDialog = !chat.startsWith('-') && person !== undefined;
		keysOf.set(chat, [`chat ${chat}`, ...(isDialog ? [`user ${person}`] : [])]);
	}
	for (const [chat, keys] of keysOf) {
		showIn(context, chat, keys, isOver).catch((error: unknown) => {
			const reason = reasonOf(error);
			context.logger.debug(`Typing could not be shown: ${reason}`);
		});
	}
}

async function showIn(
	context: ITriggerFunctions,
	chat: string,
	keys: string[],
	isOver: () => boolean,
): Promise<void> {
	const writers = new Set<string>();
	const stops = keys.map((key) => onWritten(key, (botKey) => writers.add(botKey)));
	try {
		if (!(await waited(FIRST_AFTER_MS, isOver))) return;
		const end = Date.now() + LONGEST_MS;
		let bot = '';
		const isEnough = (): boolean => isOver() || writers.has(bot) || Date.now() > end;
		const service = await openService(context, { patienceMs: 0 }, isEnough);
		bot = service.connection.botKey;
		while (!isEnough()) {
			await service.request({
				method: 'POST',
				twice: 'same',
				priority: 'low',
				path: `/chats/${encodeURIComponent(chat)}/actions`,
				body: { action: 'typing_on' },
			});
			await waited(REPEAT_MS, isEnough);
		}
	} finally {
		for (const stop of stops) stop();
	}
}
