import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { run } from '../support/command';

const ROOT = join(__dirname, '..', '..');

/** The compiled package, in a folder other than `dist` so as not to disturb other builds. */
export const BUILD = join(ROOT, 'test-output', 'bench', 'dist');

const ACTION_NODE = join(BUILD, 'nodes', 'BotMessaging', 'BotMessaging.node.js');

/** Builds the package. */
export async function build(): Promise<void> {
	const gulp = join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js');
	await run(process.execPath, [gulp], {
		cwd: ROOT,
		env: { ...process.env, DIST: BUILD },
		what: 'Building',
	});
}

/** The action node as shipped. */
export async function loadActionNode(): Promise<INodeType> {
	const loaded: { BotMessaging: new () => INodeType } = await import(ACTION_NODE);
	return new loaded.BotMessaging();
}
