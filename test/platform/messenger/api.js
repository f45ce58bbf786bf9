/** Calls the control API. Throws an Error with the platform's own text if it refuses. */
export async function call(method, path, body) {
	const headers = { 'content-type': 'application/json' };
	const response = await fetch(path, {
		method,
		...(body && { body: JSON.stringify(body), headers }),
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.message ?? `${method} ${path}: ${response.status}`);
	return answer;
}

export const get = (path) => call('GET', path);
export const post = (path, body = {}) => call('POST', path, body);

/** Calls `listener` with every event of these types, and `connected` with whether the stream is up. */
export function listen(types, listener, connected) {
	const source = new EventSource('/events');
	for (const type of types) {
		source.addEventListener(type, ({ data }) => listener(JSON.parse(data)));
	}
	source.addEventListener('open', () => connected(true));
	source.addEventListener('error', () => connected(false));
}
