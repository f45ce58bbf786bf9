import type { ServiceSettings } from '../../service/client';
import { realClock } from '../../service/clock';

type Waits = Partial<Pick<ServiceSettings, 'patienceMs' | 'timeoutMs'>>;

/** After so long n8n no longer says why a publication failed, in ms. It tries five times, with pauses of 15 s in all. */
const PUBLICATION_MS = 84_000;

/** How long the answers to all tries of a publication may take together, and that to one of them at least, in ms. */
const ANSWERS_MS = 60_000;
const LEAST_ANSWER_MS = 1000;

/** How long an answer may take in a removal that the next start waits for, in ms. */
const REMOVAL_MS = 10_000;

/** When n8n began to publish a trigger. */
const begunAt = new Map<string, number>();

/** When the publication that is under way began; `undefined` if there is none, or n8n no longer waits for it. */
function begunFor(trigger: string): number | undefined {
	const begun = begunAt.get(trigger);
	return begun !== undefined && realClock.now() - begun < PUBLICATION_MS ? begun : undefined;
}

const answersLeft = (begun: number): number =>
	Math.max(begun + ANSWERS_MS - realClock.now(), LEAST_ANSWER_MS);

/** For requests on which a publication depends: its failure is told in time. Each try asks once. */
export function publicationPatience(trigger: string): Waits {
	const begun = begunFor(trigger) ?? realClock.now();
	begunAt.set(trigger, begun);
	return { patienceMs: 0, timeoutMs: answersLeft(begun) };
}

/** For the removal of what a failed try may have subscribed: n8n waits for that as well. */
export function removalPatience(trigger: string): Waits {
	const begun = begunFor(trigger);
	if (begun === undefined) return { timeoutMs: REMOVAL_MS };
	return { patienceMs: 0, timeoutMs: Math.min(answersLeft(begun), REMOVAL_MS) };
}

/** Notes that a publication has succeeded. */
export const notePublished = (trigger: string): void => void begunAt.delete(trigger);
