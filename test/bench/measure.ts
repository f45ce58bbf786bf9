/** What a piece of work cost. */
export interface Cost {
	wallMs: number;
	/** CPU time, user and system. */
	cpuMs: number;
	/** Peak growth of the resident memory. */
	peakMb: number;
}

const MB = 1024 * 1024;
const SAMPLE_MS = 50;

/** Runs a piece of work and measures its cost in this process. */
export async function measure(work: () => Promise<void>): Promise<{ cost: Cost }> {
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	let peak = before;
	const sampling = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().rss);
	}, SAMPLE_MS);
	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	try {
		await work();
		const wallMs = performance.now() - startedAt;
		const { user, system } = process.cpuUsage(cpu);
		peak = Math.max(peak, process.memoryUsage().rss);
		return { cost: { wallMs, cpuMs: (user + system) / 1000, peakMb: (peak - before) / MB } };
	} finally {
		clearInterval(sampling);
	}
}

/** The value below which the given fraction of all values lies. */
export function percentile(values: number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
