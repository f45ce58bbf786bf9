import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, JobResult } from './jobs';

const WORKER = join(__dirname, 'worker.ts');

/** Has a fresh process do a job. @throws Error with what the worker says when it fails */
export async function work(job: Job): Promise<JobResult> {
	const child = fork(WORKER, { execArgv: ['--import', 'tsx', '--expose-gc'] });
	const answer = await new Promise<{ result?: JobResult; error?: string }>((resolve, reject) => {
		child.once('message', (message) => resolve(Object(message)));
		child.once('error', reject);
		child.once('exit', (code) => reject(new Error(`A worker ended with ${code}`)));
		child.send(job);
	});
	if (!answer.result) throw new Error(answer.error);
	return answer.result;
}
