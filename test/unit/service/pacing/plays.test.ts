import fc from 'fast-check';
import { Budget } from '../../../../nodes/BotMessaging/service/pacing/budget';
import type { Sender } from '../../../../nodes/BotMessaging/service/pacing/fairQueue';
import type { Refused } from '../../../../nodes/BotMessaging/service/types';
import { limiter, PACE, seeded, VirtualClock } from './simulation';

/** Pauses up to this long are waited out by everybody, and waiting requests are looked at this often, in ms. */
const SHORT_PAUSE_MS = 1000;
const LOOKED_MS = 520;

/** A sender: its rate, how long it waits for pauses, and when it is stopped. Times are ms of the clock. */
const sender = fc.record({
	rate: fc.constantFrom(30, 30, 10, 5),
	patienceMs: fc.constantFrom(60_000, 5000, 0),
	stopsAt: fc.constantFrom(Infinity, Infinity, Infinity, 700, 9000),
});

/** Several requests of a sender for one chat, or for none (0), and when they are canceled. */
const burst = fc.record({
	at: fc.integer({ min: 0, max: 12_000 }),
	sender: fc.nat(2),
	chat: fc.nat(3),
	count: fc.integer({ min: 1, max: 15 }),
	canceledAfter: fc.constantFrom(Infinity, Infinity, Infinity, 0, 1500),
});

const play = fc.record({
	seed: fc.integer({ min: 1, max: 1_000_000 }),
	latencyMs: fc.constantFrom(0, 100, 300),
	/** The limit of a chat; that of the bot is not reached. */
	chatRate: fc.constantFrom(1, 2, Infinity),
	/** What a refusal says beside that it is about the chat. */
	refusal: fc.constantFrom<Refused>(
		{},
		{ limit: 1 },
		{ retryAfterMs: 0 },
		{ retryAfterMs: 3000 },
		{ retryAfterMs: 300_000 },
	),
	/** How many answers are lost, and how many are late. */
	lost: fc.constantFrom(0, 0, 0.2),
	late: fc.constantFrom(0, 0.6),
	senders: fc.array(sender, { minLength: 3, maxLength: 3 }),
	bursts: fc.array(burst, { minLength: 1, maxLength: 8 }),
});

type Play = typeof play extends fc.Arbitrary<infer T> ? T : never;

/** Plays it to the end, which comes only when every request has an outcome. Returns what was wrong. */
async function flawsOf(given: Play): Promise<string[]> {
	const flaws = new Set<string>();
	const clock = new VirtualClock();
	const budget = new Budget(PACE, clock);
	const random = seeded(given.seed);
	const senders = given.senders.map(({ rate, patienceMs, stopsAt }): Sender => ({
		pace: { ...PACE, requestsPerSecond: rate },
		patienceMs,
		stopped: () => clock.now() >= stopsAt,
		refusals: 0,
	}));
	const slowest = Math.min(...given.senders.map(({ rate }) => rate));
	const admits = new Map<string, (now: number) => boolean>();
	/** When the pauses that the service has asked for end, by chat. */
	const pauses = new Map<string, number>();
	/** The requests that were granted to a sender for a chat, in order. */
	const granted = new Map<string, number[]>();
	let numbers = 0;

	const answer = async (chat: string): Promise<'accepted' | 'refused' | 'lost'> => {
		const isLost = random() < given.lost;
		const lateMs = random() < given.late ? 3000 * random() : 0;
		await clock.sleep(given.latencyMs / 2);
		const admit = admits.get(chat) ?? limiter('sliding', given.chatRate);
		admits.set(chat, admit);
		const isAdmitted = chat === '' || admit(clock.now());
		await clock.sleep(given.latencyMs / 2 + lateMs);
		return isLost ? 'lost' : isAdmitted ? 'accepted' : 'refused';
	};

	const send = async (burst: Play['bursts'][number], signal: AbortSignal): Promise<void> => {
		const { stopsAt, patienceMs } = given.senders[burst.sender]!;
		const endsAt = Math.min(stopsAt, burst.at + burst.canceledAfter);
		const chat = burst.chat === 0 ? '' : `chat ${burst.chat}`;
		const number = numbers++;
		for (let again = false; ; again = true) {
			const since = clock.now();
			const pauseMs = (pauses.get(chat) ?? 0) - since;
			const wish = { chat: chat || undefined, signal, again };
			const turn = await budget.acquire(senders[burst.sender]!, wish);
			const now = clock.now();
			if (now > Math.max(since, endsAt) + LOOKED_MS) flaws.add('waits although it was stopped');
			const isImpatient = pauseMs > Math.max(patienceMs, SHORT_PAUSE_MS) + LOOKED_MS;
			if (isImpatient && now > since + LOOKED_MS) flaws.add('waits longer than its patience');
			if ('denied' in turn) {
				if (turn.denied === 'stopped' && now < endsAt) flaws.add('is stopped for no reason');
				return;
			}
			if (now < (pauses.get(chat) ?? 0)) flaws.add('goes in spite of a pause');
			if (!again)
				granted.set(`${burst.sender} ${chat}`, [
					...(granted.get(`${burst.sender} ${chat}`) ?? []),
					number,
				]);
			const outcome = await answer(chat);
			if (outcome !== 'refused') {
				turn[outcome]();
				return;
			}
			const { retryAfterMs = 0 } = given.refusal;
			pauses.set(chat, Math.max(pauses.get(chat) ?? 0, clock.now() + retryAfterMs));
			turn.refused({ ...given.refusal, aboutChat: true });
			if (budget.rate < slowest) flaws.add('slows down other chats');
			if (retryAfterMs > patienceMs) return;
		}
	};

	const all = given.bursts.map(async (burst) => {
		await clock.sleep(burst.at);
		const abortion = new AbortController();
		if (burst.canceledAfter < Infinity)
			void clock.sleep(burst.canceledAfter).then(() => abortion.abort());
		await Promise.all(
			Array.from({ length: burst.count }, async () => await send(burst, abortion.signal)),
		);
	});
	await clock.run(Promise.all(all));
	for (const order of granted.values()) {
		if (order.some((number, index) => number < (order[index - 1] ?? 0))) flaws.add('overtakes');
	}
	await clock.run(clock.sleep(301_000));
	if (!budget.isIdle() || clock.pending > 0) flaws.add('is never done');
	return [...flaws];
}

test('Whatever executions and the service do, every request has an outcome, pauses hold for their chat alone, and nothing is left', async () => {
	await fc.assert(
		fc.asyncProperty(play, async (given) => {
			expect(await flawsOf(given)).toEqual([]);
		}),
		{ numRuns: 150 },
	);
}, 60_000);
