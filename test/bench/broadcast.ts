import { NO_LIMITS, type Limits } from '../platform';
import type { Job, JobResult, Message } from './jobs';
import { seconds, type Row } from './report';
import { Stand, type Target } from './stand';
import { work } from './work';

const RATE = 30;
const CHAT_RATE = 2;
const MESSAGES = 1000;

/** Messages sent by the loop. All of them would take minutes, and the time per message is the same. */
const LOOPED = 100;

/** Pace of the comparison with undici: what the limit allows, with a little slack for the network. */
const EVERY_MS = 1010 / RATE;

/** Messages that the action node sends with its default options. */
interface Broadcast {
	what: string;
	/** How many messages each chat gets. */
	sizes: number[];
	/** Position, in the list of all messages ordered by chat, of the one to send as number `index`. */
	order?: (index: number) => number;
	/** What the service's limits have besides those that the options say. */
	limits?: Partial<Limits>;
	/** Target for the time, as a multiple of the shortest one that the limits allow. */
	target?: string;
	/** Target for the requests that are refused, in percent of the messages. */
	refused?: string;
}

const limitsOf = ({ limits }: Pick<Broadcast, 'limits'>) => ({
	requests_per_second: RATE,
	messages_per_second_per_chat: CHAT_RATE,
	algorithm: 'sliding' as const,
	...limits,
});

/** How long a broadcast took and what became of its messages, with a service that far away. */
async function broadcast(given: Broadcast, latencyMs: number): Promise<[ms: number, Row[]]> {
	const { sizes, order = (index) => index } = given;
	const limits = limitsOf(given);
	const total = sizes.reduce((a, b) => a + b);
	const longest = Math.max(...sizes);
	const { requests_per_second: rate, messages_per_second_per_chat: chatRate } = limits;
	const minimumMs = Math.max(total / rate, longest / chatRate) * 1000;
	return await Stand.during({ latencyMs, limits, chats: sizes.length }, async (stand) => {
		const { target } = stand;
		const all = sizes.flatMap((size, chat) =>
			Array.from({ length: size }, () => target.chatIds[chat] ?? ''),
		);
		const messages = all.map((_, index) => ({ chatId: all[order(index)] ?? '', text: `${index}` }));
		const { cost } = await work({ kind: 'node', target, messages });
		const refused = await stand.refused();
		const texts = await stand.texts(target.chatIds[sizes.indexOf(longest)] ?? '', longest);
		const misplaced = texts.filter((text, index) => Number(text) < Number(texts[index - 1] ?? 0));
		const what = `${given.what}, ${latencyMs} ms away`;
		const time: Row = {
			what,
			value: cost.wallMs / minimumMs,
			unit: '× the minimum',
			target: given.target,
			detail: `${seconds(cost.wallMs)} / ${seconds(minimumMs)}, memory at its peak ${cost.peakMb.toFixed(0)} MB above the start`,
		};
		const refusals: Row = {
			what: `${what}: refused`,
			value: (refused / total) * 100,
			unit: '%',
			target: given.refused,
			detail: `${refused} of ${total}`,
		};
		const inOrder: Row = {
			what: `${what}: out of order`,
			value: misplaced.length + longest - texts.length,
			unit: 'messages',
			target: '= 0',
			detail: `${texts.length} arrived in the longest chat`,
		};
		return [cost.wallMs, longest > 1 ? [time, refusals, inOrder] : [time, refusals]];
	});
}

/** Shuffled the same way each time. */
const UNEVEN: Broadcast = {
	what: '500 messages to 50 chats of uneven size',
	sizes: unevenSizes(500, 50),
	order: (index) => (index * 211) % 500,
};

/** How many messages each of the 50 chats gets: a few get many. */
function unevenSizes(total: number, chats: number): number[] {
	const weights = Array.from({ length: chats }, (_, index) => 1 / (index + 4));
	const sum = weights.reduce((a, b) => a + b);
	const sizes = weights.map((weight) => Math.max(1, Math.floor((weight / sum) * total)));
	const given = sizes.reduce((a, b) => a + b);
	return sizes.map((size, index) => (index < total - given ? size + 1 : size));
}

const ONE_TO_EACH = Array.from({ length: MESSAGES }, () => 1);

const TO_ALL: Broadcast = {
	what: '1,000 messages to 1,000 chats, limit counted by sliding',
	sizes: ONE_TO_EACH,
	target: '≤ 1.03',
	refused: '= 0',
};

const UNTOLD: Broadcast = {
	what: 'limit of 10 that nobody tells',
	sizes: ONE_TO_EACH,
	limits: { requests_per_second: 10, unnamed: true },
	target: '≤ 1.15',
	refused: '≤ 3',
};

