import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Say } from '../../support/command';

/** The folder for everything large that can be rebuilt. Outside git; `BOT_MESSAGING_CACHE` moves it. */
export const cacheFolder = () =>
	process.env.BOT_MESSAGING_CACHE || join(homedir(), '.cache', 'n8n-nodes-bot-messaging');

const exists = (path: string) =>
	stat(path).then(
		() => true,
		() => false,
	);

/**
 * Returns the subfolder `name` of the cache folder, made by `build` if it does not exist. It appears complete, in one
 * step, or not at all: `build` works in a draft folder next to it. If several processes want it at once, one builds
 * and the others wait.
 */
export async function cached(name: string, build: (draft: string) => Promise<void>, say: Say) {
	const target = join(cacheFolder(), name);
	if (await exists(target)) return target;
	await mkdir(cacheFolder(), { recursive: true });
	const release = await lock(`${target}.lock`, () => {
		say(`Waiting for another process that prepares ${name} …`);
	});
	try {
		if (await exists(target)) return target;
		await removeAbandoned(target);
		const draft = `${target}.draft-${process.pid}`;
		await mkdir(draft);
		try {
			await build(draft);
			await rename(draft, target);
		} catch (error) {
			await rm(draft, { recursive: true, force: true });
			throw error;
		}
		return target;
	} finally {
		release();
	}
}

/** Removes drafts whose process was killed. */
async function removeAbandoned(target: string) {
	const prefix = `${basename(target)}.draft-`;
	for (const entry of await readdir(dirname(target))) {
		if (!entry.startsWith(prefix) || alive(Number(entry.slice(prefix.length)))) continue;
		const draft = join(dirname(target), entry);
		// What that process had started, such as npm, may still write: to the old name, so nothing new gets in here.
		const doomed = `${draft}.abandoned`;
		await rename(draft, doomed);
		await rm(doomed, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Takes the lock file at `path`, waiting as long as its holder lives. Returns a function that releases it. */
async function lock(path: string, onWait: () => void) {
	const claim = `${path}.${process.pid}`;
	writeFileSync(claim, String(process.pid));
	try {
		for (let waiting = false; ; waiting = true) {
			// A hard link either appears with its content or fails because the name is taken.
			if (attempt(() => linkSync(claim, path))) return () => rmSync(path, { force: true });
			if (!alive(Number(read(path)))) attempt(() => renameSync(path, `${claim}.stale`));
			else if (!waiting) onWait();
			await sleep(500);
		}
	} finally {
		rmSync(claim, { force: true });
		rmSync(`${claim}.stale`, { force: true });
	}
}

function attempt(action: () => void) {
	try {
		action();
		return true;
	} catch {
		return false;
	}
}

function read(path: string) {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}

/** Whether a process with this ID is running, ours or not. */
function alive(pid: number) {
	if (!Number.isInteger(pid) || pid <= 0) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
