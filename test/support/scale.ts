/**
 * How many events a test over kills plays: so many as the promise is made for with `FULL=true`, as the weekly run does,
 * and fewer otherwise.
 */
export const scaled = (full: number, usual: number): number =>
	process.env.FULL === 'true' ? full : usual;
