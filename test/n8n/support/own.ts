import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { standIn } from '../../support/standIn';
import { NO_CODE, NO_EDITOR } from './environment';
import { shared, type SharedN8n } from './shared';
import { startTemporary, type TemporaryN8n } from './temporary';

/** An n8n for a single test, which may kill and restart it. */
export interface OwnN8n extends TemporaryN8n {
	/** What a stage needs to use this n8n instead of the shared one. */
	place: SharedN8n;
}

/** Combined log of these instances. */
const LOG = join(__dirname, '..', '..', '..', 'test-output', 'n8n-own.log');

/** By default, n8n waits two minutes before it resumes a publication that a killed process had begun. */
const LEASE = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' };

/** Starts another n8n with the package installed, like the shared one but without editor and code. */
export async function startOwnN8n(env: Record<string, string> = {}): Promise<OwnN8n> {
	const { ca, tls, tarball } = shared();
	const { instance, close } = await startTemporary({
		tls,
		ca,
		tarball,
		env: { ...NO_EDITOR, ...NO_CODE, ...LEASE, ...env },
		onLog: (line) => appendFileSync(LOG, `${line}\n`),
	});
	const { url, port, commandLine } = instance;
	return { instance, close, place: { ...shared(), url, port, commandLine } };
}

/** A separate n8n for the surrounding tests, from before the first to after the last. */
export function useOwnN8n(): Readonly<Pick<OwnN8n, 'instance' | 'place'>> {
	let own: OwnN8n | undefined;
	beforeAll(async () => {
		own = await startOwnN8n();
	}, 300_000);
	afterAll(async () => await own?.close(), 120_000);
	return standIn('n8n', () => own);
}
