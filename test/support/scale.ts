/**
 * Number of events in a test that kills n8n: with `FULL=true`, as in the weekly run, the number that is promised to
 * survive, otherwise fewer.
 */
export const scaled = (full: number, usual: number): number =>
	process.env.FULL === 'true' ? full : usual;
