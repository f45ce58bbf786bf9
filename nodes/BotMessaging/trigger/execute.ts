import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { identityOf, shapeOf } from '../events/events';
import { ACCEPTED, dispatcherOf } from './dispatcher';
import { collectionMs } from './dispatcherOptions';
import { toOutput } from './files';
import { ledgerOf } from './ledger';
import { hintsFor } from './notice';
import { formOf, polls, triggerKey } from './parameters';
import { waitForTestEvent } from './longPoll';
import { isUpdate, type Update } from '../events/update';
import { textAt } from '../service/read';

/** Executions whose events must not be handed over twice. A test run or a retry by hand is meant to run again. */
const RECORDED_MODES = ['webhook', 'trigger'];

/**
 * The trigger's place in an execution. n8n has stored the event by now. When its files are there and its turn comes, the service gets its
 * 200, then the event is recorded as handed over, then the steps of the workflow begin. So an event that n8n loses
 * before its answer was not recorded and runs when it comes again, and one whose steps may have begun ends here when
 * it comes again.
 */
export async function executeTrigger(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const given = this.getInputData().map(({ json }) => json);
	const updates = given.filter(isUpdate);
	if (updates.length === 0) return [await withoutEvent(this)];
	const outputs = new Map(updates.map((update) => [update, toOutput(this, update)]));
	// Files may take long, and an event that n8n loses after its answer does not come again. What fails is told after it.
	await Promise.allSettled(outputs.values());
	const accepted = await accept(this, updates);
	this.addExecutionHints(...hintsFor(this));
	const items = await Promise.all(accepted.flatMap((update) => outputs.get(update) ?? []));
	if (collectionMs(formOf(this)) > 0) addCollectedText(items, accepted);
	return [items];
}

/** A run from the editor has no event yet when the trigger polls; anything else that is given passes through. */
async function withoutEvent(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (context.getMode() !== 'manual' || !polls(context)) return context.getInputData();
	const update = await waitForTestEvent(context);
	return update ? [await toOutput(context, update)] : [];
}

/** Answers the service, records the events as handed over and returns those that had not been. */
async function accept(context: IExecuteFunctions, updates: Update[]): Promise<Update[]> {
	const answer = async (): Promise<void> => await context.sendResponse(ACCEPTED);
	if (!RECORDED_MODES.includes(context.getMode())) {
		await answer();
		return updates;
	}
	const trigger = triggerKey(context);
	const keys = updates.map(identityOf);
	try {
		const handOver = {
			recorder: context.helpers,
			answer,
			// Where the trigger does not run, other processes may run its executions as well.
			shared: dispatcherOf(trigger) === undefined,
		};
		const isNew = await ledgerOf(trigger).record(keys, handOver);
		// The same event twice in one execution is new once.
		return updates.filter((_, index) => isNew.delete(keys[index] ?? ''));
	} catch (error) {
		const reason = error instanceof Error ? error : String(error);
		throw new NodeOperationError(context.getNode(), reason, {
			description:
				'n8n could not note in its database that this event was handed over, so the steps of the workflow did not begin. Retry this execution once the database answers again.',
		});
	}
}

/**
 * Adds to each item all that its writer wrote in its chat in this execution: the texts in their order, a line each.
 * Items of other events than messages get their own text, or none.
 */
function addCollectedText(items: INodeExecutionData[], updates: Update[]): void {
	const textsOf = new Map<string, string[]>();
	const texts = updates.map((update) => {
		const shape = shapeOf(update);
		const chat = shape?.chat(update);
		const person = textAt(shape?.user(update), 'user_id');
		const isMessage = update.update_type === 'message_created' && chat !== undefined;
		const writer = isMessage ? JSON.stringify([chat, person]) : identityOf(update);
		const list = textsOf.get(writer) ?? [];
		const text = shape?.text(update);
		if (text) list.push(text);
		textsOf.set(writer, list);
		return list;
	});
	for (const [index, item] of items.entries()) {
		item.json = { ...item.json, collected_text: texts[index]?.join('\n') ?? '' };
	}
}
