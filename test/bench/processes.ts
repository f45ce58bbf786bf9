import type { Job } from './jobs';
import { seconds, type Measure, type Row } from './report';
import { Stand } from './stand';
import { workTogether } from './work';

export const PROCESSES = 3;

const MESSAGES = 1000;

/** The service's limit per second, and whether its refusals name it; the options always say 30. */
const LIMITS = [
	{ what: 'a known limit of 30', rate: 30, unnamed: false },
	{ what: 'a limit of 10 that nobody tells', rate: 10, unnamed: true },
];

/** Processes that do not know of each other each send a broadcast for the same bot, with default settings. */
async function share(
	{ what, rate, unnamed }: (typeof LIMITS)[number],
	processes: number,
): Promise<Row[]> {
	const each = Math.floor(MESSAGES / processes);
	const count = each * processes;
	const limits = { requests_per_second: rate, unnamed, algorithm: 'sliding' as const };
	return await Stand.during({ latencyMs: 100, limits, chats: count }, async (stand) => {
		const { target } = stand;
		const jobs = Array.from({ length: processes }, (_, index): Job => {
			const chatIds = target.chatIds.slice(index * each, (index + 1) * each);
			const texts = chatIds.map((chatId) => ({ chatId, text: `message of process ${index}` }));
			return { kind: 'node', target, messages: texts };
		});
		const results = await workTogether(jobs);
		const refused = await stand.refused();
		const times = results.map(({ cost }) => cost.wallMs).sort((a, b) => a - b);
		const [fastest = NaN, slowest = NaN] = [times[0], times.at(-1)];
		const minimum = (count / rate) * 1000;
		const where = `${processes} processes, ${each} messages each, ${what}, 100 ms away`;
		return [
			{
				what: where,
				value: slowest / minimum,
				unit: '× the minimum',
				target: '≤ 1.15',
				detail: `${seconds(slowest)} / ${seconds(minimum)}`,
			},
			{
				what: `${where}: refused`,
				value: (refused / count) * 100,
				unit: '%',
				target: '≤ 3',
				detail: `${refused} of ${count}`,
			},
			{
				what: `${where}: slowest`,
				value: slowest / fastest,
				unit: '× the fastest',
				target: '≤ 1.3',
				detail: times.map(seconds).join(', '),
			},
		];
	});
}

/** How several processes share the limit of one bot. */
export const measureProcesses: Measure = async function* ({ processes = PROCESSES }) {
	for (const limit of LIMITS) yield* await share(limit, processes);
};
