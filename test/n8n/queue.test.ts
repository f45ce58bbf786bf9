import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from './support/random';
import { scaled } from '../support/scale';
import { waitFor } from '../support/wait';
import { Cluster } from './support/cluster';
import { LAZY_ENGINE } from './support/environment';
import { photoOf } from './support/photo';
import type { Workflow } from './support/rest';
import { hang } from './support/servers';
import { Stage } from './support/stage';
import { happen, payloadsOf, useSteps } from './support/steps';
import { example } from './support/workflow';

/** Pause between two events, in ms. */
const PACE_MS = 100;

const BURST = scaled(480, 120);
const CHATS = 40;
const FIRST_CHAT = 1_000_000;

const TWINS = scaled(200, 60);
const REPEATED = scaled(300, 60);
const KILLS = scaled(4, 2);
const EVENTS_PER_KILL = scaled(125, 40);

/** In a full run, longer than the service waits for an answer. */
const HANG_MS = scaled(40_000, 4_000);
const EVENTS_PER_HANG = scaled(60, 20);

/** Longer than the trigger takes to start an event again that n8n has lost, in ms. */
const LOST_MS = 240_000;

/** Longer than the service waits before it repeats a delivery, in ms. */
const REPETITION_MS = 61_000;

/** How many deliveries n8n answered with 200 at this attempt. */
const taken = async (stage: Stage, attempt = 1): Promise<number> => {
	const deliveries = await stage.control.journal({ kind: 'delivery', status: 200 });
	return deliveries.filter((delivery) => delivery.attempt === attempt).length;
};

/** The service does not get the answers to so many deliveries, and repeats them. */
const unheard = (count: number) => ({
	match: { origin: 'delivery' as const },
	count,
	then: { cut: 'after' as const },
});

/** A proxy that holds requests back: for some milliseconds of its start, n8n itself answers every webhook with 200. */
const KEPT_OUT = { match: { origin: 'delivery' as const }, count: 1000, then: { status: 503 } };

/** These events are delivered twice at the same moment. */
const twice = (count: number) => ({
	match: { origin: 'delivery' as const },
	count,
	then: { duplicate: 1 },
});

/** The failed execution with the event `lost`, once n8n lists it. */
const lostExecution = async ({ n8n: { executions } }: Stage, workflow: Workflow) =>
	await waitFor(
		async () => {
			const failed = await executions.list(workflow, 'error');
			const all = await Promise.all(failed.map(async ({ id }) => await executions.get(id)));
			return all.find(({ data }) => JSON.stringify(data).includes('"lost"'));
		},
		{ timeout: 90_000, what: 'the failed execution with the event' },
	);

