import { NodeOperationError, type INode } from 'n8n-workflow';

/** Who polls for the events of a bot. */
interface Claimant {
	readonly trigger: string;
	stop(): void;
}

/** Those who poll, by bot: each event goes to one of them. */
const claimants = new Map<string, Claimant>();

/**
 * Has the events of a bot go to this one, and stops the one of the same trigger that had them before.
 *
 * @throws NodeOperationError when another workflow polls for the bot
 */
export function claimPolls(bot: string, claimant: Claimant, node: INode): void {
	const other = claimants.get(bot);
	if (other && other.trigger !== claimant.trigger) {
		throw new NodeOperationError(node, 'Another active workflow polls for the events of this bot', {
			description:
				'Each event goes to one of those who poll. Unpublish the other workflow, or receive by webhook.',
		});
	}
	other?.stop();
	claimants.set(bot, claimant);
}

/** Gives the events of a bot up, if they go to this one. */
export function releasePolls(bot: string, claimant: Claimant): void {
	if (claimants.get(bot) === claimant) claimants.delete(bot);
}
