/**
 * A number of events, kills, random plays or seeds: with `FULL=true`, as in the weekly run, what is promised to survive,
 * otherwise less.
 */
export const scaled = (full: number, usual: number): number =>
	process.env.FULL === 'true' ? full : usual;