describe('a trigger in queue mode with two workers on PostgreSQL', () => {
	let cluster: Cluster;
	const random = randomNumbers('queue mode');

	beforeAll(async () => {
		// `killed.test.ts` runs with n8n's own default.
		cluster = await Cluster.start(2, LAZY_ENGINE);
	}, 300_000);
	const played = useSteps(() => cluster.own.place);
	afterAll(async () => {
		await cluster.stop();
	}, 90_000);

	const stream = async (payloads: string[], halfWay: () => Promise<void>) => {
		let disturbance = Promise.resolve();
		const victim = Math.floor(random() * payloads.length);
		for (const [index, payload] of payloads.entries()) {
			await happen(played.stage, payload);
			await sleep(PACE_MS);
			if (index === victim) disturbance = halfWay();
		}
		await disturbance;
	};

	/**
	 * Sends so many events to a workflow for each disturbance, and delivers again until every event has run its step or
	 * crashed. None may have run twice. Resolves to those that crashed.
	 */
	const disturbed = async (disturbances: Array<() => Promise<void>>, events: number) => {
		const { stage, steps } = played;
		const workflow = await stage.createActive(steps.workflow(stage));
		const sent: string[] = [];
		for (const [index, disturbance] of disturbances.entries()) {
			const payloads = payloadsOf(`disturbed-${index}`, events);
			sent.push(...payloads);
			await stream(payloads, disturbance);
			await stage.control.advance(REPETITION_MS);
		}
		for (let round = 0; round < 6 && steps.missing(sent).length > 0; round++) {
			await stage.control.advance(3 * REPETITION_MS);
			await sleep(2000);
		}
		const crashed = await steps.allOrCrashed(sent, cluster.own.place, workflow, LOST_MS);
		expect(steps.repeated).toEqual([]);
		return crashed;
	};

	it(`runs each of ${TWINS} events once, although each is delivered twice at the same moment`, async () => {
		const { stage, steps } = played;
		await stage.createActive(steps.workflow(stage));
		await stage.control.setFaults([twice(TWINS)]);
		const payloads = payloadsOf('twin', TWINS);
		for (const payload of payloads) await happen(stage, payload);
		await steps.all(payloads, 120_000);
		await waitFor(async () => (await taken(stage)) === 2 * TWINS, {
			what: 'an answer to every delivery',
		});
		expect(steps.repeated).toEqual([]);
	}, 240_000);

	it(`keeps no chat waiting after a burst of ${BURST} events in ${CHATS} chats`, async () => {
		const { stage, steps } = played;
		await stage.createActive(steps.workflow(stage));
		const payloads = payloadsOf('burst', BURST);
		await Promise.all(
			payloads.map(async (payload, index) => {
				await happen(stage, payload, FIRST_CHAT + (index % CHATS));
			}),
		);
		// Shorter than the trigger's Longest Wait, after which no event waits for the one before it.
		await steps.all(payloads, 120_000);
		expect(steps.repeated).toEqual([]);
	}, 240_000);

	it(`runs none of ${REPEATED} events again that are redelivered after all workers were replaced, and lists the one that was lost with a worker, so that it can be retried by hand`, async () => {
		const { stage, steps } = played;
		const workflow = await stage.createActive(steps.workflow(stage));
		await stage.control.setFaults([unheard(REPEATED)]);
		const payloads = payloadsOf('unheard', REPEATED);
		for (const payload of payloads) await happen(stage, payload);
		await steps.all(payloads, 120_000);
		steps.hold((payload) => payload === 'lost');
		await happen(stage, 'lost');
		await steps.all(['lost']);
		await cluster.replaceWorkers();
		await stage.control.advance(REPETITION_MS);
		await waitFor(async () => (await taken(stage, 2)) >= REPEATED, {
			timeout: 120_000,
			what: 'the repetitions',
		});
		await happen(stage, 'after-all');
		await steps.all(['after-all']);
		const told = await lostExecution(stage, workflow);
		expect(told.data.resultData.error?.message).toBe('The worker that ran these events was lost');
		expect(steps.repeated).toEqual([]);
		steps.hold(() => false);
		await stage.n8n.executions.retry(told.id);
		await waitFor(() => steps.of('lost') === 2, { timeout: 60_000, what: 'the step of the retry' });
	}, 400_000);

	it(`runs ${KILLS * EVENTS_PER_KILL} events once while the main process and a worker are killed in turn, and n8n lists what it lost`, async () => {
		const { stage } = played;
		const ways = [
			async () => {
				await cluster.own.instance.kill();
				await stage.control.setFaults([KEPT_OUT]);
				await cluster.own.instance.restart();
				await stage.control.setFaults([]);
			},
			async () => await cluster.replaceWorker(),
		];
		const kills = Array.from({ length: KILLS }, (_, kill) => ways[kill % ways.length]!);
		const lost = await disturbed(kills, EVENTS_PER_KILL);
		process.stderr.write(
			`${lost.length} of ${KILLS * EVENTS_PER_KILL} events crashed in ${KILLS} kills\n`,
		);
		expect(lost.slice(KILLS)).toEqual([]);
	}, 600_000);

	it('runs each event once while the database, Redis and the main process hang in turn', async () => {
		const { redis, postgres, own } = cluster;
		const hangs = [postgres.pid, redis.pid, own.instance.pid].map(
			(pid) => async () => await hang(pid, HANG_MS),
		);
		expect(await disturbed(hangs, EVENTS_PER_HANG)).toEqual([]);
	}, 600_000);

	it.each(['webhook', 'polling'])(
		'gets one event in a run from the editor, by %s',
		async (delivery) => {
			const { stage, steps } = played;
			const workflow = await stage.create(steps.workflow(stage, { delivery }));
			await (delivery === 'polling'
				? stage.n8n.run(workflow, 'Trigger')
				: stage.n8n.listen(workflow, 'Trigger'));
			await happen(stage, 'tested');
			const [execution] = await stage.n8n.executions.ofWorkflow(workflow, 1);
			expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
			expect(steps.of('tested')).toBe(1);
		},
	);

	it('lets a person approve in the chat', async () => {
		const { stage } = played;
		await stage.createActive(example('approval-in-chat.json', stage.credential));
		await stage.control.userWrites(stage.dialog.chat_id, 'a lamp');
		const question = await stage.answer(({ body }) => body.text === 'Shall I order: a lamp?');
		await stage.control.press(question.body.mid, { text: 'Order' });
		await stage.answer(({ body }) => body.text === 'Ordered.');
	});

	it('downloads a photo and uploads it again, with the binary data of queue mode', async () => {
		const { stage } = played;
		await stage.createActive(example('photo-back.json', stage.credential));
		const photo = photoOf(200_000);
		await stage.control.userWrites(stage.dialog.chat_id, {
			text: 'Look',
			attachments: [photo.sent],
		});
		await stage.answer(({ body }) => body.text?.startsWith('Here it is again') ?? false);
		const uploads = await stage.control.journal({ origin: 'upload', method: 'POST' });
		expect(uploads).toMatchObject([{ status: 200, sha256: photo.sha256 }]);
	});

	it('receives events through a webhook process, each once, even if it is killed or another program replaces the secret', async () => {
		const { steps } = played;
		let { process, place } = await cluster.startWebhookProcess();
		// Four processes of n8n take their time on a busy machine.
		const timeout = 60_000;
		const behind = await Stage.open({}, place);
		try {
			const workflow = await behind.createActive(steps.workflow(behind));
			await behind.control.setFaults([unheard(20)]);
			const before = payloadsOf('before', 40);
			for (const payload of before) await happen(behind, payload);
			await steps.all(before, timeout);
			await process.end('SIGKILL');
			await behind.control.advance(REPETITION_MS);
			({ process } = await cluster.startWebhookProcess(place.port));
			const after = payloadsOf('after', 20);
			for (const payload of after) await happen(behind, payload);
			await behind.control.advance(3 * REPETITION_MS);
			await steps.allOrCrashed([...before, ...after], cluster.own.place, workflow);
			await waitFor(async () => (await taken(behind, 3)) >= 20, {
				timeout,
				what: 'the repetitions',
			});
			const [{ url = '', secret } = {}] = await behind.subscriptions();
			await behind.call('POST', '/subscriptions', { body: { url, secret: 'somebody-elses' } });
			await happen(behind, 'refused');
			const isOwn = async () => (await behind.subscriptions())[0]?.secret === secret;
			await waitFor(isOwn, { timeout, what: 'the subscription with its own secret' });
			await behind.control.advance(REPETITION_MS);
			await steps.all(['refused'], timeout);
			expect(steps.repeated).toEqual([]);
		} finally {
			await behind.close();
			await process.end('SIGKILL');
		}
	}, 300_000);
});
