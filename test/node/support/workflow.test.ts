import { leadingTo, nodeOf } from '../../support/node';
import { Probe } from './probe';
import { runWorkflow, type WorkflowDefinition } from './workflow';

const node = (name: string, parameters: Record<string, string>) =>
	nodeOf({ id: name, name, type: 'probe', parameters });

const workflow: WorkflowDefinition = {
	nodes: [
		node('Second', { value: "={{ $('First').item.json.value }} and {{ $json.value }}" }),
		node('First', { value: '={{ $json.word }}' }),
		node('Aside', { operation: 'fail' }),
	],
	connections: { First: leadingTo('Second'), Second: leadingTo('Aside') },
};

const run = { workflow, nodeTypes: { probe: new Probe() } };

test('A workflow runs from its first node to the node that fails', async () => {
	const result = await runWorkflow({ ...run, items: [{ json: { word: 'one' } }] });
	expect(result.itemsOf('Second')).toMatchObject([{ json: { value: 'one and one' } }]);
	expect(result).toMatchObject({ status: 'error', error: { message: 'Item 0 fails' } });
	expect(result.itemsOf('Aside')).toEqual([]);
});

test('A workflow can be started from a node in its middle', async () => {
	const result = await runWorkflow({ ...run, start: 'Aside' });
	expect(Object.keys(result.runData)).toEqual(['Aside']);
});

test('A workflow with an unknown node type does not start', async () => {
	await expect(runWorkflow({ workflow, nodeTypes: {} })).rejects.toThrow('Unrecognized node type');
});
