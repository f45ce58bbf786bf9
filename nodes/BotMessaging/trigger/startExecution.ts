import type {
	IDataObject,
	IExecuteResponsePromiseData,
	IRun,
	ITriggerFunctions,
} from 'n8n-workflow';
import type { Update } from '../events/update';
import { textAt } from '../service/read';

/** An execution that was asked for. */
export interface Started {
	/** Resolves when its first step is about to begin; rejects when it came to nothing. */
	begun: Promise<void>;
	/** Settles when it has ended or begun to wait. */
	ended: Promise<unknown>;
}

/** What the service is told when the first step of an event is about to begin. */
export const ACCEPTED = { body: { message: 'Accepted' }, headers: {}, statusCode: 200 };

/** An execution that ends without a word of the trigger node is answered by n8n with something else. */
const isAccepted = (said: IExecuteResponsePromiseData): boolean =>
	textAt(said, 'body', 'message') === ACCEPTED.body.message;

/** Stands behind the events of an execution whose process was lost. */
const LOST = { json: { lost_with_its_worker: true } };

/** Whether an execution only tells that these events were lost. */
export const tellsLoss = (items: IDataObject[]): boolean =>
	items.some((item) => LOST.json.lost_with_its_worker === item.lost_with_its_worker);

/** n8n fails the execution of a worker that was lost, and keeps nothing of it: no node seems to have run. */
const wasLost = (run: IRun | undefined): boolean =>
	run?.status === 'error' &&
	run.data.resultData.lastNodeExecuted === undefined &&
	Object.keys(run.data.resultData.runData).length === 0;

/**
 * Asks n8n for one execution with these events as its items. Never throws. Events that were answered and then lost with
 * their worker get a failed execution, which holds them, so that they can be retried by hand.
 */
export function startExecution(context: ITriggerFunctions, updates: Update[]): Started {
	const { helpers } = context;
	const items = updates.map((json) => ({ json }));
	const response = helpers.createDeferredPromise<IExecuteResponsePromiseData>();
	const done = helpers.createDeferredPromise<IRun>();
	const begun = new Promise<void>((resolve, reject) => {
		response.promise.then((said) => (isAccepted(said) ? resolve() : reject()), reject);
		done.promise.then(() => reject(), reject);
		context.emit([items], response, done);
	});
	begun
		.then(async () => {
			if (wasLost(await done.promise)) context.emit([[...items, LOST]]);
		})
		.catch(() => {});
	return { begun, ended: done.promise };
}
