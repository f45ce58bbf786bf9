import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, JobResult } from './jobs';

const WORKER = join(__dirname, 'worker.ts');

interface Answer {
	/** Everything is loaded: the worker waits for the signal to begin. */
	ready?: boolean;
	result?: JobResult;
	error?: string;
}

/**
 * Runs a job in a fresh process; it begins once `others` are ready too.
 * @throws Error with the worker's message if it fails
 */
export async function work(job: Job, others = async (): Promise<void> => {}): Promise<JobResult> {
	const child = fork(WORKER, { execArgv: ['--import', 'tsx', '--expose-gc'] });
	const answer = await new Promise<Answer>((resolve, reject) => {
		child.on('message', (message) => {
			const said: Answer = Object(message);
			if (said.ready) void others().then(() => child.send('begin'));
			else resolve(said);
		});
		child.once('error', reject);
		child.once('exit', (code) => reject(new Error(`A worker ended with ${code}`)));
		child.send(job);
	});
	if (!answer.result) throw new Error(answer.error);
	return answer.result;
}

/** Runs jobs in fresh processes, which all begin at the same moment. */
export async function workTogether(jobs: Job[]): Promise<JobResult[]> {
	let missing = jobs.length;
	let begin = (): void => {};
	const complete = new Promise<void>((resolve) => (begin = resolve));
	const others = async (): Promise<void> => {
		if (--missing === 0) begin();
		await complete;
	};
	return await Promise.all(jobs.map(async (job) => await work(job, others)));
}
