import type { ControlId } from './control-types';
import { parseJson, writeJson } from './json';

export type CallQuery = Record<string, string | number | boolean | ControlId | undefined>;

/** Requests to the control API. */
export class ControlCalls {
	/** @param url `controlUrl` of a platform */
	constructor(readonly url: string) {}

	/**
	 * Sends any request to the control API.
	 * @throws Error with the platform's text if it refuses
	 */
	async call<T>(method: string, path: string, body?: unknown, query: CallQuery = {}): Promise<T> {
		const url = new URL(path, this.url);
		for (const [name, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		const headers = { 'content-type': 'application/json' };
		const init = body === undefined ? {} : { headers, body: writeJson(body) };
		const response = await fetch(url, { method, ...init });
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		// The control API itself guarantees the shapes.
		return parseJson(text) as T;
	}
}
