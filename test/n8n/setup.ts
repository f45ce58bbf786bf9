import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../support/tls';
import { chromiumPath } from './browser';
import { LAZY_ENGINE } from './environment';
import { installN8n, wantedVersion } from './install';
import { N8nInstance } from './instance';
import { packTarball } from './package';
import { N8nClient } from './rest';
import { publishShared, WEBHOOK_HOST } from './shared';
import { PACKAGE } from './workflow';

const OUTPUT = join(__dirname, '..', '..', 'test-output');

/**
 * Starts, before the first test of this project, a real n8n with the packed package, shared by all test files. What the
 * tests need to know about it is in `shared()`. Its log is `test-output/n8n.log`.
 */
export default async function setUp() {
	const say = (line: string) => process.stderr.write(`${line}\n`);
	await chromiumPath(say);
	const installation = await installN8n(wantedVersion(), say);
	const tarball = await packTarball(say);
	say(`Starting n8n ${installation.version} …`);
	mkdirSync(OUTPUT, { recursive: true });
	const log = join(OUTPUT, 'n8n.log');
	rmSync(log, { force: true });
	const folder = mkdtempSync(join(tmpdir(), 'n8n-test-'));
	const authority = createAuthority();
	const tls = authority.issue([WEBHOOK_HOST, 'localhost']);
	const instance = await N8nInstance.start({
		installation,
		tarball,
		folder,
		tls,
		ca: authority.ca,
		webhookUrl: `https://${WEBHOOK_HOST}/`,
		env: LAZY_ENGINE,
		onLog: (line) => appendFileSync(log, `${line}\n`),
	});
	globalThis.tearDownN8n = async () => {
		await instance.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	const client = await N8nClient.open(instance);
	await client.installPackage(PACKAGE);
	await client.close();
	publishShared({
		url: instance.url,
		port: instance.port,
		ca: authority.ca,
		tls,
		platformTls: authority.issue(['localhost']),
		tarball,
	});
}

declare global {
	var tearDownN8n: (() => Promise<void>) | undefined;
}
