/**
 * An execution counts as lost when another one has begun that n8n was asked for so much later, in ms. Longer than n8n
 * takes to pass on what a lost worker had (90 s by default).
 */
const LOST_AFTER_MS = 120_000;

/**
 * Tells which executions n8n may have lost before they began, as can happen when its database fails: it begins them in
 * the order in which it was asked for them. If none begins for long, n8n may just be full, so that only the oldest
 * counts; asking for it again finds out. All times are in ms.
 */
export class LostExecutions {
	private begunAt = -Infinity;

	/** When n8n was asked for the newest of the executions that have begun. */
	private newestBegun = -Infinity;

	/** Notes that an execution has begun that n8n was asked for at `askedForAt`. */
	noteBegun(askedForAt: number, now: number): void {
		this.begunAt = now;
		this.newestBegun = Math.max(this.newestBegun, askedForAt);
	}

	/** Whether an execution that has not begun may be lost; `isOldest` of all that have not. */
	mayInclude(askedForAt: number, isOldest: boolean, now: number): boolean {
		const isStandstill = isOldest && now - this.begunAt > LOST_AFTER_MS;
		return (isStandstill ? now : this.newestBegun) - askedForAt > LOST_AFTER_MS;
	}
}
