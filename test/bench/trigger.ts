import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { installN8n, wantedVersion, type N8nInstallation } from '../n8n/install';
import { N8nInstance } from '../n8n/instance';
import { packTarball } from '../n8n/package';
import { N8nClient, type Workflow } from '../n8n/rest';
import { CREDENTIAL, PACKAGE, TRIGGER, workflow } from '../n8n/workflow';
import { waitFor } from '../support/wait';
import { percentile } from './measure';
import type { Report, Row } from './report';
import { Stand } from './stand';

const WEBHOOK = 'n8n-nodes-base.webhook';
const PUBLIC_URL = 'https://bot.example.org/';
const ROUNDS = 6;
const EVENTS = 300;
const AT_ONCE = 5;

/** Where events go: a path of n8n, and the headers that it wants. */
interface Entrance {
	workflow: Workflow;
	path: string;
	headers: Record<string, string>;
}

interface Measured {
	perSecond: number;
	answersMs: number[];
}

let written = 0;

/** An event as the service delivers it; no two are the same. */
function event(): string {
	const seq = 116981768090823485n + BigInt(written++ * 65536);
	const mid = `mid.0000000008c0d2d1${seq.toString(16).padStart(16, '0')}`;
	const user = { user_id: 110022334, first_name: 'Vera', is_bot: false, name: 'Vera' };
	return `{"update_type":"message_created","timestamp":${1785000123456 + written},"user_locale":"en",
		"message":{"sender":${JSON.stringify(user)},"recipient":{"chat_id":146854609,"chat_type":"dialog","user_id":240000111},
		"timestamp":${1785000123456 + written},"body":{"mid":"${mid}","seq":${seq},"text":"Where is my parcel?"}}}`;
}

/** Delivers events, a few at a time, and measures how fast they are answered with 200. */
async function deliver(pool: Pool, { path, headers }: Entrance): Promise<Measured> {
	const answersMs: number[] = [];
	const startedAt = performance.now();
	let left = EVENTS;
	const deliverOn = async (): Promise<void> => {
		while (left-- > 0) {
			const sentAt = performance.now();
			const { statusCode, body } = await pool.request({
				...{ method: 'POST', path, body: event() },
				headers: { 'content-type': 'application/json', ...headers },
			});
			await body.dump();
			if (statusCode !== 200) throw new Error(`An event was answered with ${statusCode}`);
			answersMs.push(performance.now() - sentAt);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, deliverOn));
	return { answersMs, perSecond: EVENTS / ((performance.now() - startedAt) / 1000) };
}

/** Waits until no execution of a workflow is under way, so that rounds do not disturb each other. */
async function settle(client: N8nClient, workflow: Workflow): Promise<void> {
	const isOver = async (): Promise<boolean> => {
		const executions = await client.executions.list(workflow);
		return executions.every(({ status }) => status !== 'new' && status !== 'running');
	};
	await waitFor(isOver, { timeout: 120_000, what: 'the executions of a round' });
}

