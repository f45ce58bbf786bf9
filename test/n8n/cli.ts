import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const USAGE = `npm run test:n8n                      the tests in a real n8n
npm run test:n8n -- --n8n 2.40.7      in another version of it
npm run test:n8n -- test/n8n/wait     only some of them; all other words go to jest as they are`;

const [first, version, ...others] = process.argv.slice(2);

if (first === '--help') {
	console.log(USAGE);
} else {
	const isOther = first === '--n8n';
	const words = isOther ? others : process.argv.slice(2);
	const jest = join(__dirname, '..', '..', 'node_modules', 'jest', 'bin', 'jest.js');
	const { status } = spawnSync(process.execPath, [jest, ...words, '--selectProjects', 'n8n'], {
		stdio: 'inherit',
		env: { ...process.env, ...(isOther && { BOT_MESSAGING_N8N: version ?? '' }) },
	});
	process.exitCode = status ?? 1;
}
