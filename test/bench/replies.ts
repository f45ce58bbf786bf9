import { percentile } from './measure';
import { seconds, type Row } from './report';
import { Stand } from './stand';
import { work } from './work';

const REPLIES = 25;
const EVERY_MS = 800;

/** Enough messages for the broadcast to last until all replies are sent. */
const BROADCAST = 900;

/** Single replies on their own, and while a broadcast of the same bot runs in the same process. */
async function replies(latencyMs: number, into: 'another chat' | 'chats of it'): Promise<Row> {
	const limits = { algorithm: 'sliding' as const };
	return await Stand.during({ latencyMs, limits, chats: BROADCAST + REPLIES }, async (stand) => {
		const { chatIds } = stand.target;
		const broadcast = chatIds.slice(0, BROADCAST).map((chatId) => ({ chatId, text: 'to all' }));
		const start = into === 'another chat' ? BROADCAST : 100;
		const some = chatIds.slice(start, start + REPLIES).map((chatId) => ({ chatId, text: 'reply' }));
		const job = { target: stand.target, broadcast, replies: some, everyMs: EVERY_MS };
		const { aloneMs = [], duringMs = [], cost } = await work({ kind: 'replies', ...job });
		const longest = Math.max(...duringMs) - percentile(aloneMs, 0.5);
		const refused = await stand.refused();
		const medians = [aloneMs, duringMs].map((all) => percentile(all, 0.5).toFixed(0));
		return {
			what: `a reply into ${into} while a broadcast runs, ${latencyMs} ms away`,
			value: longest,
			unit: 'ms longer at most than alone',
			target: '≤ 200',
			detail: `median ${medians[0]} ms alone, ${medians[1]} ms during the broadcast, which took ${seconds(cost.wallMs)}; ${refused} refused`,
		};
	});
}

/** How long a person waits for an answer while the bot is busy. */
export async function* measureReplies(): AsyncGenerator<Row> {
	for (const latencyMs of [0, 100, 300]) {
		for (const into of ['another chat', 'chats of it'] as const)
			yield await replies(latencyMs, into);
	}
}
