import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { identityOf } from '../events/events';
import { toOutput } from './files';
import { ledgerOf } from './ledger';
import { hintsFor } from './notice';
import { polls, triggerKey } from './parameters';
import { pollOnce } from './pollOnce';
import { isUpdate, type Update } from '../events/update';

/** Executions whose events must not be handed over twice. A test run or a retry by hand is meant to run again. */
const RECORDED_MODES = ['webhook', 'trigger'];

const ACCEPTED = { body: { message: 'Accepted' }, headers: {}, statusCode: 200 };

/**
 * The trigger's place in an execution. n8n has stored the event by now. When its turn comes, the service gets its
 * 200, then the event is recorded as handed over, then the steps of the workflow begin. So an event that n8n loses
 * before its answer was not recorded and runs when it comes again, and one whose steps may have begun ends here when
 * it comes again.
 */
export async function handOver(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const given = this.getInputData().map(({ json }) => json);
	const updates = given.filter(isUpdate);
	if (updates.length === 0) return [await withoutEvent(this)];
	const accepted = await accept(this, updates);
	this.addExecutionHints(...hintsFor(this));
	return [await Promise.all(accepted.map(async (update) => await toOutput(this, update)))];
}

/** A run from the editor has no event yet when the trigger polls; anything else that is given passes through. */
async function withoutEvent(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (context.getMode() !== 'manual' || !polls(context)) return context.getInputData();
	const update = await pollOnce(context);
	return update ? [await toOutput(context, update)] : [];
}

/** Answers the service, records the events as handed over and returns those that had not been. */
async function accept(context: IExecuteFunctions, updates: Update[]): Promise<Update[]> {
	const answer = async (): Promise<void> => await context.sendResponse(ACCEPTED);
	if (!RECORDED_MODES.includes(context.getMode())) {
		await answer();
		return updates;
	}
	const ledger = ledgerOf(triggerKey(context));
	const { helpers: recorder } = context;
	try {
		const isNew = await Promise.all(
			updates.map(async (update) => await ledger.record(identityOf(update), { recorder, answer })),
		);
		return updates.filter((_, index) => isNew[index]);
	} catch (error) {
		const reason = error instanceof Error ? error : String(error);
		throw new NodeOperationError(context.getNode(), reason, {
			description:
				'n8n could not note in its database that this event was handed over, so the steps of the workflow did not begin. Retry this execution once the database answers again.',
		});
	}
}