/** A workflow with nothing but the trigger, and one with nothing but n8n's Webhook node, both active. */
async function prepare(
	client: N8nClient,
	stand: Stand,
): Promise<{ ours: Entrance; webhook: Entrance }> {
	await client.installPackage(PACKAGE);
	const { baseUrl, token } = stand.target;
	const access = { baseUrl, accessToken: token };
	const credential = await client.createCredential('Bot', CREDENTIAL, access);
	const draft = workflow('Ours', [{ name: 'Trigger', type: TRIGGER, credential }]);
	const ownWorkflow = await client.activate(await client.createWorkflow(draft));
	const { bots } = await stand.control.state();
	const subscription = bots.flatMap(({ subscriptions }) => subscriptions)[0];
	if (!subscription) throw new Error('The trigger has not subscribed');
	const parameters = { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived' };
	const plain = workflow('Webhook', [
		{ name: 'Webhook', type: WEBHOOK, typeVersion: 2, parameters },
	]);
	const webhookWorkflow = await client.activate(await client.createWorkflow(plain));
	return {
		ours: {
			workflow: ownWorkflow,
			path: new URL(subscription.url).pathname,
			headers: { 'x-service-bot-api-secret': subscription.secret ?? '' },
		},
		webhook: { workflow: webhookWorkflow, path: '/webhook/bench', headers: {} },
	};
}

function toRows(ours: Measured[], webhook: Measured[]): Row[] {
	const rate = (all: Measured[]): number =>
		percentile(
			all.map(({ perSecond }) => perSecond),
			0.5,
		);
	const answers = (all: Measured[], part: number): number =>
		percentile(
			all.flatMap(({ answersMs }) => answersMs),
			part,
		);
	const time = (part: number): Row => {
		const [own, other] = [answers(ours, part), answers(webhook, part)];
		return {
			...{ what: `time to the answer, p${part * 100}`, value: own / other, unit: '× Webhook node' },
			detail: `${own.toFixed(1)} ms / ${other.toFixed(1)} ms`,
		};
	};
	return [
		{
			...{ what: 'events per second', value: rate(ours) / rate(webhook), unit: '× Webhook node' },
			target: '≥ 0.9',
			detail: `${rate(ours).toFixed(0)} / ${rate(webhook).toFixed(0)}, ${ROUNDS} rounds of ${EVENTS} in turn`,
		},
		time(0.5),
		time(0.99),
	];
}

/** An n8n to measure in. */
interface Setting {
	/** Completes what is measured. */
	name: string;
	env: Record<string, string>;
	/** n8n's default, for which the target is meant. */
	isDefault: boolean;
}

const SETTINGS: Setting[] = [
	{ name: '', env: {}, isDefault: true },
	// n8n makes an isolate for every webhook but its own node's; here it makes no exception.
	{
		name: ', n8n with N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP=false',
		env: { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' },
		isDefault: false,
	},
	{
		name: ', n8n with N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		isDefault: false,
	},
];

/** The trigger beside n8n's own Webhook node, in the same real n8n, in turn. */
async function measureIn(
	setting: Setting,
	installation: N8nInstallation,
	tarball: string,
): Promise<Row[]> {
	const folder = await mkdtemp(join(tmpdir(), 'bench-trigger-'));
	const stand = await Stand.start({ latencyMs: 0, chats: 0 });
	const n8n = await N8nInstance.start({
		...{ installation, folder, tarball, webhookUrl: PUBLIC_URL },
		env: setting.env,
	});
	const pool = new Pool(n8n.url, { connections: AT_ONCE });
	try {
		const client = await N8nClient.open(n8n);
		const { ours, webhook } = await prepare(client, stand);
		const round = async (entrance: Entrance): Promise<Measured> => {
			const delivered = await deliver(pool, entrance);
			await settle(client, entrance.workflow);
			return delivered;
		};
		const measured: { ours: Measured[]; webhook: Measured[] } = { ours: [], webhook: [] };
		// The first round warms up.
		await round(ours);
		await round(webhook);
		for (let done = 0; done < ROUNDS; done++) {
			measured.ours.push(await round(ours));
			measured.webhook.push(await round(webhook));
		}
		await client.close();
		return toRows(measured.ours, measured.webhook).map(({ what, target, ...row }) => ({
			...{ ...row, what: `${what}${setting.name}` },
			...(setting.isDefault && target !== undefined && { target }),
		}));
	} finally {
		await pool.close();
		await n8n.stop();
		await stand.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** How fast the trigger takes events, against n8n's own Webhook node. */
export async function measureTrigger(say: (line: string) => void): Promise<Report> {
	const installation = await installN8n(wantedVersion(), say);
	const tarball = await packTarball(say);
	const rows: Row[] = [];
	for (const setting of SETTINGS) {
		for (const row of await measureIn(setting, installation, tarball)) {
			rows.push(row);
			say(`${row.what}: ${row.value.toFixed(2)} ${row.unit} (${row.detail})`);
		}
	}
	return { title: 'Trigger', rows };
}
