import { setTimeout as sleep } from 'node:timers/promises';
import type { Limiter } from '../limiter';
import type { Limits } from '../options';
import type { Chat } from '../world/types';
import { tooManyRequests } from './errors';
import type { Call } from './route';

/** Counts a request, or a poll, of a bot, of which there may be so many per second. @throws ApiError 429 */
export function admit(limiter: Limiter, arrival: number, rate: number, limits: Limits): void {
	if (!limiter.admit(arrival, rate, limits.algorithm)) throw tooManyRequests(rate, limits);
}

/** Counts a message or comment, an edit or answer into a chat; beyond the limit it is refused or has to wait. @throws ApiError 429 */
export async function admitWrite(call: Call, chat: Chat): Promise<void> {
	const { limits } = call.world.base.settings;
	const { messages_per_second_per_chat: rate, algorithm } = limits;
	if (limits.chat_overflow === 'delay') {
		const wait = chat.writes.reserve(call.arrival, rate, algorithm);
		if (wait > 0) await sleep(wait);
	} else if (!chat.writes.admit(call.arrival, rate, algorithm)) {
		throw tooManyRequests(rate, limits);
	}
}
