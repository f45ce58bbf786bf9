import type { IncomingMessage } from 'node:http';
import type { UploadEntry } from './types';

function queryOf(search: string): UploadEntry['query'] {
	const query: UploadEntry['query'] = {};
	for (const [name, value] of new URLSearchParams(search)) {
		const before = query[name];
		query[name] = before === undefined ? value : [before, value].flat();
	}
	return query;
}

/** The journal's line about a request, before the outcome is known. Of Authorization it tells only whether it was there. */
export function createEntry(request: IncomingMessage, time: number): UploadEntry {
	const { method = 'GET', url = '/', headers } = request;
	const queryAt = url.indexOf('?');
	const path = queryAt < 0 ? url : url.slice(0, queryAt);
	const range = headers['content-range'];
	const shown = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	return {
		kind: 'request',
		time,
		origin: 'upload',
		method,
		path,
		query: queryAt < 0 ? {} : queryOf(url.slice(queryAt + 1)),
		headers: { ...Object.fromEntries(shown), authorization: headers.authorization !== undefined },
		bytes: 0,
		status: 0,
		duration_ms: 0,
		...(range !== undefined && { content_range: range }),
	};
}
