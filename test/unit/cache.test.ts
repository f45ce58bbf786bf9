import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from '../n8n/support/cache';
import { waitFor } from '../support/wait';

/** Writes into a folder without end, by its name, as npm does. */
const WRITER = `const { mkdirSync, writeFileSync } = require('fs');
for (let n = 0; ; n = (n + 1) % 1000) {
	try { mkdirSync(process.argv[1] + '/' + n, { recursive: true }); writeFileSync(process.argv[1] + '/' + n + '/file', ''); } catch {}
}`;

test('A preparation that was killed is begun anew, although what it had started is still writing', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'cache-'));
	process.env.BOT_MESSAGING_CACHE = folder;
	const { pid: killed } = spawnSync(process.execPath, ['-e', '']);
	const draft = join(folder, `something.draft-${killed}`);
	const writer = spawn(process.execPath, ['-e', WRITER, draft]);
	try {
		await waitFor(() => readdirSync(folder).length > 0, { what: 'the writer to begin' });
		const build = async (fresh: string) => writeFileSync(join(fresh, 'done'), '');
		const target = await cached('something', build, () => {});
		expect(readdirSync(target)).toEqual(['done']);
	} finally {
		delete process.env.BOT_MESSAGING_CACHE;
		const ended = new Promise((resolve) => writer.once('close', resolve));
		writer.kill('SIGKILL');
		await ended;
		rmSync(folder, { recursive: true });
	}
});
