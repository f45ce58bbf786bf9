import { sleep } from 'n8n-workflow';

/**
 * When a published workflow changes, n8n switches its trigger off and, a moment later, on again. What happens between
 * is not lost as long as the service keeps the subscription: it delivers again what nobody took. In ms.
 */
const GRACE_MS = 8_000;

/** A trigger that starts again so soon after it left asks for what it missed, in ms. */
const RECENT_MS = 120_000;

/** A subscription that is about to be removed. */
interface Leave {
	bot: string;
	isTakenBack: boolean;
	/** Ends the grace. */
	hurry(): void;
	/** Settles when it has been removed, or is not to be. Never rejects. */
	done: Promise<void>;
}

const leaves = new Map<string, Leave>();

/** When addresses were left, in ms. */
const left = new Map<string, number>();

/**
 * Removes the subscription of an address a few seconds later, unless it is wanted again by then.
 *
 * @param unsubscribe never rejects
 */
export function leaveLater(url: string, bot: string, unsubscribe: () => Promise<void>): void {
	let hurry = (): void => {};
	const hurried = new Promise<void>((resolve) => {
		hurry = resolve;
	});
	const leave: Leave = { bot, isTakenBack: false, hurry, done: Promise.resolve() };
	leave.done = Promise.race([sleep(GRACE_MS), hurried]).then(async () => {
		if (leave.isTakenBack) return;
		await unsubscribe();
		left.set(url, Date.now());
		if (leaves.get(url) === leave) leaves.delete(url);
	});
	leaves.set(url, leave);
}

/**
 * An address is wanted again: the subscription of this bot stays, that of another one is removed at once. Resolves when
 * nothing is going to be removed any more.
 */
export async function stay(url: string, bot: string): Promise<void> {
	const leave = leaves.get(url);
	if (!leave) return;
	leaves.delete(url);
	leave.isTakenBack = leave.bot === bot;
	leave.hurry();
	await leave.done;
}

/** Removes at once what is about to be removed of a bot: as long as it has a subscription, it cannot be polled. */
export async function leaveNow(bot: string): Promise<void> {
	const own = [...leaves.values()].filter((leave) => leave.bot === bot);
	for (const { hurry } of own) hurry();
	await Promise.all(own.map(({ done }) => done));
}

export const isLeaving = (url: string): boolean => leaves.has(url);

/** When the subscription of an address was removed, in ms, if that was just now. */
export function leftLately(url: string): number | undefined {
	for (const [each, at] of left) if (Date.now() - at > RECENT_MS) left.delete(each);
	return left.get(url);
}
