import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { inspect } from 'node:util';
import { runNode, type NodeRun } from './support/engine';
import { close, listen } from '../support/server';
import { readBinary, storeBinary } from './support/binary';
import { Probe, ProbeApi } from './support/probe';

const probe = (run: Omit<NodeRun, 'node'>) => runNode({ node: new Probe(), ...run });

const json = (...values: Array<Record<string, string | number>>) =>
	values.map((value) => ({ json: value }));

describe('A node run in the engine', () => {
	test('resolves expressions for each item and keeps their pairing', async () => {
		const { items, status } = await probe({
			parameters: { value: '={{ $json.chat_id + "/" + $itemIndex }}' },
			items: json({ chat_id: '9007199254740993' }, { chat_id: '7' }),
		});
		expect(items.map((item) => [item.json.value, item.pairedItem])).toEqual([
			['9007199254740993/0', { item: 0 }],
			['7/1', { item: 1 }],
		]);
		expect(status).toBe('success');
	});

	test('has the defaults of the form', async () => {
		const { items } = await probe({});
		expect(items).toMatchObject([{ json: { value: 'nothing', mode: 'manual' } }]);
	});

	test('is not run without items', async () => {
		const node = new Probe();
		const { items } = await runNode({ node, items: [] });
		expect([items, node.calls]).toEqual([[], 0]);
	});

	test('is refused by n8n when a required parameter is empty', async () => {
		const node = new Probe();
		const { error, status } = await runNode({ node, parameters: { value: '' } });
		expect([status, node.calls]).toEqual(['error', 0]);
		expect(error?.message).toContain('Value');
	});

	test('reports its error as n8n shows it, and the error itself', async () => {
		const { error, thrown, items, status } = await probe({ parameters: { operation: 'fail' } });
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: 'Item 0 fails',
			description: 'Do not ask it to',
			context: { itemIndex: 0 },
		});
		expect(thrown).toEqual([expect.any(Error)]);
		expect([items, status]).toEqual([[], 'error']);
	});

	const mixed = {
		parameters: { operation: '={{ $json.deed }}' },
		items: json({ deed: 'read' }, { deed: 'fail' }),
	};

	test('goes on with the next item with Continue On Fail', async () => {
		const { items, error } = await probe({ ...mixed, onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{ json: { value: 'nothing' }, pairedItem: { item: 0 } },
			{ json: { error: 'Item 1 fails' }, pairedItem: { item: 1 } },
		]);
	});

	test('sends failed items to the error output', async () => {
		const { outputs } = await probe({ ...mixed, onError: 'continueErrorOutput' });
		expect(outputs).toMatchObject([
			[{ json: { value: 'nothing' } }],
			[{ json: { error: 'Item 1 fails' }, pairedItem: { item: 1 } }],
		]);
	});

	test('is retried as a whole with Retry On Fail', async () => {
		const { thrown } = await probe({
			...mixed,
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		});
		expect(thrown).toHaveLength(3);
	});

	test('logs into its own run', async () => {
		const [failed, read] = await Promise.all([
			probe({ parameters: { operation: 'fail' } }),
			probe({}),
		]);
		expect(failed.logs).toContainEqual({
			level: 'warn',
			message: 'About to fail',
			metadata: { index: 0 },
		});
		expect(inspect(read.logs)).not.toContain('About to fail');
	});

	test('can be stopped from outside while it runs', async () => {
		const run = probe({ parameters: { operation: 'wait' } });
		setImmediate(() => run.cancel());
		const { status, thrown } = await run;
		expect(status).toBe('canceled');
		expect(thrown).toMatchObject([{ message: 'Told to stop' }]);
	});

	test('can be stopped by a signal, even before it begins', async () => {
		const { status, thrown } = await probe({ signal: AbortSignal.abort() });
		expect([status, thrown]).toEqual(['canceled', []]);
	});

	test('remembers within its workflow and node only', async () => {
		const remember = async (workflowId: string, ...values: string[]) => {
			const parameters = { operation: 'remember', value: '={{ $json.value }}' };
			const items = json(...values.map((value) => ({ value })));
			const result = await probe({ workflowId, parameters, items });
			return result.items.map((item) => item.json.fresh);
		};
		expect(await remember('one', 'a', 'b', 'a')).toEqual([true, true, false]);
		expect(await remember('one', 'a')).toEqual([false]);
		expect(await remember('two', 'a')).toEqual([true]);
		expect(await remember('one', 'c', 'a')).toEqual([true, true]);
	});

	test('takes less than 20 ms without network', async () => {
		await probe({});
		const begin = performance.now();
		for (let runs = 0; runs < 20; runs++) await probe({});
		expect((performance.now() - begin) / 20).toBeLessThan(20);
	});
});

