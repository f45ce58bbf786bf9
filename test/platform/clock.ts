/** How long `advance` waits in real time for a callback that does not settle before it moves on. */
const PATIENCE_MS = 2_000;

/** The longest delay that `setTimeout` takes. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

type Callback = () => unknown;

/** A planned callback. */
export interface Timer {
	/** Cancels the callback; has no effect once it has run. */
	cancel(): void;
}

interface Planned extends Timer {
	time: number;
	run: Callback;
}

/**
 * The service's time: real time plus an offset that tests can advance. Everything that waits (upload processing,
 * webhook retries, long polling, retention) waits on it, so real time and an advance both end the wait.
 */
export class Clock {
	private offset = 0;

	/** Ordered by time; equal times in the order they were planned. */
	private planned: Planned[] = [];

	private wakeUp: NodeJS.Timeout | undefined;

	private advancing: Promise<void> = Promise.resolve();

	private advances = 0;

	/** Now, in Unix milliseconds. */
	now(): number {
		return Date.now() + this.offset;
	}

	/** Runs `run` as soon as the clock reaches `time` (Unix ms), at the earliest in the next turn. */
	at(time: number, run: Callback): Timer {
		const timer: Planned = { time, run, cancel: () => this.cancel(timer) };
		// Most are due after all others, so the search begins at the end.
		const before = this.planned.findLastIndex((other) => other.time <= time);
		this.planned.splice(before + 1, 0, timer);
		if (this.planned[0] === timer) this.arm();
		return timer;
	}

	/** Runs `run` once `ms` milliseconds have passed. */
	after(ms: number, run: Callback): Timer {
		return this.at(this.now() + ms, run);
	}

	/** Resolves once `ms` milliseconds have passed. */
	sleep(ms: number): Promise<void> {
		return new Promise((resolve) => this.after(ms, resolve));
	}

	/**
	 * Moves the clock forward by `ms` milliseconds. Whatever becomes due on the way runs in order, each at its own time,
	 * and is awaited for at most two real seconds, so that a callback that itself waits for the clock cannot block it.
	 */
	advance(ms: number): Promise<void> {
		const next = this.advancing.then(() => this.move(ms));
		this.advancing = next;
		return next;
	}

	/** Cancels all callbacks. */
	stop(): void {
		this.planned = [];
		clearTimeout(this.wakeUp);
	}

	private async move(ms: number): Promise<void> {
		const target = this.offset + ms;
		this.advances += 1;
		try {
			for (;;) {
				const next = this.takeDue(Date.now() + target);
				if (next === undefined) break;
				this.offset = Math.min(target, Math.max(this.offset, next.time - Date.now()));
				await settled(next.run);
			}
			this.offset = target;
		} finally {
			this.advances -= 1;
			this.arm();
		}
	}

	private takeDue(time: number): Planned | undefined {
		const first = this.planned[0];
		if (first === undefined || first.time > time) return undefined;
		this.planned.shift();
		return first;
	}

	private cancel(timer: Planned): void {
		const index = this.planned.indexOf(timer);
		if (index >= 0) this.planned.splice(index, 1);
	}

	private arm(): void {
		clearTimeout(this.wakeUp);
		const first = this.planned[0];
		if (first === undefined) return;
		const delay = Math.min(LONGEST_DELAY_MS, Math.max(0, first.time - this.now()));
		this.wakeUp = setTimeout(() => this.runDue(), delay);
		this.wakeUp.unref();
	}

	private runDue(): void {
		while (this.advances === 0) {
			const next = this.takeDue(this.now());
			if (next === undefined) break;
			void settled(next.run);
		}
		this.arm();
	}
}

/** Runs a callback; resolves when it settles or the patience runs out. A failing callback is a defect, so it throws. */
async function settled(run: Callback): Promise<void> {
	let patience: NodeJS.Timeout | undefined;
	const waited = new Promise<void>((resolve) => {
		patience = setTimeout(resolve, PATIENCE_MS);
	});
	try {
		await Promise.race([run(), waited]);
	} finally {
		clearTimeout(patience);
	}
}
