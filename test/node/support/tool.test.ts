import { Probe } from './probe';
import { runTool, type ToolRun } from './tool';

const call = (run: Omit<ToolRun, 'node'>) => runTool({ node: new Probe(), ...run });

const fromModel = "={{ $fromAI('word', 'The word to read', 'string') }}";

describe.each(['object', 'engine'] as const)('A tool called by the route "%s"', (route) => {
	test('gets the values that the model decided', async () => {
		const { response, tool, callError } = await call({
			route,
			parameters: { value: fromModel },
			args: { word: 'hello' },
		});
		expect(callError).toBeUndefined();
		expect(JSON.parse(response ?? '')).toMatchObject([{ value: 'hello' }]);
		expect(tool?.name).toBe('Probe_Tool');
	});

	test('tells the model why it failed', async () => {
		const { response, callError } = await call({
			route,
			parameters: { operation: 'fail' },
			args: {},
		});
		expect(callError?.message).toContain('Item 0 fails');
		expect(response ?? callError?.message).toContain('Item 0 fails');
	});

	test('has an output without files', async () => {
		const { response } = await call({ route, parameters: { operation: 'write' }, args: {} });
		if (route === 'object') expect(response).toContain('binary data, which is not supported');
		else expect(response).toBe('[{}]');
	});
});

test('A tool shows its arguments to the model, and refuses others', async () => {
	const parameters = { value: fromModel };
	const { tool, callError } = await call({ parameters, args: { wort: 'hello' } });
	expect(tool?.schema).toHaveProperty('shape.word');
	expect(callError?.message).toContain('did not match expected schema');
});

test('A node that is not usable as a tool is refused', async () => {
	const node = new Probe();
	node.description.usableAsTool = undefined;
	await expect(runTool({ node, args: {} })).rejects.toThrow('cannot be used as a tool');
});
