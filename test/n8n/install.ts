import { chromiumPath } from './support/browser';
import { installN8n, wantedVersion } from './support/install';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Installs what the tests in a real n8n need. They would do it themselves; `npm test` does it during the checks. */
async function main() {
	await Promise.all([installN8n(wantedVersion(), say), chromiumPath(say)]);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
