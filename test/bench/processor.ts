import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second on Linux. */
const TICKS = 100;

/**
 * CPU time in ms that the living processes of some process groups have used; 0 if there is no /proc. Groups are given
 * by the IDs of their leaders.
 */
export function processorMs(groups: number[]): number {
	let ticks = 0;
	for (const entry of list('/proc').filter((name) => /^\d+$/.test(name))) {
		// The program's name is in parentheses and may contain spaces.
		const fields = (read(`/proc/${entry}/stat`).split(') ').at(-1) ?? '').split(' ');
		const [group, user, system] = [fields[2], fields[11], fields[12]].map(Number);
		if (groups.includes(group ?? 0)) ticks += (user ?? 0) + (system ?? 0);
	}
	return (ticks * 1000) / TICKS;
}

const list = (folder: string): string[] => attempt(() => readdirSync(folder), []);

const read = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');

/** Processes may end while they are inspected. */
function attempt<T>(look: () => T, otherwise: T): T {
	try {
		return look();
	} catch {
		return otherwise;
	}
}
