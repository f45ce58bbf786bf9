import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { notFound } from '../api/errors';

const FOLDER = join(__dirname, '..', 'messenger');
const MODULES = join(__dirname, '..', '..', '..', 'node_modules');

/** The libraries of the window, by address in its import map. Nothing else of node_modules is served. */
const LIBRARIES = new Map([
	['/messenger/library/htm.js', 'htm/dist/htm.module.js'],
	['/messenger/library/preact.js', 'preact/dist/preact.mjs'],
	['/messenger/library/hooks.js', 'preact/hooks/dist/hooks.mjs'],
]);

const SCRIPT = 'text/javascript; charset=utf-8';

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': SCRIPT,
	'.mjs': SCRIPT,
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** The messenger window's file for an address; undefined if there is none. */
export function pageFile(path: string): string | undefined {
	if (path === '/') return join(FOLDER, 'index.html');
	const library = LIBRARIES.get(path);
	if (library !== undefined) return join(MODULES, library);
	const own = /^\/messenger\/([\w-]+\.\w+)$/.exec(path)?.[1];
	return own && join(FOLDER, own);
}

/** Sends a file of the messenger window. @throws ApiError 404 */
export async function sendPage(file: string, response: ServerResponse): Promise<void> {
	const content = await readFile(file).catch(() => {
		throw notFound('The messenger window has no such file');
	});
	response.writeHead(200, {
		'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
		'cache-control': 'no-store',
	});
	response.end(content);
}
