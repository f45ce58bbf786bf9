import { ClientRequest } from 'http';
import { setClockBack } from './hurry';

/**
 * Time that passes for the time limits of requests and for `performance` when a test says so: what the machine itself takes
 * for its work counts as it is, but waiting takes no time.
 */
export class HeldTime {
	private limits: Array<{ end: number; over: AbortController }> = [];

	private readonly restore: Array<() => void> = [];

	private readonly limit = (ms: number): AbortSignal => {
		const over = new AbortController();
		this.limits.push({ end: performance.now() + ms, over });
		return over.signal;
	};

	static forEachTest(): HeldTime {
		const time = new HeldTime();
		beforeEach(() => time.hold());
		afterEach(() => time.letGo());
		return time;
	}

	/** Holds the time until `letGo`. */
	hold(): void {
		// The test files of a process share one AbortSignal, and those that have ended still remove subscriptions: their time
		// limits must not count here, so only this file's global is replaced.
		const shared = globalThis.AbortSignal;
		globalThis.AbortSignal = new Proxy(shared, {
			get: (target, key) => (key === 'timeout' ? this.limit : Reflect.get(target, key)),
		});
		// n8n's HTTP client also has a limit of its own, which a slow machine would reach.
		const client = jest.spyOn(ClientRequest.prototype, 'setTimeout').mockReturnThis();
		this.restore.push(
			() => void (globalThis.AbortSignal = shared),
			() => client.mockRestore(),
		);
	}

	letGo(): void {
		for (const restore of this.restore.splice(0).reverse()) restore();
		this.limits = [];
	}

	/** Lets so many ms pass; time limits that are over by then end their requests. */
	pass(ms: number): void {
		this.restore.push(setClockBack(-ms, performance));
		const now = performance.now();
		for (const { end, over } of this.limits) {
			if (end <= now) over.abort(new DOMException('The time limit is over', 'TimeoutError'));
		}
	}

	/** What is left of the latest time limit, in ms. */
	get left(): number {
		return (this.limits.at(-1)?.end ?? 0) - performance.now();
	}
}
