import { DataDeduplicationService } from 'n8n-core';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { BotMessagingTrigger } from '../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { leadingTo, nodeOf } from '../../support/node';
import { nodesOfAnotherProcess } from '../support/anotherProcess';
import { toWorkflowNode } from '../support/engine';
import { PassThrough } from '../support/nodeTypes';
import { Stage } from '../support/stage';
import type { TriggerOptions } from '../support/trigger';
import { runWorkflow } from '../support/workflow';

class Merge extends PassThrough {
	override description: INodeTypeDescription = {
		...new PassThrough().description,
		inputs: ['main', 'main'],
	};
}

/** What n8n's editor offers below "Settings" of the trigger node. */
const SETTINGS: Array<[string, Pick<INode, 'onError' | 'alwaysOutputData'>]> = [
	['Always Output Data', { alwaysOutputData: true }],
	['On Error: Continue', { onError: 'continueRegularOutput' }],
	['On Error: Continue (using error output)', { onError: 'continueErrorOutput' }],
];

describe.each(SETTINGS)('With "%s" in the settings of the trigger', (_, settings) => {
	afterEach(() => jest.restoreAllMocks());
	const stage = Stage.forEachTest();
	const active = async (more: Partial<TriggerOptions> = {}) =>
		await stage.activeTrigger(
			{ events: ['*'] },
			{ ...settings, next: { node: new PassThrough() }, ...more },
		);

	/** The names of the steps that ran. */
	const ran = ({ runData }: { runData: object }) => Object.keys(runData);

	it('no step follows an event that was handed over before', async () => {
		const shared = { workflowId: `shared${Date.now()}`, nodeId: 'one' };
		const one = await active(shared);
		await stage.happen('a', { timestamp: 1785000120000 });
		const [first] = await one.ended(1);
		expect(first && ran(first)).toHaveLength(2);
		await one.deactivate();
		const { BotMessagingTrigger: Other } = await nodesOfAnotherProcess();
		const two = await active({ ...shared, node: new Other() });
		await stage.happen('a', { timestamp: 1785000120000 });
		const [again] = await two.ended(1);
		expect(again).toMatchObject({ status: 'success', items: [] });
		expect(again && ran(again)).toHaveLength(1);
	});

	it('no step follows an event that n8n cannot record, and it runs once n8n can', async () => {
		const host = await active();
		const broken = jest
			.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('database is locked'));
		await stage.happen('a');
		const [failed] = await host.ended(1);
		broken.mockRestore();
		expect(failed).toMatchObject({ status: 'error', error: { message: 'database is locked' } });
		expect(failed && ran(failed)).toHaveLength(1);
		const [, execution] = await host.ended(2);
		expect(execution).toMatchObject({ status: 'success', items: [{ json: { payload: 'a' } }] });
	});

	it('the events of a lost worker do not run again by themselves', async () => {
		const host = await active({ node: new BotMessagingTrigger() });
		await stage.happen('a');
		const [first] = await host.ended(1);
		const handed = [...(first?.handed ?? []), { json: { lost_with_its_worker: true } }];
		const report = await host.stored.start({ mode: 'trigger', handed }).result;
		expect(report).toMatchObject({
			status: 'error',
			error: { message: 'The worker that ran these events was lost' },
		});
		expect(ran(report)).toHaveLength(1);
	});
});

describe('With "Execute Once" in the settings of the trigger', () => {
	const stage = Stage.forEachTest();

	it('no message is lost that starts an execution together with others', async () => {
		const parameters = { events: ['message_created'], options: { collect_seconds: 1 } };
		const host = await stage.activeTrigger(parameters, { executeOnce: true });
		const { chatId } = await stage.dialog();
		for (const text of ['one', 'two']) await stage.control.userWrites(chatId, text);
		const [execution] = await host.ended(1);
		expect(execution?.items).toMatchObject([
			{ json: { text: 'one', collected_text: 'one\ntwo' } },
			{ json: { text: 'two', collected_text: 'one\ntwo' } },
		]);
	});
});

describe('With "Retry On Fail" in the settings of the trigger', () => {
	const stage = Stage.forEachTest();
	const retries = { retryOnFail: true, waitBetweenTries: 1 };
	const active = async (parameters: INodeParameters = {}) =>
		await stage.activeTrigger({ events: ['*'], ...parameters }, retries);

	it('no event is lost that tells of an error, which n8n takes for one of the trigger', async () => {
		const host = await active({ output: 'raw' });
		const event = { update_type: 'message_failed', timestamp: 1785000120000, error: 'Blocked' };
		await stage.control.enqueue(stage.bot.user_id, event);
		const [execution] = await host.ended(1);
		expect(execution).toMatchObject({ status: 'success', items: [{ json: event }] });
	});

	it('an event whose output cannot be made fails visibly, although it has been handed over', async () => {
		const host = await active();
		host.stored.setParameters({ events: ['*'], output: '={{ $json.missing.view }}' });
		await stage.happen('a');
		const [execution] = await host.ended(1);
		expect(execution).toMatchObject({ status: 'error', items: [] });
	});
});

describe.each(['v0', 'v1'] as const)('In Execution Logic %s', (executionOrder) => {
	const stage = Stage.forEachTest();

	it.each(['webhook', 'polling'])(
		'no step follows a trigger (%s) whose branch merges with the one that started the execution',
		async (delivery) => {
			const trigger = toWorkflowNode(
				{ node: new BotMessagingTrigger(), parameters: { delivery } },
				stage.credentials,
			);
			const { status, runData } = await runWorkflow({
				credentials: stage.credentials,
				start: 'Schedule',
				nodeTypes: {
					[trigger.type]: new BotMessagingTrigger(),
					start: new PassThrough(),
					merge: new Merge(),
				},
				workflow: {
					settings: { executionOrder },
					nodes: [
						trigger,
						nodeOf({ name: 'Schedule', type: 'start' }),
						nodeOf({ name: 'Reply', type: 'start' }),
						nodeOf({ name: 'Merge', type: 'merge' }),
					],
					connections: {
						Schedule: leadingTo('Merge'),
						[trigger.name]: leadingTo('Reply'),
						Reply: leadingTo('Merge', 1),
					},
				},
			});
			expect(status).toBe('success');
			expect(Object.keys(runData)).toContain('Merge');
			expect(runData).not.toHaveProperty('Reply');
		},
	);
});
