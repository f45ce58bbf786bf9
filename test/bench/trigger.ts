import { Pool } from 'undici';
import { Cluster } from '../n8n/support/cluster';
import { LAZY_ENGINE } from '../n8n/support/environment';
import type { N8nInstance } from '../n8n/support/instance';
import { packTarball } from '../n8n/support/package';
import { N8nClient } from '../n8n/support/rest';
import { publishShared, WEBHOOK_HOST } from '../n8n/support/shared';
import { startTemporary } from '../n8n/support/temporary';
import { createAuthority } from '../support/tls';
import { waitFor } from '../support/wait';
import { percentile } from './measure';
import { processorMs } from './processor';
import type { Measure, Row } from './report';
import {
	BARE,
	BATCHED,
	GUARDED,
	OURS,
	TELEGRAM,
	UNORDERED,
	type Entrance,
	type Rival,
} from './rivals';
import { Stand } from './stand';

const ROUNDS = 3;
const EVENTS = 120;
const AT_ONCE = [5, 20];
const RIVALS = [OURS, UNORDERED, BATCHED, TELEGRAM, GUARDED, BARE];

/** An n8n to measure in. */
interface Place {
	n8n: N8nInstance;
	/** Process groups that do the work. */
	groups(): number[];
	stop(): Promise<void>;
}

interface Setting {
	/** Appended to the name of what is measured. */
	name: string;
	start(say: (line: string) => void): Promise<Place>;
}

interface Measured {
	perSecond: number;
	processorMs: number;
	answersMs: number[];
}

/** One n8n in a process of its own. */
const alone = (name: string, env: Record<string, string>): Setting => ({
	name,
	start: async (say) => {
		const tarball = await packTarball(say);
		const { instance: n8n, close } = await startTemporary({ tarball, env }, say);
		return { n8n, groups: () => [n8n.pid ?? 0], stop: close };
	},
});

const SETTINGS: Setting[] = [
	alone('n8n as it is', {}),
	alone('N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true', LAZY_ENGINE),
	{
		name: 'queue mode with two workers',
		start: async (say) => {
			const tarball = await packTarball(say);
			const authority = createAuthority();
			const tls = authority.issue([WEBHOOK_HOST, 'localhost']);
			publishShared({ url: '', port: 0, ca: authority.ca, tls, platformTls: tls, tarball });
			const cluster = await Cluster.start(2);
			const n8n = cluster.own.instance;
			return {
				n8n,
				groups: () => [n8n.pid ?? 0, ...cluster.workers.map(({ child }) => child.pid ?? 0)],
				stop: async () => await cluster.stop(),
			};
		},
	},
];

/** Delivers events, a few at a time, and measures how fast they are answered with 200. */
async function deliver(
	pool: Pool,
	{ path, headers }: Entrance,
	{ event }: Rival,
	atOnce: number,
): Promise<Omit<Measured, 'processorMs'>> {
	const answersMs: number[] = [];
	const startedAt = performance.now();
	let left = EVENTS;
	const deliverOn = async (): Promise<void> => {
		while (left-- > 0) {
			const sentAt = performance.now();
			const { statusCode, body } = await pool.request({
				method: 'POST',
				path,
				body: event(),
				headers: { 'content-type': 'application/json', ...headers },
			});
			await body.dump();
			if (statusCode !== 200) throw new Error(`An event was answered with ${statusCode}`);
			answersMs.push(performance.now() - sentAt);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, deliverOn));
	return { answersMs, perSecond: EVENTS / ((performance.now() - startedAt) / 1000) };
}

/** Waits until no execution is running, so that rounds do not disturb each other. */
async function settle(client: N8nClient, { workflow }: Entrance): Promise<void> {
	const isOver = async (): Promise<boolean> => {
		const executions = await client.executions.list(workflow);
		return executions.every(({ status }) => status !== 'new' && status !== 'running');
	};
	await waitFor(isOver, { timeout: 120_000, what: 'the executions of a round' });
}

