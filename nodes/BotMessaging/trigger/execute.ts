import {
	NodeOperationError,
	type IExecuteData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import {
	chatOf,
	agentFieldsOf,
	identityOf,
	needsOwnId,
	personOf,
	shapeOf,
	eventOutput,
	isUpdate,
	type Update,
} from '../events/events';
import { dispatcherOf } from './dispatch/dispatcher';
import { collectionMs } from './settings/dispatcherOptions';
import { ledgerOf } from './dispatch/ledger';
import { ownIdOf } from './dispatch/ownId';
import { formOf, polls, readOutput, triggerKey } from './settings/parameters';
import { waitForTestEvent } from './polling/longPoll';
import { hintsFor } from './subscription/otherSubscriptions';
import { ACCEPTED, NOT_ACCEPTED, reportsLoss } from './dispatch/startExecution';
import { attachmentsIn, downloadAttachments } from '../files/download';
import { isCancelled } from '../files/fileHost';
import { openService } from '../service/client';
import { reasonOf } from '../service/failure';

/** Modes of executions whose events must not run twice. A test run or a manual retry is meant to run again. */
const RECORDED_MODES = ['webhook', 'trigger'];

/**
 * Settings of the node for its executions, whatever is chosen. n8n would run the steps all the same: after an error with
 * the events as they came, which may have run or will run again, and with an empty item where no event is new.
 */
const SETTINGS: Pick<INode, 'onError' | 'continueOnFail' | 'alwaysOutputData'> = {
	onError: 'stopWorkflow',
	continueOnFail: false,
	alwaysOutputData: false,
};

/**
 * Runs the trigger as the first node of an execution, which n8n has stored by now. Once the files are downloaded and
 * the turn of the event comes, it is recorded as handed over, the service gets its 200, and the steps of the workflow
 * begin. So an event that n8n loses before the answer has almost never been recorded and runs when it is delivered
 * again; one whose steps may have begun ends here when it is delivered again. A worker answers first, see Ledger.
 */
export async function executeTrigger(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const execution = this.getExecuteData();
	// A copy: the workflow itself keeps what was chosen.
	execution.node = { ...execution.node, ...SETTINGS };
	// All that the dispatcher handed over: with the setting Execute Once, n8n's input is the first item alone.
	const handed = execution.data.main?.[0] ?? [];
	const given = handed.map(({ json }) => json);
	const updates = given.filter(isUpdate);
	if (updates.length === 0) {
		// In n8n's oldest Execution Logic (v0), a Merge also runs the branches of triggers that did not start the execution.
		if (execution.source) return [[]];
		if (this.getMode() !== 'manual' || !polls(this)) return [handed];
		// A test run of a polling trigger has no event yet.
		updates.push(...(await waitForTestEvent(this)));
	}
	if (reportsLoss(given) && RECORDED_MODES.includes(this.getMode())) {
		throw new NodeOperationError(this.getNode(), 'The worker that ran these events was lost', {
			description:
				'There is no way to know how far the workflow got. Check whether its steps took effect, and retry this execution if they did not.',
		});
	}
	const outputs = new Map(updates.map((update) => [update, toOutput(this, update)]));
	// Download before the answer: an event that n8n loses after it is not delivered again. Errors surface below.
	await Promise.allSettled(outputs.values());
	const newUpdates = await accept(this, execution, updates);
	this.addExecutionHints(...hintsFor(this));
	const items = await Promise.all(newUpdates.flatMap((update) => outputs.get(update) ?? []));
	addCollectedText(this, items, newUpdates);
	return [items];
}

/** The new events of executions, by what n8n gives the trigger to run. */
const recorded = new WeakMap<IExecuteData, Update[]>();

/**
 * Answers the service, records the events as handed over and returns those that are new. They stay new if n8n's Retry On
 * Fail runs the trigger again, as it does after an error, and for an event that has a field `error`.
 */
async function accept(
	context: IExecuteFunctions,
	execution: IExecuteData,
	updates: Update[],
): Promise<Update[]> {
	if (!RECORDED_MODES.includes(context.getMode())) {
		await context.sendResponse(ACCEPTED);
		return updates;
	}
	const newUpdates = recorded.get(execution) ?? (await record(context, updates));
	recorded.set(execution, newUpdates);
	return newUpdates;
}

async function record(context: IExecuteFunctions, updates: Update[]): Promise<Update[]> {
	const answer = async (): Promise<void> => await context.sendResponse(ACCEPTED);
	const trigger = triggerKey(context);
	const keys = updates.map(identityOf);
	const dispatcher = dispatcherOf(trigger);
	if (dispatcher && !(await dispatcher.mayBegin(keys))) return [];
	if (isCancelled(context)) {
		// n8n begins no further step; unless a person has stopped it, the events start another execution.
		await context.sendResponse(NOT_ACCEPTED);
		return [];
	}
	// In a process without the trigger, such as a worker, others may run its executions as well.
	const shared = dispatcher === undefined;
	try {
		const handOver = { recorder: context.helpers, answer, shared };
		const isNew = await ledgerOf(trigger).record(keys, handOver);
		// `delete`, so that an event that occurs twice in one execution is new only once.
		return updates.filter((_, index) => isNew.delete(keys[index] ?? ''));
	} catch (error) {
		const reason = error instanceof Error ? error : String(error);
		throw new NodeOperationError(context.getNode(), reason, {
			description: `n8n could not record in its database that this event was handed over, so the steps of the workflow did not begin. ${
				shared
					? 'Retry this execution once the database answers again.'
					: 'The event starts another execution soon: this one needs no retry.'
			}`,
		});
	}
}

/**
 * If the trigger waits for more messages, adds `collected_text` to each item: all texts that the writer of the message
 * sent to its chat in this execution, in order, one per line. Items of other events get their own text, or none.
 */
function addCollectedText(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	updates: Update[],
): void {
	if (collectionMs(formOf(context)) === 0) return;
	const textsOf = new Map<string, string[]>();
	const texts = updates.map((update) => {
		const chat = chatOf(update);
		const isMessage = update.update_type === 'message_created' && chat !== undefined;
		const writer = isMessage ? JSON.stringify([chat, personOf(update)]) : identityOf(update);
		const list = textsOf.get(writer) ?? [];
		const text = shapeOf(update)?.text(update);
		if (text) list.push(text);
		textsOf.set(writer, list);
		return list;
	});
	for (const [index, item] of items.entries()) {
		item.json = { ...item.json, collected_text: texts[index]?.join('\n') ?? '' };
	}
}

/** One event as a workflow item, with its attachments. What cannot be fetched is left out: it does not come again. */
async function toOutput(context: IExecuteFunctions, update: Update): Promise<INodeExecutionData> {
	const { view, download, session } = readOutput(formOf(context));
	const ownId = view !== 'raw' && needsOwnId(update) ? await ownIdOf(context) : undefined;
	const agentFields = session ? agentFieldsOf(update, session === 'person') : {};
	const json = { ...eventOutput(update, view, ownId), ...agentFields };
	if (!download) return { json };
	try {
		const service = await openService(context);
		const attachments = attachmentsIn(update);
		const { files, missed } = await downloadAttachments(context, service, attachments, download);
		const not_downloaded = missed.map(({ index, type, reason }) => ({
			attachment: index,
			type,
			reason: reasonOf(reason),
		}));
		return { json: missed.length > 0 ? { ...json, not_downloaded } : json, binary: files };
	} catch (error) {
		return { json: { ...json, not_downloaded: [{ reason: reasonOf(error) }] } };
	}
}
