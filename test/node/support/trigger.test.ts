import { createAuthority } from '../../support/tls';
import { request as httpsRequest } from 'node:https';
import { ProbeTrigger } from './probeTrigger';
import { Probe } from './probe';
import { TriggerHost, type TriggerOptions } from './trigger';

let host: TriggerHost;
let node: ProbeTrigger;

async function start(options: Partial<TriggerOptions> = {}): Promise<void> {
	node = new ProbeTrigger();
	host = await TriggerHost.start({ node, ...options });
}

/** Key of an event, different in each test. */
let key = '';
let keys = 0;

beforeEach(async () => {
	key = `key ${++keys}`;
	await start();
});

afterEach(async () => await host.stop());

const json = { 'Content-Type': 'application/json' };

const post = async (url: string, body: unknown, headers: Record<string, string> = json) =>
	await fetch(url, {
		method: 'POST',
		headers,
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});

const told = (what: string) => node.told.filter(([name]) => name === what).map(([, ...how]) => how);

describe('Activation', () => {
	test('runs trigger() and creates the webhook, in this order', async () => {
		await host.activate();
		const url = host.webhookUrl();
		expect(node.told).toEqual([
			['trigger', 'trigger/activate', {}],
			['checkExists', 'trigger/activate', url, {}],
			['create', 'trigger/activate', url, {}],
		]);
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\/[\w-]+\/webhook$/);
		expect(host.stored.staticData).toEqual({ 'node:Probe Trigger': { created: true } });
		expect(host.memory.isRegistered).toBe(true);
	});

	test('does not create a webhook that exists', async () => {
		node.exists = true;
		await host.activate();
		expect(told('create')).toEqual([]);
	});

	test('has no webhook if that is switched off', async () => {
		await host.stop();
		await start({ parameters: { byWebhook: false } });
		await host.activate();
		expect(node.told).toEqual([['trigger', 'trigger/activate', {}]]);
		expect(() => host.webhookUrl()).toThrow('no webhook');
	});

	test('fails with the error of create(), and cleans up', async () => {
		node.refusal = new Error('Not here');
		await expect(host.activate()).rejects.toThrow('Not here');
		expect(told('delete')).toHaveLength(1);
		expect((await post(host.webhookUrl(), {})).status).toBe(404);
	});

	test('fails for a cron that n8n does not accept', async () => {
		await host.stop();
		await start({ parameters: { minute: 99 } });
		await expect(host.activate()).rejects.toThrow('problem activating');
		expect(host.memory.isRegistered).toBe(false);
	});

	test('ends with delete and the close function', async () => {
		await host.activate();
		await host.deactivate();
		expect(told('delete')).toEqual([['internal/update', host.webhookUrl(), { created: true }]]);
		expect(told('close')).toHaveLength(1);
		expect((await post(host.webhookUrl(), {})).status).toBe(404);
	});

	test('is repeated after a restart, with the saved static data and no delete', async () => {
		await host.activate();
		node.told.length = 0;
		await host.restart();
		expect(node.told).toEqual([
			['close'],
			['trigger', 'trigger/init', { created: true }],
			['checkExists', 'trigger/init', host.webhookUrl(), { created: true }],
			['create', 'trigger/init', host.webhookUrl(), { created: true }],
		]);
	});

	test('is repeated with new parameters', async () => {
		await host.activate();
		await host.republish({ byWebhook: false });
		expect(told('delete')).toHaveLength(1);
		expect(told('trigger').at(-1)).toEqual(['trigger/update', { created: true }]);
		expect(told('create')).toHaveLength(1);
	});

	test('uses the public address', async () => {
		await host.stop();
		await start({ publicUrl: 'https://bot.example' });
		await host.activate();
		expect(told('create')[0]?.[1]).toMatch(/^https:\/\/bot\.example\/webhook\//);
	});
});