const ONE_CHAT: Broadcast = { what: '60 messages to one chat', sizes: [60], target: '≤ 1.05' };

const TWENTY_OF_FIFTY = Array.from({ length: 20 }, () => 50);

/** What is measured at one distance only. */
const MORE: Broadcast[] = [
	{ what: '20 chats of 50 messages, chat after chat', sizes: TWENTY_OF_FIFTY, target: '≤ 1.1' },
	{
		what: '20 chats of 50 messages, in turns',
		sizes: TWENTY_OF_FIFTY,
		target: '≤ 1.1',
		order: (index) => (index % 20) * 50 + Math.floor(index / 20),
	},
	{
		what: '600 messages to 600 chats, then 40 to one chat',
		sizes: [...Array.from({ length: 600 }, () => 1), 40],
		target: '≤ 1.15',
	},
	{
		...TO_ALL,
		what: '1,000 messages to 1,000 chats, limit counted by bucket',
		limits: { algorithm: 'bucket' },
	},
	{ ...UNTOLD, what: 'limit of 10 that the refusals name', limits: { requests_per_second: 10 } },
];

const oneToEach = ({ chatIds }: Target): Message[] =>
	chatIds.map((chatId, index) => ({ chatId, text: `message ${index}` }));

interface Run {
	latencyMs: number;
	limits: Partial<Limits>;
	chats: number;
	job(target: Target): Job;
}

/** What a job cost, and how many of its requests were refused. */
const run = async ({ job, ...stand }: Run): Promise<JobResult['cost'] & { refused: number }> =>
	await Stand.during(stand, async (stand) => {
		const { cost } = await work(job(stand.target));
		return { ...cost, refused: await stand.refused() };
	});

/** The time of the broadcast to all, compared with a plain loop and with undici at the same pace. */
async function comparisons(tookMs: number, latencyMs: number): Promise<Row[]> {
	// The loop cannot slow down, so the service would refuse most of its requests: it runs without any limit.
	const loop = await run({
		latencyMs,
		chats: LOOPED,
		limits: NO_LIMITS,
		job: (target) => ({ kind: 'loop', target, messages: oneToEach(target) }),
	});
	const loopMs = loop.wallMs * (MESSAGES / LOOPED);
	const undici = await run({
		latencyMs,
		chats: MESSAGES,
		limits: limitsOf({}),
		job: (target) => ({ kind: 'undici', target, everyMs: EVERY_MS, messages: oneToEach(target) }),
	});
	return [
		{
			what: `the same against a loop over n8n's request helper, one request after the other, ${latencyMs} ms away`,
			unit: '× its time',
			value: tookMs / loopMs,
			detail: `loop: ${seconds(loopMs)} without any limit, from ${LOOPED} messages`,
		},
		{
			what: `the same against undici, one request every ${EVERY_MS.toFixed(1)} ms, ${latencyMs} ms away`,
			unit: '× its time',
			value: tookMs / undici.wallMs,
			detail: `undici: ${seconds(undici.wallMs)}, ${undici.refused} refused and not sent again`,
		},
	];
}

/** Work and memory per item, compared with a bare loop of the same requests, at a pace that the loop also reaches. */
async function overhead(): Promise<Row[]> {
	const count = 2000;
	const common = { latencyMs: 0, limits: NO_LIMITS, chats: count };
	const fast = { requests_per_second: 300, messages_per_second_per_chat: 300 };
	const node = await run({
		...common,
		job: (target) => ({ kind: 'node', target, options: fast, messages: oneToEach(target) }),
	});
	const loop = await run({
		...common,
		job: (target) => ({ kind: 'loop', target, messages: oneToEach(target) }),
	});
	const each = (ms: number): string => `${(ms / count).toFixed(2)} ms`;
	return [
		{
			what: 'processor time per item',
			value: node.cpuMs / loop.cpuMs,
			unit: '× a bare loop',
			detail: `${each(node.cpuMs)} / ${each(loop.cpuMs)}`,
		},
		{
			what: 'memory at its peak, 2,000 items',
			value: node.peakMb - loop.peakMb,
			unit: 'MB more than a bare loop',
			detail: `${node.peakMb.toFixed(0)} MB / ${loop.peakMb.toFixed(0)} MB`,
		},
	];
}

/** All measurements of sending many messages. */
export async function* measureBroadcast(): AsyncGenerator<Row> {
	for (const latencyMs of [0, 100, 300]) {
		const [tookMs, rows] = await broadcast(TO_ALL, latencyMs);
		yield* rows;
		yield* await comparisons(tookMs, latencyMs);
		for (const each of [ONE_CHAT, UNEVEN, UNTOLD]) yield* (await broadcast(each, latencyMs))[1];
	}
	for (const each of MORE) yield* (await broadcast(each, 100))[1];
	yield* await overhead();
}