/** Ratios between the trigger and a rival, from alternating rounds. */
function compare(ours: Measured[], theirs: Measured[], rival: string, where: string): Row[] {
	const middle = (all: Measured[], of: (each: Measured) => number): number =>
		percentile(all.map(of), 0.5);
	const p99 = (all: Measured[]): number =>
		percentile(
			all.flatMap(({ answersMs }) => answersMs),
			0.99,
		);
	const row = (what: string, own: number, other: number, digits: number): Row => ({
		what: `${what}, ${where}`,
		value: own / other,
		unit: `× ${rival}`,
		detail: `${own.toFixed(digits)} / ${other.toFixed(digits)}`,
	});
	const rate = ({ perSecond }: Measured): number => perSecond;
	const cost = (each: Measured): number => each.processorMs;
	return [
		row('events per second', middle(ours, rate), middle(theirs, rate), 1),
		row('processor time per event, ms', middle(ours, cost), middle(theirs, cost), 1),
		row('time to the answer, p99, ms', p99(ours), p99(theirs), 0),
	];
}

/** Targets, by rival and by the beginning of what is measured. */
const TARGETS: Array<[rival: string, what: string, target: string]> = [
	[TELEGRAM.name, 'events per second', '≥ 1.3'],
	[GUARDED.name, 'events per second', '≥ 1'],
	[GUARDED.name, 'time to the answer', '≤ 1'],
];

function withTarget(row: Row): Row {
	const found = TARGETS.find(
		([rival, what]) => row.unit === `× ${rival}` && row.what.startsWith(what),
	);
	return found ? { ...row, target: found[2] } : row;
}

/** Compares the ways of the trigger with the rivals, from what was measured with some events at once. */
function comparisons(of: (rival: Rival) => Measured[], atOnce: number, { name }: Setting): Row[] {
	const versus = (own: Rival, rival: Rival): Row[] =>
		compare(of(own), of(rival), rival.name, `${atOnce} at once, ${name}`).map(withTarget);
	const named = (way: string, row: Row): Row => ({ ...row, what: `${way}: ${row.what}` });
	const unordered = [TELEGRAM, GUARDED].flatMap((rival) => versus(UNORDERED, rival));
	const target = atOnce === Math.max(...AT_ONCE) ? { target: '≥ 0.95' } : {};
	return [
		...[TELEGRAM, GUARDED, BARE].flatMap((rival) => versus(OURS, rival)),
		...unordered.map((row) => named('All at Once', row)),
		...versus(BATCHED, BARE)
			.slice(0, 1)
			.map((row) => ({ ...named('Several Events per Execution', row), ...target })),
	];
}

/** Measures all rivals in one n8n, in turn. */
async function measureIn(setting: Setting, say: (line: string) => void): Promise<Row[]> {
	const stand = await Stand.start({ latencyMs: 0, chats: 0 });
	const place = await setting.start(say);
	const client = await N8nClient.open(place.n8n);
	const pool = new Pool(place.n8n.url, {
		connections: Math.max(...AT_ONCE),
		connect: place.n8n.ca ? { ca: place.n8n.ca } : {},
	});
	try {
		const entrances = new Map<Rival, Entrance>();
		for (const rival of RIVALS) entrances.set(rival, await rival.prepare(client, stand));
		const round = async (rival: Rival, atOnce: number): Promise<Measured> => {
			const entrance = entrances.get(rival);
			if (!entrance) throw new Error(`${rival.name} was not prepared`);
			const before = processorMs(place.groups());
			const delivered = await deliver(pool, entrance, rival, atOnce);
			await settle(client, entrance);
			return { ...delivered, processorMs: (processorMs(place.groups()) - before) / EVENTS };
		};
		const rows: Row[] = [];
		for (const atOnce of AT_ONCE) {
			const measured = new Map(RIVALS.map((rival): [Rival, Measured[]] => [rival, []]));
			// The first round warms up.
			for (let done = -1; done < ROUNDS; done++) {
				for (const [rival, rounds] of measured) {
					const result = await round(rival, atOnce);
					if (done >= 0) rounds.push(result);
				}
			}
			rows.push(...comparisons((rival) => measured.get(rival) ?? [], atOnce, setting));
		}
		return rows;
	} finally {
		await pool.close();
		await client.close();
		await place.stop();
		await stand.stop();
	}
}

/** How fast the trigger takes events, compared with n8n's own Telegram Trigger and Webhook node. */
export const measureTrigger: Measure = async function* ({ say }) {
	for (const setting of SETTINGS) yield* await measureIn(setting, say);
};
