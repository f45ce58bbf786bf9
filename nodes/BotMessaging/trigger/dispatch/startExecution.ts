import type {
	IDataObject,
	IExecuteResponsePromiseData,
	IRun,
	ITriggerFunctions,
} from 'n8n-workflow';
import { isUpdate, type Update } from '../../events/events';
import { at, textAt } from '../../service/read';

export interface Started {
	/**
	 * Resolves when its first step is about to begin, or when a person stops it before: then its events start no other.
	 * Rejects when it ends otherwise without that.
	 */
	begun: Promise<void>;
	/** Settles when it has ended or starts to wait. */
	ended: Promise<unknown>;
}

/** What starting an execution needs of the trigger's functions. */
export type Emitter = Pick<ITriggerFunctions, 'emit'> & {
	helpers: Pick<ITriggerFunctions['helpers'], 'createDeferredPromise'>;
};

/** Response to the service when the first step of an event is about to begin. */
export const ACCEPTED = { body: { message: 'Accepted' }, headers: {}, statusCode: 200 };

/** Response when n8n cancels the execution before: in queue mode, it does not tell the trigger of a timeout. */
export const NOT_ACCEPTED = { body: { message: 'Canceled' }, headers: {}, statusCode: 503 };

/** n8n sends a response of its own for an execution that ends before the trigger node answers. */
const saysAccepted = (said: IExecuteResponsePromiseData): boolean =>
	textAt(said, 'body', 'message') === ACCEPTED.body.message;

/** Item added after the events of an execution whose worker was lost. */
const LOST = { json: { lost_with_its_worker: true } };

/** Whether an execution only reports that its events were lost. No event can say so itself. */
export const reportsLoss = (items: IDataObject[]): boolean =>
	items.some(
		(item) => !isUpdate(item) && item.lost_with_its_worker === LOST.json.lost_with_its_worker,
	);

/** Whether a person has stopped an execution; n8n also does at a timeout, or when it shuts down. */
const isStoppedByPerson = (error: unknown): boolean => at(error, 'reason') === 'manual';

/** n8n fails the execution of a lost worker and keeps none of its data: no node seems to have run. */
const wasLost = (run: IRun | undefined): boolean =>
	run?.status === 'error' && run.data.resultData.lastNodeExecuted === undefined;

/**
 * Asks n8n for one execution with these events as its items. Never throws. When the worker is lost after the answer,
 * starts another execution that fails and holds the events, so that they can be retried manually.
 */
export function startExecution(context: Emitter, updates: Update[]): Started {
	const { helpers } = context;
	const items = updates.map((json) => ({ json }));
	const answer = helpers.createDeferredPromise<IExecuteResponsePromiseData>();
	const over = helpers.createDeferredPromise();
	const done = helpers.createDeferredPromise<IRun>();
	// In queue mode, a busy main process can miss that a job is done, and never resolves `done`; this it always hears.
	const response: typeof answer = {
		...answer,
		resolve: (said) => {
			answer.resolve(said);
			// What n8n itself says when an execution has ended; what a node says has headers.
			if (!('headers' in said)) over.resolve();
		},
	};
	const begun = new Promise<void>((resolve, reject) => {
		const stopped = (error: unknown): void => (isStoppedByPerson(error) ? resolve() : reject());
		answer.promise.then((said) => (saysAccepted(said) ? resolve() : reject()), stopped);
		done.promise.then(() => reject(), stopped);
		context.emit([items], response, done);
	});
	begun
		.then(async () => {
			if (wasLost(await done.promise)) context.emit([[...items, LOST]]);
		})
		.catch(() => {});
	return { begun, ended: Promise.race([over.promise, done.promise]) };
}
