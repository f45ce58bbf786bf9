/**
 * Environment variables that n8n-core reads while it loads, so this module must be imported before n8n-core. The engine
 * gets a home of its own, which is removed at the end, so that no test reads or writes the user's n8n.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the engine keeps its settings and its binary files. */
export const engineHome = mkdtempSync(join(tmpdir(), 'engine-'));

Object.assign(process.env, {
	N8N_USER_FOLDER: engineHome,
	N8N_ENCRYPTION_KEY: 'the engine keeps no secrets',
	N8N_LOG_LEVEL: 'silent',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_BINARY_DATA_STORAGE_PATH: join(engineHome, 'binary'),
	// Otherwise a periodic log line about registered crons, and its timer, would outlive the tests.
	N8N_LOG_CRON_ACTIVE_INTERVAL: '0',
});

const removeHome = () => rmSync(engineHome, { recursive: true, force: true });

// Under jest `process` is a copy whose exit event never fires.
if (typeof afterAll === 'function') afterAll(removeHome);
else process.once('exit', removeHome);
