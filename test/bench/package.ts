import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { run } from '../support/command';

const ROOT = join(__dirname, '..', '..');

/** What ships, as JavaScript, apart from `dist` so that nobody's build is disturbed. */
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

/** The action node as it ships. */
export async function loadActionNode(): Promise<INodeType> {
	const loaded: { BotMessaging: new () => INodeType } = await import(ACTION_NODE);
	return new loaded.BotMessaging();
}
