import type { ServiceSettings } from '../../service/client';
import { realClock } from '../../service/clock';

/** After so long n8n no longer says why a publication failed, in ms. It tries five times, with pauses of 15 s in all. */
const PUBLICATION_MS = 84_000;

/** How long the answers to all tries of a publication may take together, and that to one of them at least, in ms. */
const ANSWERS_MS = 60_000;
const LEAST_ANSWER_MS = 1000;

/** When n8n began to publish a trigger. */
const begunAt = new Map<string, number>();

/** For requests on which a publication depends: its failure is told in time. Each try asks once. */
export function publicationPatience(
	trigger: string,
): Pick<ServiceSettings, 'patienceMs' | 'timeoutMs'> {
	const now = realClock.now();
	const before = begunAt.get(trigger) ?? -Infinity;
	const begun = now - before < PUBLICATION_MS ? before : now;
	begunAt.set(trigger, begun);
	return { patienceMs: 0, timeoutMs: Math.max(begun + ANSWERS_MS - now, LEAST_ANSWER_MS) };
}

/** Notes that a publication has succeeded. */
export const notePublished = (trigger: string): void => void begunAt.delete(trigger);
