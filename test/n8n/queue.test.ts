import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../support/wait';
import { startOwnN8n, type OwnN8n } from './own';
import type { N8nProcess } from './process';
import { startRedis, type Redis } from './redis';
import { freePort } from '../support/ports';
import { Stage } from './stage';
import { happen, payloadsOf, Steps } from './steps';
import { example } from './workflow';

/** Between two events, in ms. */
const PACE_MS = 100;

describe('a trigger in queue mode, whose executions run in a worker', () => {
	let redis: Redis;
	let own: OwnN8n;
	let worker: N8nProcess;
	let stage: Stage;
	let steps: Steps;

	const startWorker = async () => {
		const { instance } = own;
		const since = instance.log.length;
		const started = instance.startWorker({
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			QUEUE_HEALTH_CHECK_PORT: String(await freePort()),
		});
		await instance.waitForLog(/worker is now ready/, { since, timeout: 60_000 });
		return started;
	};

	beforeAll(async () => {
		redis = await startRedis();
		own = await startOwnN8n({
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_WORKER_LOCK_DURATION: '10000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
		});
		worker = await startWorker();
	}, 240_000);
	beforeEach(async () => {
		steps = await Steps.open();
		stage = await Stage.open({}, own.place);
	});
	afterEach(async () => {
		await stage.close();
		steps.close();
	}, 240_000);
	afterAll(async () => {
		await worker.end('SIGKILL');
		await own.close();
		redis.stop();
	}, 90_000);

	it('runs the steps once, also of events that are delivered twice at the same moment', async () => {
		await stage.createActive(steps.workflow(stage));
		const twice = { match: { origin: 'delivery' as const }, count: 10, then: { duplicate: 1 } };
		await stage.control.setFaults([twice]);
		const payloads = payloadsOf('queued', 20);
		for (const payload of payloads) await happen(stage, payload);
		await steps.all(payloads);
		const answered = await stage.control.journal({ kind: 'delivery', status: 200 });
		expect(answered).toHaveLength(30);
		expect(steps.repeated).toEqual([]);
	});

	it('runs nothing again that comes again after the main process was killed', async () => {
		const unheard = {
			match: { origin: 'delivery' as const },
			count: 5,
			then: { cut: 'after' as const },
		};
		await stage.createActive(steps.workflow(stage));
		await stage.control.setFaults([unheard]);
		const payloads = payloadsOf('before-kill', 5);
		for (const payload of payloads) await happen(stage, payload);
		await steps.all(payloads);
		await own.instance.kill();
		await own.instance.restart();
		await stage.control.advance(61_000);
		const again = async () =>
			(await stage.control.journal({ kind: 'delivery', status: 200 })).filter(
				(entry) => entry.kind === 'delivery' && entry.attempt === 2,
			);
		await waitFor(async () => (await again()).length === 5, { what: 'the repetitions' });
		await happen(stage, 'after-kill');
		await steps.all(['after-kill']);
		expect(steps.repeated).toEqual([]);
	}, 300_000);

	it('runs every event once or shows it as failed when a worker is killed', async () => {
		const workflow = await stage.createActive(steps.workflow(stage));
		const payloads = payloadsOf('worker', 20);
		for (const [index, payload] of payloads.entries()) {
			await happen(stage, payload);
			await sleep(PACE_MS);
			if (index === 9) await worker.end('SIGKILL');
		}
		worker = await startWorker();
		await stage.control.advance(61_000);
		const failed = await steps.allOrCrashed(payloads, own.place, workflow);
		expect(failed.length).toBeLessThanOrEqual(2);
		expect(steps.repeated).toEqual([]);
	}, 300_000);

	it('lets a person approve in the chat', async () => {
		await stage.createActive(example('approval-in-chat.json', stage.credential));
		await stage.control.userWrites(stage.dialog.chat_id, 'a lamp');
		const question = await stage.answer(({ body }) => body.text === 'Shall I order: a lamp?');
		await stage.control.press(question.body.mid, { text: 'Order' });
		await stage.answer(({ body }) => body.text === 'Ordered.');
	});
});
