import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of Linux in a second. */
const TICKS = 100;

/**
 * Time of the processor that the living processes of some groups have taken, in ms; 0 where there is no /proc. A group is
 * named by the process that it began with.
 */
export function processorMs(groups: number[]): number {
	let ticks = 0;
	for (const entry of list('/proc').filter((name) => /^\d+$/.test(name))) {
		// The name of the program stands in parentheses, and may hold spaces.
		const fields = (read(`/proc/${entry}/stat`).split(') ').at(-1) ?? '').split(' ');
		const [group, user, system] = [fields[2], fields[11], fields[12]].map(Number);
		if (groups.includes(group ?? 0)) ticks += (user ?? 0) + (system ?? 0);
	}
	return (ticks * 1000) / TICKS;
}

const list = (folder: string): string[] => attempt(() => readdirSync(folder), []);

const read = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');

/** Processes come and go while they are looked at. */
function attempt<T>(look: () => T, otherwise: T): T {
	try {
		return look();
	} catch {
		return otherwise;
	}
}
