import type { ITriggerFunctions } from 'n8n-workflow';
import { chatOf, identityOf, personOf } from '../events/events';
import type { Update } from '../events/update';
import { realClock } from '../service/pacing/clock';
import { passOnPress } from '../wait/press';
import type { Fate } from './chatLine';
import { DispatcherQueue } from './dispatcherQueue';
import { readPolicy, showsTyping } from './dispatcherOptions';
import { readFilters, type Filter } from './filters';
import { ledgerOf } from './ledger';
import { chosenEvents, formOf, polls, triggerKey } from './parameters';
import { givenSecret } from './secret';
import { startExecution, type Started } from './startExecution';
import { showTyping } from './typing';

/** Webhooks of one burst overtake each other by some milliseconds on their way, even when n8n has little to do. */
const SETTLE_MS = 20;

/** What a closed dispatcher knows is of use when its trigger starts again soon, in ms. */
const AFTERLIFE_MS = 600_000;

/**
 * Hands the events of one active trigger to n8n. It exists where n8n runs `trigger()`: in the main process, the
 * leading one of several. There it knows what is under way and what has begun, whoever runs the executions.
 */
export class Dispatcher {
	private readonly queue: DispatcherQueue<Update>;

	/** What `trigger()` gave; `undefined` while the trigger is off. */
	private open?: { passes: Filter; secret: string; context: ITriggerFunctions };

	private closedAt = 0;

	constructor(trigger: string) {
		this.queue = new DispatcherQueue(ledgerOf(trigger), realClock);
	}

	/** Begins to hand events over. Settings are read here: n8n resolves expressions only while it starts a trigger. */
	start(context: ITriggerFunctions): void {
		const events = chosenEvents(context);
		const passes = readFilters(formOf(context), events);
		const policy = readPolicy(formOf(context), polls(context) ? 0 : SETTLE_MS);
		this.open = { passes, secret: givenSecret(context), context };
		const typing = showsTyping(formOf(context));
		this.queue.open(policy, (updates) => {
			const started = startExecution(context, updates);
			if (typing) typeMeanwhile(context, updates, started);
			return started;
		});
	}

	/** Hands nothing over any more. What waits keeps its place for a trigger that starts again. */
	close(context: ITriggerFunctions): void {
		// After a change of the workflow the new trigger may have started already.
		if (this.open?.context !== context) return;
		this.open = undefined;
		this.closedAt = Date.now();
		this.queue.close();
	}

	get isOpen(): boolean {
		return this.open !== undefined;
	}

	/** The secret of the form, empty when there is none. */
	get secret(): string {
		return this.open?.secret ?? '';
	}

	/** Whether nobody will ask for it again. */
	get isOver(): boolean {
		return !this.isOpen && Date.now() - this.closedAt > AFTERLIFE_MS;
	}

	/**
	 * Takes in an event, unless it does not pass the filters. Resolves when its execution has begun, or `patienceMs`
	 * later; never rejects. An event for a trigger that was switched off while the event was read has to come again.
	 */
	async take(update: Update, patienceMs: number): Promise<Fate> {
		if (!this.open) return 'late';
		if (!this.open.passes(update)) return 'ignored';
		const event = {
			key: identityOf(update),
			time: update.timestamp,
			chat: chatOf(update),
			person: personOf(update),
			collects: update.update_type === 'message_created',
			content: update,
		};
		return await this.queue.offer(event, patienceMs);
	}

	/** Whether the execution of events with these keys, which this process runs, may begin its steps; see DispatcherQueue. */
	async mayBegin(keys: string[]): Promise<boolean> {
		return await this.queue.mayBegin(keys);
	}

	/**
	 * Hands over an event that the service was asked for: an answer to Send and Wait goes to the execution that waits for
	 * it, one that does not pass goes nowhere.
	 *
	 * @throws NodeOperationError when the waiting execution cannot be reached
	 */
	async handOver(update: Update, patienceMs: number): Promise<Fate> {
		if (!this.open) return 'late';
		if (await passOnPress(this.open.context, update)) return 'ignored';
		return await this.take(update, patienceMs);
	}
}

/** Why an event has to be handed over again. */
export const PROBLEMS: Partial<Record<Fate, string>> = {
	late: 'its turn has not come',
	full: 'too many events wait',
	failed: 'n8n could not start its execution',
};

function typeMeanwhile(context: ITriggerFunctions, updates: Update[], started: Started): void {
	let isOver = false;
	const end = (): void => {
		isOver = true;
	};
	started.ended.then(end, end);
	started.begun.then(() => showTyping(context, updates, () => isOver)).catch(end);
}

const dispatchers = new Map<string, Dispatcher>();

/** The dispatcher of a trigger, if this process runs it. */
export function dispatcherOf(trigger: string): Dispatcher | undefined {
	const dispatcher = dispatchers.get(trigger);
	return dispatcher?.isOpen ? dispatcher : undefined;
}

/**
 * Starts the dispatcher of a trigger, with what it knows from before.
 *
 * @throws NodeOperationError that names a filter or an option whose value cannot be used
 */
export function openDispatcher(context: ITriggerFunctions): Dispatcher {
	for (const [trigger, { isOver }] of dispatchers) if (isOver) dispatchers.delete(trigger);
	const trigger = triggerKey(context);
	const dispatcher = dispatchers.get(trigger) ?? new Dispatcher(trigger);
	dispatcher.start(context);
	dispatchers.set(trigger, dispatcher);
	return dispatcher;
}
