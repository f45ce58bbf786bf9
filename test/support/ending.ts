const parent = process.ppid;

/** How often a command checks whether the npm that runs it is still alive, in ms. */
const LOOK_MS = 200;

/**
 * Resolves when this process is told to end, or when the npm that runs it has ended: npm sends signals only to its
 * shell, which dies without passing them on.
 */
export async function toldToEnd(): Promise<void> {
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.once(signal, () => resolve());
		}
		if (process.env.npm_lifecycle_event === undefined) return;
		const look = setInterval(() => {
			if (process.ppid !== parent) resolve();
		}, LOOK_MS);
		look.unref();
	});
}
