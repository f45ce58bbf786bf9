import type { ITriggerFunctions } from 'n8n-workflow';
import { chatOf, identityOf, personOf, type Update } from '../../events/events';
import { realClock } from '../../service/clock';
import { passOnPress } from '../../wait/press';
import { decisionsSettled } from '../../wait/textAnswers';
import type { Fate } from './chatQueue';
import { DispatcherQueue } from './dispatcherQueue';
import { ledgerOf } from './ledger';
import { fateIfOwn } from './ownId';
import { triggerKey, type TriggerSettings } from '../settings/parameters';
import type { Policy } from '../settings/dispatcherOptions';
import { startExecution } from './startExecution';
import { showTyping } from './typing';

/** How long the state of a closed dispatcher is kept in case its trigger starts again, in ms. */
const AFTERLIFE_MS = 600_000;

/**
 * Hands the events of one active trigger to n8n. It lives in the (leading) main process, where n8n runs `trigger()`, so
 * it knows which events wait and which executions have begun, wherever they run.
 */
export class Dispatcher {
	private readonly queue: DispatcherQueue<Update>;

	/** Set by `start`; `undefined` while the trigger is off. */
	private open?: TriggerSettings & { context: ITriggerFunctions };

	private closedAt = 0;

	constructor(trigger: string, policy: Policy) {
		this.queue = new DispatcherQueue(ledgerOf(trigger), realClock, policy);
	}

	start(context: ITriggerFunctions, settings: TriggerSettings): void {
		this.open = { ...settings, context };
		this.queue.open(settings.policy, (updates) => {
			const started = startExecution(context, updates);
			if (settings.typing) showTyping(context, updates, started);
			return started;
		});
	}

	/** Stops handing events over. Waiting events keep their place in case the trigger starts again. */
	close(context: ITriggerFunctions): void {
		// After a workflow change, the new trigger may already have taken over.
		if (this.open?.context !== context) return;
		this.open = undefined;
		this.closedAt = realClock.now();
		this.queue.close();
	}

	get isOpen(): boolean {
		return this.open !== undefined;
	}

	get secret(): string {
		return this.open?.secret ?? '';
	}

	/** Whether it has been closed long enough to be forgotten. */
	get isOver(): boolean {
		return !this.isOpen && realClock.now() - this.closedAt > AFTERLIFE_MS;
	}

	/**
	 * Queues an event that passes the filters and is not of the bot itself. Resolves when its execution has begun or after
	 * `patienceMs`, and at once to `late` when the trigger is off: then the event has to be delivered again. Never rejects.
	 */
	async take(update: Update, patienceMs: number): Promise<Fate> {
		if (!this.open) return 'late';
		const { passes, policy, context } = this.open;
		const fate = passes(update) ? await fateIfOwn(context, update) : 'ignored';
		if (fate) return fate;
		const chat = chatOf(update);
		if (chat !== undefined && policy.inOrder) await decisionsSettled(chat);
		const event = {
			key: identityOf(update),
			time: update.timestamp,
			chat,
			person: personOf(update),
			collects: update.update_type === 'message_created',
			content: update,
		};
		return await this.queue.offer(event, patienceMs);
	}

	/** Whether the execution of these events, which this process runs, may begin its steps; see DispatcherQueue. */
	async mayBegin(keys: string[]): Promise<boolean> {
		return await this.queue.mayBegin(keys);
	}

	/**
	 * Hands over an event that was polled: an answer to Send and Wait goes to the execution that waits for it,
	 * everything else to `take`. Throws NodeOperationError when that execution cannot be reached.
	 */
	async handOver(update: Update, patienceMs: number): Promise<Fate> {
		if (!this.open) return 'late';
		if (await passOnPress(this.open.context, update)) return 'ignored';
		return await this.take(update, patienceMs);
	}
}

/** The fates after which an event has to be handed over again, and why. */
export const PROBLEMS: Partial<Record<Fate, string>> = {
	late: 'its turn has not come',
	full: 'too many events wait',
	failed: 'n8n could not start its execution',
};

const dispatchers = new Map<string, Dispatcher>();

/** The dispatcher of a trigger, if this process runs it. */
export function dispatcherOf(trigger: string): Dispatcher | undefined {
	const dispatcher = dispatchers.get(trigger);
	return dispatcher?.isOpen ? dispatcher : undefined;
}

/** Starts the dispatcher of a trigger; one that was closed recently keeps its state. */
export function openDispatcher(context: ITriggerFunctions, settings: TriggerSettings): Dispatcher {
	for (const [trigger, { isOver }] of dispatchers) if (isOver) dispatchers.delete(trigger);
	const trigger = triggerKey(context);
	const dispatcher = dispatchers.get(trigger) ?? new Dispatcher(trigger, settings.policy);
	dispatcher.start(context, settings);
	dispatchers.set(trigger, dispatcher);
	return dispatcher;
}
