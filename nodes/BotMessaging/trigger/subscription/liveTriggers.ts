import { realClock } from '../../service/clock';
import { shownAddress } from '../../service/errorMessages';
import { triggerKey, type TriggerContext } from '../settings/parameters';
import { remembered } from './memory';

/** A trigger that is active or tested in this process, and subscribed or about to be. */
interface LiveTrigger {
	trigger: string;
	/** Name and ID of its workflow. */
	workflow: string;
	workflowId: string;
	/** Whether the address is that of a test run, which ends soon. */
	isTest: boolean;
	/** When a person switched it on, Unix time in ms. */
	activatedAt: number;
	addedAt: number;
}

const byUrl = new Map<string, LiveTrigger>();

/** How long n8n lets a test run wait for an event at most, in ms. */
const LONGEST_TEST_MS = 600_000;

/** Registers a trigger by the address that it subscribes. */
export function addLiveTrigger(
	context: Pick<TriggerContext, 'getWorkflow' | 'getNode' | 'getMode' | 'getWorkflowStaticData'>,
	url: string,
): void {
	const { name: workflow = '', id: workflowId = '' } = context.getWorkflow();
	const { activatedAt = 0 } = remembered(context);
	const isTest = context.getMode() === 'manual';
	const addedAt = realClock.now();
	const trigger = triggerKey(context);
	byUrl.set(url, { trigger, workflow, workflowId, isTest, activatedAt, addedAt });
}

/** The time of an activation that happens now: after all others, even if the clock of the machine was set back since. */
export const nextActivation = (): number =>
	Math.max(Date.now(), ...[...byUrl.values()].map(({ activatedAt }) => activatedAt + 1));

export const removeLiveTrigger = (url: string): void => {
	byUrl.delete(url);
};

/** The trigger with this address, if this process runs it. */
export function liveTriggerAt(url: string): LiveTrigger | undefined {
	const live = byUrl.get(url);
	// n8n does not tell the end of a test run whose workflow was deleted meanwhile.
	const isOver = live?.isTest && realClock.now() - live.addedAt > LONGEST_TEST_MS;
	return isOver ? undefined : live;
}

/** Whether an address is that of a published trigger of the workflow with this ID. */
export function isOfWorkflow(workflowId: string | undefined, address: string): boolean {
	const live = liveTriggerAt(address);
	return live !== undefined && !live.isTest && live.workflowId === workflowId;
}

/** A readable name for an address, seen from the workflow with this ID: the workflow that it leads to, where that is known. */
export function nameOfAddress(address: string, workflowId?: string): string {
	if (isOfWorkflow(workflowId, address)) return 'another trigger of this workflow';
	const live = liveTriggerAt(address);
	if (!live) return shownAddress(address);
	return `${live.isTest ? 'a test run of the' : 'the published'} workflow “${live.workflow}” of this n8n`;
}
