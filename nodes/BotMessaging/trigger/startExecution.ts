import type { IExecuteResponsePromiseData, IRun, ITriggerFunctions } from 'n8n-workflow';
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

/** Asks n8n for one execution with these events as its items. Never throws. */
export function startExecution(context: ITriggerFunctions, updates: Update[]): Started {
	const { helpers } = context;
	const response = helpers.createDeferredPromise<IExecuteResponsePromiseData>();
	const done = helpers.createDeferredPromise<IRun>();
	const begun = new Promise<void>((resolve, reject) => {
		response.promise.then((said) => (isAccepted(said) ? resolve() : reject()), reject);
		done.promise.then(() => reject(), reject);
		context.emit([updates.map((json) => ({ json }))], response, done);
	});
	return { begun, ended: done.promise };
}
