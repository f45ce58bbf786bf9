const parent = process.ppid;

/** How often a command looks whether the npm that runs it is still there, in ms. */
const LOOK_MS = 200;

/**
 * Calls `stop` once, when this process is told to end, or when the npm that runs it has ended: npm passes signals on to
 * its shell only, and the shell dies without passing them on.
 */
export function whenToldToEnd(stop: () => void): void {
	let isTold = false;
	const tell = (): void => {
		if (!isTold) stop();
		isTold = true;
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, tell);
	if (process.env.npm_lifecycle_event === undefined) return;
	const look = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(look);
		tell();
	}, LOOK_MS);
	look.unref();
}
