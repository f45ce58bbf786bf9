import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../support/tls';
import { chromiumPath } from './support/browser';
import { LAZY_ENGINE } from './support/environment';
import { packTarball } from './support/package';
import { publishShared, WEBHOOK_HOST } from './support/shared';
import { startTemporary } from './support/temporary';

const OUTPUT = join(__dirname, '..', '..', 'test-output');

/**
 * Starts, before the first test of this project, a real n8n with the packed package, shared by all test files. What the
 * tests need to know about it is in `shared()`. Its log is `test-output/n8n.log`.
 */
export default async function setUp() {
	const say = (line: string) => process.stderr.write(`${line}\n`);
	await chromiumPath(say);
	const tarball = await packTarball(say);
	mkdirSync(OUTPUT, { recursive: true });
	const log = join(OUTPUT, 'n8n.log');
	rmSync(log, { force: true });
	const authority = createAuthority();
	const tls = authority.issue([WEBHOOK_HOST, 'localhost']);
	const onLog = (line: string) => appendFileSync(log, `${line}\n`);
	const options = { tarball, tls, ca: authority.ca, env: LAZY_ENGINE, onLog };
	const { instance, close } = await startTemporary(options, say);
	globalThis.tearDownN8n = close;
	publishShared({
		url: instance.url,
		port: instance.port,
		ca: authority.ca,
		tls,
		platformTls: authority.issue(['localhost']),
		tarball,
		commandLine: instance.commandLine,
	});
}

declare global {
	var tearDownN8n: (() => Promise<void>) | undefined;
}
