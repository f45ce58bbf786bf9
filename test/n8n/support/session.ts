import { randomUUID } from 'node:crypto';
import { Agent, fetch } from 'undici';

/** n8n refused a request. */
export class N8nError extends Error {
	constructor(
		readonly status: number,
		readonly body: string,
		request: string,
	) {
		super(`${request} was answered ${status}: ${body.slice(0, 1000)}`);
	}
}

export interface RequestOptions {
	query?: Record<string, string | number>;
	body?: unknown;
}

/** Requests to one n8n with the cookie of the logged-in user: the browser's side of its REST API. */
export class Session {
	private readonly dispatcher: Agent;

	/** `ca`: authorities (PEM) to trust besides the usual ones. `headers`: sent with every request. */
	constructor(
		readonly url: string,
		ca?: string,
		private readonly headers: Record<string, string> = {},
		/** Who is logged in; sessions may share it. */
		readonly user = { browserId: randomUUID(), cookie: '' },
	) {
		this.dispatcher = new Agent({ connect: ca ? { ca } : {} });
	}

	/** Resolves to the parsed answer, without n8n's `data` wrapper if it has one. Throws an N8nError if refused. */
	async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
		const text = await this.text(path, method, options);
		return unwrap(text === '' ? undefined : JSON.parse(text));
	}

	/** Resolves to the answer as text. Throws an N8nError if refused. */
	async text(path: string, method = 'GET', options: RequestOptions = {}): Promise<string> {
		const { query = {}, body } = options;
		const url = new URL(path, this.url);
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
		const answer = await fetch(url, {
			method,
			dispatcher: this.dispatcher,
			headers: {
				...this.headers,
				'browser-id': this.user.browserId,
				...(this.user.cookie && { cookie: this.user.cookie }),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? null : JSON.stringify(body),
		});
		const text = await answer.text();
		if (!answer.ok) throw new N8nError(answer.status, text, `${method} ${path}`);
		const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.user.cookie = cookie.slice(0, cookie.indexOf(';'));
		return text;
	}

	/** Ends the connections. */
	async close() {
		await this.dispatcher.close();
	}
}

function unwrap<T>(answer: { data: T } | T): T {
	const wrapped = typeof answer === 'object' && answer !== null && 'data' in answer;
	return wrapped ? answer.data : answer;
}
