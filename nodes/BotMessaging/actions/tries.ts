import type { IExecuteData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ServiceRequest } from '../service/types';

/** How far an item has come in the tries of n8n's Retry On Fail, which runs the whole node again when one has failed. */
export interface Tried {
	/** Its output, once it is done and is not to be done again. */
	output?: INodeExecutionData[];
	/** Those of its messages that were sent, in case that a later one fails. */
	readonly sent: INodeExecutionData[];
	/** What happens when its changes are made again: one entry for each kind of change that it has made. */
	readonly twice: Set<ServiceRequest['twice']>;
}

/** The items of executions that n8n may try again, by what it gives the node to run. */
const tried = new WeakMap<IExecuteData, Map<number, Tried>>();

/** How far the items have come that the node is to run, by their index. */
export function triesOf(context: IExecuteFunctions): (itemIndex: number) => Tried {
	const items = isTriedAgain(context)
		? itemsOf(context.getExecuteData())
		: new Map<number, Tried>();
	return (itemIndex) => {
		const item = items.get(itemIndex) ?? { sent: [], twice: new Set() };
		items.set(itemIndex, item);
		return item;
	};
}

/** All calls of a tool by an older agent are part of one execution, that of the agent; each has one item. */
const isTriedAgain = (context: IExecuteFunctions): boolean =>
	context.getNode().retryOnFail === true && !context.isToolExecution();

function itemsOf(execution: IExecuteData): Map<number, Tried> {
	const items = tried.get(execution) ?? new Map<number, Tried>();
	tried.set(execution, items);
	return items;
}

/**
 * Keeps the output of an item that is done, so that the next try does not do it again, and returns it. Where items follow
 * each other in a lane, those that only overwrite something are: the last one counts, also if an earlier one has failed.
 */
export function keepOutput(
	item: Tried,
	output: INodeExecutionData[],
	lane?: string,
): INodeExecutionData[] {
	const overwrites = item.twice.size === 1 && item.twice.has('same');
	if (lane === undefined || !overwrites) item.output = output;
	return output;
}
