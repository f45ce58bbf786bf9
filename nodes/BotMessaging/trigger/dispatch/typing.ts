import type { ITriggerFunctions } from 'n8n-workflow';
import { chatOf, personOf, type Update } from '../../events/events';
import { keysOfChat } from '../../form/target';
import { onAnswered, openService } from '../../service/client';
import { reasonOf } from '../../service/failure';
import { realClock, sleepUnless } from '../../service/clock';
import type { Started } from './startExecution';

/** A workflow that ends within this time shows nothing: nobody would see it, and it would cost a request. In ms. */
const FIRST_AFTER_MS = 500;

/** Clients show it for a few seconds only, so it is sent again after this time, in ms. */
const REPEAT_MS = 4000;

/** Limit in case an execution does not end, in ms. */
const LONGEST_MS = 300_000;

/**
 * Shows in the chats of these events that the bot is typing (interface: POST /chats/{chatId}/actions), from the begin of
 * their execution until the bot has written there or the execution has ended. Sent at low priority, so that it delays no
 * other request of the bot. Never throws: failures are only logged.
 */
export function showTyping(
	context: ITriggerFunctions,
	updates: Update[],
	{ begun, ended }: Started,
): void {
	let isOver = false;
	const end = (): void => {
		isOver = true;
	};
	ended.then(end, end);
	// Each chat once, with the person who did something there last.
	const persons = new Map(updates.map((update) => [chatOf(update), personOf(update)]));
	const show = (): void => {
		for (const [chat, person] of persons) {
			if (chat === undefined) continue;
			showIn(context, chat, person, () => isOver).catch((error: unknown) => {
				context.logger.debug(`Typing could not be shown: ${reasonOf(error)}`);
			});
		}
	};
	begun.then(show, end);
}

async function showIn(
	context: ITriggerFunctions,
	chat: string,
	person: string | undefined,
	isOver: () => boolean,
): Promise<void> {
	const keys = keysOfChat(chat, person);
	const writers = new Set<string>();
	const unsubscribe = onAnswered((botKey, key = '') => {
		if (keys.includes(key)) writers.add(botKey);
	});
	try {
		if (!(await sleepUnless(FIRST_AFTER_MS, isOver))) return;
		const end = realClock.now() + LONGEST_MS;
		let bot = '';
		const isEnough = (): boolean => isOver() || writers.has(bot) || realClock.now() > end;
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
			await sleepUnless(REPEAT_MS, isEnough);
		}
	} finally {
		unsubscribe();
	}
}