describe.each(['filesystem', 'memory'] as const)('Binary data in %s mode', (binaryMode) => {
	const inFile = binaryMode === 'filesystem';

	test('is read by a node', async () => {
		const data = await storeBinary(Buffer.from('twelve bytes'), { mode: binaryMode });
		const items = [{ json: {}, binary: { data } }];
		const parameters = { operation: 'measure' };
		const result = await probe({ binaryMode, parameters, items });
		expect(result.items).toMatchObject([{ json: { length: 12, inFile } }]);
	});

	test('is written by a node, while the other mode is in use', async () => {
		const write = (mode: 'filesystem' | 'memory', value: string) =>
			probe({ binaryMode: mode, parameters: { operation: 'write', value } });
		const [result] = await Promise.all([
			write(binaryMode, 'mine'),
			write(inFile ? 'memory' : 'filesystem', 'other'),
		]);
		const data = result.items[0]?.binary?.data;
		if (!data) throw new Error('Nothing was written');
		expect(String(await readBinary(data))).toBe('mine');
		expect(data).toMatchObject({ fileName: 'probe.txt', mimeType: 'text/plain' });
		expect(data.id !== undefined).toBe(inFile);
		expect(result.hints).toMatchObject([{ message: 'A file was written' }]);
	});
});

describe('Requests of a node', () => {
	let server: Server;
	let address: string;
	let requests: Array<{ headers: IncomingHttpHeaders; body: string }>;

	beforeAll(async () => {
		server = createServer(async (request, response) => {
			const body = (await request.toArray()).join('');
			requests.push({ headers: request.headers, body });
			response.writeHead(body.includes('bad') ? 400 : 200, { 'Content-Type': 'application/json' });
			response.end('{"seq":1}');
		});
		address = `http://127.0.0.1:${await listen(server)}/`;
	});

	beforeEach(() => {
		requests = [];
	});

	afterAll(async () => await close(server));

	const send = (run: Omit<NodeRun, 'node' | 'parameters'>) =>
		probe({
			parameters: { operation: 'send', value: '={{ $json.text }}' },
			credentialTypes: [new ProbeApi()],
			...run,
		});

	test('carry the credential, by the rules of its type', async () => {
		const credentials = { probeApi: { address, token: ' secret ' } };
		const { items } = await send({ credentials, items: json({ text: 'good' }) });
		expect(items).toMatchObject([{ json: { answer: { seq: 1 } } }]);
		expect(requests).toMatchObject([
			{ headers: { 'x-token': 'secret' }, body: '{"value":"good"}' },
		]);
	});

	test('go out for several runs at the same time', async () => {
		const texts = ['one', 'two', 'three'];
		const results = await Promise.all(
			texts.map((text) =>
				send({ credentials: { probeApi: { address, token: text } }, items: json({ text }) }),
			),
		);
		expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		expect(requests.map(({ headers }) => headers['x-token']).sort()).toEqual([...texts].sort());
	});

	test('fail as an error of the service', async () => {
		const credentials = { probeApi: { address, token: 'secret' } };
		const { error } = await send({ credentials, items: json({ text: 'bad' }) });
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '418' });
	});

	test('need a credential', async () => {
		const { error } = await send({ items: json({ text: 'good' }) });
		expect(error?.message).toContain('credential');
		expect(requests).toEqual([]);
	});
});
