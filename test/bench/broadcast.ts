import { NO_LIMITS, type Limits } from '../platform';
import type { Job, JobResult, Message } from './jobs';
import { seconds, type Row } from './report';
import { Stand, type Target } from './stand';
import { work } from './work';

const RATE = 30;
const CHAT_RATE = 2;
const UNKNOWN_RATE = 10;
const MESSAGES = 1000;

/** Messages sent by the loop. All of them would take minutes, and the time per message is the same. */
const LOOPED = 100;

/** Pace of the comparison with undici: what the limit allows, with a little slack for the network. */
const EVERY_MS = 1010 / RATE;

const limits = (over: Partial<Limits> = {}): Partial<Limits> => ({
	requests_per_second: RATE,
	messages_per_second_per_chat: CHAT_RATE,
	algorithm: 'sliding',
	...over,
});

const oneToEach = ({ chatIds }: Target, count: number): Message[] =>
	chatIds.slice(0, count).map((chatId, index) => ({ chatId, text: `message ${index}` }));

interface Run {
	latencyMs: number;
	limits: Partial<Limits>;
	chats: number;
	job(target: Target): Job;
}

interface Ran extends JobResult {
	refused: number;
	stand: Stand;
}

/** Runs a job against a platform of its own; `look` may inspect the platform before it is stopped. */
async function run<T>(
	{ latencyMs, limits, chats, job }: Run,
	look: (ran: Ran) => T,
): Promise<Awaited<T>> {
	return await Stand.during({ latencyMs, limits, chats }, async (stand) => {
		const result = await work(job(stand.target));
		return await look({ ...result, refused: await stand.refused(), stand });
	});
}

/** How long something took compared with the shortest time that the limits allow. */
const beside = (
	what: string,
	tookMs: number,
	minimumMs: number,
	target?: string,
	more: string[] = [],
): Row => ({
	what,
	value: tookMs / minimumMs,
	unit: '× the minimum',
	target,
	detail: [`${seconds(tookMs)} / ${seconds(minimumMs)}`, ...more].join(', '),
});

/** 1,000 messages to 1,000 chats, compared with a plain loop and with undici at the same pace. */
async function broadcast(latencyMs: number, algorithm: Limits['algorithm']): Promise<Row[]> {
	const minimum = (MESSAGES / RATE) * 1000;
	const where = `${latencyMs} ms away`;
	const common = { latencyMs, chats: MESSAGES, limits: limits({ algorithm }) };
	const node = await run(
		{
			...common,
			job: (target) => ({ kind: 'node', target, messages: oneToEach(target, MESSAGES) }),
		},
		({ cost, refused }) => ({ ...cost, refused }),
	);
	const what = `1,000 messages to 1,000 chats, ${where}, limit counted by ${algorithm}`;
	const rows: Row[] = [
		beside(what, node.wallMs, minimum, '≤ 1.03'),
		{
			what: `${what}: refused`,
			value: node.refused,
			unit: 'requests',
			target: '= 0',
			detail: `memory at its peak ${node.peakMb.toFixed(0)} MB above the start`,
		},
	];
	if (algorithm !== 'sliding') return rows;
	// The loop cannot slow down, so the service would refuse most of its requests: it runs without any limit.
	const loop = await run(
		{
			latencyMs,
			chats: LOOPED,
			limits: NO_LIMITS,
			job: (target) => ({ kind: 'loop', target, messages: oneToEach(target, LOOPED) }),
		},
		({ cost }) => cost.wallMs * (MESSAGES / LOOPED),
	);
	const undici = await run(
		{
			...common,
			job: (target) => ({
				kind: 'undici',
				target,
				everyMs: EVERY_MS,
				messages: oneToEach(target, MESSAGES),
			}),
		},
		({ cost, refused }) => ({ ...cost, refused }),
	);
	return [
		...rows,
		{
			what: `the same against a loop over n8n's request helper, one request after the other, ${where}`,
			unit: '× its time',
			value: node.wallMs / loop,
			detail: `loop: ${seconds(loop)} without any limit, from ${LOOPED} messages`,
		},
		{
			what: `the same against undici, one request every ${EVERY_MS.toFixed(1)} ms, ${where}`,
			value: node.wallMs / undici.wallMs,
			unit: '× its time',
			detail: `undici: ${seconds(undici.wallMs)}, ${undici.refused} refused and not sent again`,
		},
	];
}

