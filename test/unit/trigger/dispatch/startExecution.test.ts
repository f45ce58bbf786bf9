import {
	createRunExecutionData,
	ManualExecutionCancelledError,
	SystemShutdownExecutionCancelledError,
	TimeoutExecutionCancelledError,
	type IExecuteResponsePromiseData,
	type IRun,
} from 'n8n-workflow';
import {
	ACCEPTED,
	NOT_ACCEPTED,
	startExecution,
	type Emitter,
} from '../../../../nodes/BotMessaging/trigger/dispatch/startExecution';

const helpers: Emitter['helpers'] = {
	createDeferredPromise: <T>() => {
		let settle: { resolve(value: T | PromiseLike<T>): void; reject(error: unknown): void };
		const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
		return { promise, ...settle! };
	},
};

/** An execution of which n8n says this to the trigger, in this order, and never that it is done. */
async function started(...said: IExecuteResponsePromiseData[]) {
	const emit: Emitter['emit'] = (_, response) => said.forEach((one) => response?.resolve(one));
	const context = { emit, helpers };
	const { begun, ended } = startExecution(context, []);
	const state = { begun: 'open', ended: 'open' };
	begun.then(
		() => (state.begun = 'yes'),
		() => (state.begun = 'no'),
	);
	void ended.then(() => (state.ended = 'yes'));
	await new Promise(setImmediate);
	return state;
}

const FINISHED = {};
const FAILED = { body: { message: 'Workflow execution failed' }, statusCode: 500 };
const OF_A_NODE = { body: { message: 'Hello' }, headers: {}, statusCode: 200 };

describe('An execution of whose end n8n never tells, as a busy main process in queue mode misses it', () => {
	test.each<[string, IExecuteResponsePromiseData[], object]>([
		['runs', [ACCEPTED], { begun: 'yes', ended: 'open' }],
		[
			'is over when n8n says that a worker finished it',
			[ACCEPTED, FINISHED],
			{ begun: 'yes', ended: 'yes' },
		],
		[
			'is over when n8n says that it failed in a worker',
			[ACCEPTED, FAILED],
			{ begun: 'yes', ended: 'yes' },
		],
		[
			'still runs when one of its nodes responds',
			[ACCEPTED, OF_A_NODE],
			{ begun: 'yes', ended: 'open' },
		],
		['is over when it ends before its first step', [FINISHED], { begun: 'no', ended: 'yes' }],
		['has not begun when it is canceled before', [NOT_ACCEPTED], { begun: 'no', ended: 'open' }],
	])('%s', async (_, said, state) => {
		expect(await started(...said)).toEqual(state);
	});
});

test.each<[string, IRun['status'], string | undefined, number]>([
	['starts another one when its worker was lost', 'error', undefined, 2],
	['does not when a node failed', 'error', 'Node', 1],
	['does not when it was canceled before its first node', 'canceled', undefined, 1],
])('An execution whose end n8n tells %s', async (_, status, lastNodeExecuted, count) => {
	const data = createRunExecutionData({ resultData: { runData: {}, lastNodeExecuted } });
	const [now, storedAt] = [new Date(), 'db'] as const;
	const emit = jest.fn<void, Parameters<Emitter['emit']>>((_items, response, done) => {
		response?.resolve(ACCEPTED);
		done?.resolve({ data, status, mode: 'trigger', startedAt: now, storedAt });
	});
	startExecution({ emit, helpers }, []);
	await new Promise(setImmediate);
	expect(emit).toHaveBeenCalledTimes(count);
});

test.each([
	['counts as begun when a person has stopped it', ManualExecutionCancelledError, 'begun'],
	['does not at a timeout', TimeoutExecutionCancelledError, 'not begun'],
	['does not when n8n shuts down', SystemShutdownExecutionCancelledError, 'not begun'],
])('An execution that n8n stops before its first step %s', async (_, Reason, state) => {
	const emit: Emitter['emit'] = (_items, response, done) => {
		response?.reject(new Reason('1'));
		done?.reject(new Reason('1'));
	};
	const { begun, ended } = startExecution({ emit, helpers }, []);
	await expect(ended).rejects.toThrow('cancelled');
	expect(
		await begun.then(
			() => 'begun',
			() => 'not begun',
		),
	).toBe(state);
});