describe('A webhook request', () => {
	beforeEach(async () => await host.activate());

	test('starts an execution of the node, with the raw body at hand', async () => {
		const response = await post(host.webhookUrl(), { key });
		expect([response.status, await response.json()]).toEqual([
			200,
			{ message: 'Workflow was started' },
		]);
		const [execution] = await host.ended(1);
		const handed = { key, mode: 'webhook', raw: JSON.stringify({ key }), requests: 1 };
		expect(execution).toMatchObject({
			mode: 'webhook',
			status: 'success',
			items: [{ json: handed }],
		});
	});

	test('keeps its static data', async () => {
		await post(host.webhookUrl(), { key });
		await post(host.webhookUrl(), { key: `${key}, second` });
		const executions = await host.ended(2);
		expect(executions.map(({ items }) => items[0]?.json.requests)).toEqual([1, 2]);
	});

	test('that comes again is de-duplicated in execute()', async () => {
		await post(host.webhookUrl(), { key });
		await host.ended(1);
		await host.restart();
		await post(host.webhookUrl(), { key });
		const executions = await host.ended(2);
		expect(executions.map(({ items }) => items.length)).toEqual([1, 0]);
	});

	test('is answered without an execution if the node returns no items', async () => {
		const response = await post(host.webhookUrl(), { deed: 'ignore' });
		expect(await response.json()).toEqual({ message: 'Webhook call received' });
		expect(host.stored.executions).toEqual([]);
	});

	test('is answered by the node itself if it wants to', async () => {
		const response = await post(host.webhookUrl(), { deed: 'refuse' });
		expect([response.status, await response.text()]).toEqual([403, 'Not you']);
		expect(host.stored.executions).toEqual([]);
	});

	test('for which the node throws is answered with 500 and leaves a failed execution', async () => {
		const response = await post(host.webhookUrl(), { deed: 'throw' });
		expect([response.status, await response.json()]).toEqual([
			500,
			{ code: 0, message: 'Workflow Webhook Error: Workflow could not be started!' },
		]);
		const [execution] = await host.ended(1);
		expect(execution).toMatchObject({ status: 'error', error: { message: 'The probe throws' } });
	});

	test.each([
		['invalid JSON', '{"key":', json, 422],
		['an unknown address', { key }, json, 404],
		['an unfit method', { key }, json, 404],
	])('with %s is refused', async (what, body, headers, status) => {
		const url = host.webhookUrl() + (what.includes('address') ? '/more' : '');
		const method = what.includes('method') ? 'PUT' : 'POST';
		const sent = typeof body === 'string' ? body : JSON.stringify(body);
		const response = await fetch(url, { method, headers, body: sent });
		expect(response.status).toBe(status);
		expect(host.stored.executions).toEqual([]);
	});

	test('may have another content type, and is then not parsed', async () => {
		const response = await post(host.webhookUrl(), '<xml/>', { 'Content-Type': 'image/png' });
		expect(response.status).toBe(500);
	});
});

describe('A test run', () => {
	test('runs beside production at its own address, until its first event', async () => {
		await host.activate();
		await host.listenForTest();
		const url = host.webhookUrl('webhook-test');
		expect(told('create').at(-1)).toEqual(['manual/manual', url, {}]);
		expect((await post(url, { deed: 'ignore' })).status).toBe(200);
		await post(url, { key });
		const [execution] = await host.ended(1);
		expect(execution).toMatchObject({ mode: 'manual', items: [{ json: { mode: 'manual' } }] });
		expect(told('delete')).toEqual([['internal/update', url, expect.anything()]]);
		expect((await post(url, { key })).status).toBe(404);
		expect((await post(host.webhookUrl(), { key })).status).toBe(200);
	});

	test('can be canceled', async () => {
		await host.listenForTest();
		await host.stopTest();
		expect(told('delete')).toHaveLength(1);
	});
});

describe('The part of a trigger that runs in memory', () => {
	test('ticks when told to, and emits executions with a deduplication key', async () => {
		await host.activate();
		expect(host.memory.cronExpressions).toEqual(['0 5 * * * *']);
		await host.memory.tick();
		await host.memory.tick();
		const executions = await host.ended(2);
		expect(executions.map(({ mode, status }) => `${mode} ${status}`)).toEqual([
			'trigger success',
			'trigger success',
		]);
		expect(executions[0]?.deduplicationKey).toMatch(/^tick 0 of /);
		expect(host.stored.staticData).toEqual({ 'node:Probe Trigger': { created: true, ticks: 2 } });
	});

	test('no longer ticks after the workflow is deactivated', async () => {
		await host.activate();
		await host.deactivate();
		await host.memory.tick();
		expect(host.stored.executions).toEqual([]);
	});
});

test('The node after the trigger gets its items', async () => {
	await host.stop();
	await start({ next: { node: new Probe(), parameters: { value: '={{ $json.key }}!' } } });
	await host.activate();
	await post(host.webhookUrl(), { key });
	const [execution] = await host.ended(1);
	expect(execution?.itemsOf('Probe')).toMatchObject([{ json: { value: `${key}!` } }]);
});

test('Webhooks can be served over https', async () => {
	const authority = createAuthority();
	await host.stop();
	await start({ certificate: authority.issue(['bot.example']) });
	await host.activate();
	const { pathname } = new URL(host.webhookUrl());
	const status = await new Promise((resolve, reject) => {
		const options = { host: '127.0.0.1', port: host.port, path: pathname, method: 'POST' };
		const tls = { servername: 'bot.example', ca: authority.ca, headers: json };
		const request = httpsRequest({ ...options, ...tls }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		request.on('error', reject);
		request.end(JSON.stringify({ key }));
	});
	expect(status).toBe(200);
});
