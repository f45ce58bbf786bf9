import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { notFound } from '../api/errors';

const FOLDER = join(__dirname, '..', 'messenger');

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
};

/** The file of the messenger window that a path names; undefined when the path is no such file's. */
export function pageFile(path: string): string | undefined {
	if (path === '/') return 'index.html';
	return /^\/messenger\/([\w-]+\.\w+)$/.exec(path)?.[1];
}

/** Sends a file of the messenger window. @throws ApiError 404 */
export async function sendPage(name: string, response: ServerResponse): Promise<void> {
	const content = await readFile(join(FOLDER, name)).catch(() => {
		throw notFound(`There is no ${name}`);
	});
	response.writeHead(200, {
		'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
		'cache-control': 'no-store',
	});
	response.end(content);
}
