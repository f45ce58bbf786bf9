import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { BoundedMap } from '../../service/boundedMap';
import { asObject, at, textAt } from '../../service/read';
import type { Service } from '../../service/types';

/** What a trigger remembers between restarts, in n8n's static data. */
export interface Remembered extends IDataObject {
	/** The subscribed address. Only the lifecycle hooks know it, so the watchdog reads it here. */
	url?: string;
	/** Mark of the subscription as it was last made. */
	mark?: string;
	/** When a person switched the trigger on, Unix time in ms. */
	activatedAt?: number;
	/** When the subscription was last seen correct, Unix time in ms by the service's clock. */
	seenAt?: number;
	/** The address that this trigger has left the bot's events to, where the service keeps one subscription per bot. */
	yieldedTo?: string;
}

/** A context of a trigger, as far as its static data are concerned. */
type Keeper = Pick<IHookFunctions, 'getWorkflowStaticData'>;

/** The static data of a trigger. */
export const remembered = (context: Keeper): Remembered => context.getWorkflowStaticData('node');

type Bot = Pick<Service, 'connection'>;

type Poller = Pick<ITriggerFunctions, 'getWorkflow' | 'getNode'> & Keeper;

/**
 * What the triggers of a workflow that poll keep, in the static data of the workflow by their node IDs: a trigger that is
 * renamed goes on where it stopped. n8n keeps the data of a node by its name.
 */
const POLLS = 'botMessagingPolls';

/** The same for those that poll in this process, by workflow. */
const polls = new BoundedMap<string, IDataObject>(1000);

/** Where the next poll of this bot begins; `undefined` for the first one. */
export function keptMarker(context: Poller, { connection }: Bot): string | undefined {
	const kept = at(context.getWorkflowStaticData('global'), POLLS, context.getNode().id);
	return textAt(kept, 'bot') === connection.botKey ? textAt(kept, 'marker') : undefined;
}

/**
 * Keeps where the next poll of this bot begins. n8n saves it when it has started the trigger, and with each emitted event:
 * together with all static data as they were when this trigger was started, so those of the others are brought up to date.
 */
export function keepMarker(context: Poller, { connection }: Bot, marker: string | undefined): void {
	const { id = '' } = context.getWorkflow();
	const own = { [context.getNode().id]: { bot: connection.botKey, marker } };
	polls.set(id, { ...polls.get(id), ...own });
	const data = context.getWorkflowStaticData('global');
	data[POLLS] = { ...asObject(data[POLLS]), ...polls.get(id) };
}

/** How much older a saved `seenAt` may be, in ms. */
const SAVED_AGO_MS = 3_600_000;

/**
 * What an active trigger remembers. Its changes are not written into its own static data: with the next event that it
 * hands over, n8n would save all static data of the workflow as they were when the trigger started, and so undo what other
 * nodes have stored since.
 */
export class Memory {
	private changes: Pick<Remembered, 'mark' | 'seenAt' | 'yieldedTo'> = {};

	constructor(private readonly context: Keeper) {}

	get known(): Remembered {
		return { ...remembered(this.context), ...this.changes };
	}

	learn(changes: Memory['changes']): void {
		this.changes = { ...this.changes, ...changes };
	}

	/** Saves for restarts what matters: with a request, since n8n loads the static data for it and saves it right after. */
	saveWith(request: Keeper): void {
		const saved = remembered(request);
		const { yieldedTo, seenAt, mark } = this.known;
		const isOld = (seenAt ?? 0) - (saved.seenAt ?? 0) > SAVED_AGO_MS;
		if (isOld || saved.yieldedTo !== yieldedTo) Object.assign(saved, { yieldedTo, seenAt, mark });
	}
}