/** 60 messages to one chat. */
async function oneChat(latencyMs: number): Promise<Row[]> {
	const count = 60;
	const minimum = (count / CHAT_RATE) * 1000;
	const texts = Array.from({ length: count }, (_, index) => `message ${index}`);
	return await run(
		{
			latencyMs,
			limits: limits(),
			chats: 1,
			job: (target) => {
				const [chatId = ''] = target.chatIds;
				return { kind: 'node', target, messages: texts.map((text) => ({ chatId, text })) };
			},
		},
		async ({ cost, refused, stand }) => {
			const [chatId = ''] = stand.target.chatIds;
			const arrived = await stand.texts(chatId, count);
			const misplaced = arrived.filter((text, index) => text !== texts[index]).length;
			const what = `60 messages to one chat, ${latencyMs} ms away`;
			return [
				beside(what, cost.wallMs, minimum, '≤ 1.05', [`${refused} refused`]),
				{
					what: `${what}: out of order`,
					value: misplaced,
					unit: 'messages',
					target: '= 0',
					detail: `${arrived.length} arrived`,
				},
			];
		},
	);
}

/** How many messages each of the 50 chats gets: a few get many. */
function unevenSizes(total: number, chats: number): number[] {
	const weights = Array.from({ length: chats }, (_, index) => 1 / (index + 4));
	const sum = weights.reduce((a, b) => a + b);
	const sizes = weights.map((weight) => Math.max(1, Math.floor((weight / sum) * total)));
	const given = sizes.reduce((a, b) => a + b);
	return sizes.map((size, index) => (index < total - given ? size + 1 : size));
}

/** Messages to chats of different sizes. */
interface Mix {
	what: string;
	/** How many messages each chat gets. */
	sizes: number[];
	/** Position, in the list of all messages ordered by chat, of the one to send as number `index`. */
	order?: (index: number) => number;
	target?: string;
}

const UNEVEN: Mix = {
	what: '500 messages to 50 chats of uneven size',
	sizes: unevenSizes(500, 50),
	// Shuffled the same way each time.
	order: (index) => (index * 211) % 500,
};

const TWENTY_OF_FIFTY = Array.from({ length: 20 }, () => 50);

const MIXES: Mix[] = [
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
];

async function mixed({ what, sizes, order, target }: Mix, latencyMs: number): Promise<Row[]> {
	const total = sizes.reduce((a, b) => a + b);
	const minimum = Math.max(total / RATE, Math.max(...sizes) / CHAT_RATE) * 1000;
	return await run(
		{
			latencyMs,
			limits: limits(),
			chats: sizes.length,
			job: (to) => {
				const all = sizes.flatMap((size, chat) =>
					Array.from({ length: size }, () => to.chatIds[chat] ?? ''),
				);
				const messages = all.map((_, index) => ({
					chatId: all[order?.(index) ?? index] ?? '',
					text: `${index}`,
				}));
				return { kind: 'node', target: to, messages };
			},
		},
		({ cost, refused }) => [
			beside(`${what}, ${latencyMs} ms away`, cost.wallMs, minimum, target, [
				`longest ${Math.max(...sizes)}`,
				`${refused} refused`,
			]),
		],
	);
}

/** 1,000 messages, with a service that takes 10 per second while the options say 30. */
async function unknownLimit(latencyMs: number, unnamed: boolean): Promise<Row[]> {
	const minimum = (MESSAGES / UNKNOWN_RATE) * 1000;
	return await run(
		{
			latencyMs,
			chats: MESSAGES,
			limits: limits({ requests_per_second: UNKNOWN_RATE, unnamed }),
			job: (target) => ({ kind: 'node', target, messages: oneToEach(target, MESSAGES) }),
		},
		({ cost, refused }) => {
			const what = `limit of 10 that ${unnamed ? 'nobody tells' : 'the refusals name'}, ${latencyMs} ms away`;
			return [
				beside(what, cost.wallMs, minimum, '≤ 1.15'),
				{
					what: `${what}: refused`,
					value: (refused / MESSAGES) * 100,
					unit: '%',
					target: '≤ 3',
					detail: `${refused} of ${MESSAGES}`,
				},
			];
		},
	);
}

/** Work and memory per item, compared with a bare loop of the same requests, at a pace that the loop also reaches. */
async function overhead(): Promise<Row[]> {
	const count = 2000;
	const common = { latencyMs: 0, limits: NO_LIMITS, chats: count };
	const fast = { requests_per_second: 300, messages_per_second_per_chat: 300 };
	const node = await run(
		{
			...common,
			job: (target) => ({
				kind: 'node',
				target,
				options: fast,
				messages: oneToEach(target, count),
			}),
		},
		({ cost }) => cost,
	);
	const loop = await run(
		{ ...common, job: (target) => ({ kind: 'loop', target, messages: oneToEach(target, count) }) },
		({ cost }) => cost,
	);
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
		yield* await broadcast(latencyMs, 'sliding');
		yield* await oneChat(latencyMs);
		yield* await mixed(UNEVEN, latencyMs);
		yield* await unknownLimit(latencyMs, true);
	}
	for (const mix of MIXES) yield* await mixed(mix, 100);
	yield* await broadcast(100, 'bucket');
	yield* await unknownLimit(100, false);
	yield* await overhead();
}
