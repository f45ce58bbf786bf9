/** What a piece of work took. */
export interface Cost {
	wallMs: number;
	/** Time of the processor, user and system. */
	cpuMs: number;
	/** Growth of the resident memory at its peak. */
	peakMb: number;
}

const MB = 1024 * 1024;
const SAMPLE_MS = 50;

/** Does a piece of work and measures what it takes in this process. */
export async function measure<T>(work: () => Promise<T>): Promise<{ cost: Cost; result: T }> {
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	let peak = before;
	const sampling = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().rss);
	}, SAMPLE_MS);
	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	try {
		const result = await work();
		const wallMs = performance.now() - startedAt;
		const { user, system } = process.cpuUsage(cpu);
		peak = Math.max(peak, process.memoryUsage().rss);
		return {
			result,
			cost: { wallMs, cpuMs: (user + system) / 1000, peakMb: (peak - before) / MB },
		};
	} finally {
		clearInterval(sampling);
	}
}

/** The value below which the given part of all values lies. */
export function percentile(values: number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
