import { sleep, type IExecuteFunctions, type IHttpRequestOptions, type INode } from 'n8n-workflow';
import { explain } from '../service/hints';
import { isUnknownAuthority, systemWords } from '../service/hints/system';
import { CREDENTIAL, isSafeForToken, type Connection } from '../service/connection';
import { toNodeError } from '../service/errors';
import type { Failure } from '../service/failure';
import { reasonOf, systemCode } from '../service/reason';
import { knowsHost, trusting, type Trust } from '../service/trust';

type Helpers = IExecuteFunctions['helpers'];

/** A stream as n8n's helpers take it. */
export type NodeStream = Exclude<Parameters<Helpers['prepareBinaryData']>[0], Buffer>;

/** What work with files needs of n8n; the contexts of actions and of triggers have it. */
export interface FileContext {
	getNode(): INode;
	/** Fires when the user stops the execution; contexts without executions have none. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
	helpers: Pick<Helpers, 'httpRequest' | 'prepareBinaryData'>;
}

/** A body that is sent while it is read. */
export interface StreamedBody {
	content: AsyncIterable<Uint8Array>;
	/** Bytes, exactly. */
	size: number;
	contentType: string;
}

/** A request to a host other than the service's own, such as an upload url. */
export interface FileRequest {
	method: 'GET' | 'POST';
	url: string;
	headers?: Record<string, string>;
	body?: StreamedBody;
}

/** What a host answered; the body is a text, or a stream where one was asked for. */
export interface FileAnswer<Body> {
	status: number;
	headers: Record<string, string | undefined>;
	body: Body;
}

/** A text answer, or why there was none. */
export type Reply = FileAnswer<string> | { broken: Failure };

const GRACE_MS = 60_000;

/** A line slower than this, in bytes per ms, is taken for a dead one. */
const SLOWEST = 32;

/**
 * Passes for a Blob with n8n's HTTP helper, which then sends it with its length while it is read. With redirects
 * switched off nothing is kept for a second sending, so that memory stays flat.
 */
const asBlob = ({ content, size, contentType }: StreamedBody): object => ({
	[Symbol.toStringTag]: 'Blob',
	type: contentType,
	size,
	stream: () => content,
});

function optionsOf(context: FileContext, request: FileRequest): IHttpRequestOptions {
	const { method, url, headers = {}, body } = request;
	return {
		method,
		url,
		headers: { ...headers },
		...(body && { body: asBlob(body) }),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: GRACE_MS + (body?.size ?? 0) / SLOWEST,
		abortSignal: context.getExecutionCancelSignal?.(),
	};
}

/** Sends a request without any credential and reads the answer as text. Never throws for what the host does. */
export async function askFileHost(
	context: FileContext,
	request: FileRequest,
	trust: Trust | undefined,
): Promise<Reply> {
	return await ask(context, request, trust, async (options) => {
		return readReply(await context.helpers.httpRequest({ ...options, encoding: 'text' }));
	});
}

/**
 * The same with the access token, for users who allow it; only to hosts that the credential allows.
 *
 * @throws NodeApiError when the token must not go to this host
 */
export async function askFileHostWithToken(
	context: IExecuteFunctions,
	request: FileRequest,
	{ allowedDomains, trust }: Connection,
): Promise<Reply> {
	if (!URL.canParse(request.url) || !isSafeForToken(new URL(request.url))) {
		throw toNodeError(context.getNode(), INSECURE);
	}
	const reply = await ask(context, request, trust, async (options) => {
		return readReply(
			await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
				...options,
				encoding: 'text',
				allowedDomains,
			}),
		);
	});
	// Not a matter of the network: n8n itself refused, such as a host that is not among the allowed ones.
	if ('broken' in reply && reply.broken.code === undefined) {
		throw toNodeError(context.getNode(), reply.broken);
	}
	return reply;
}

/** A body is read only once, so who vouches for its host is found out before. */
async function ask(
	context: FileContext,
	request: FileRequest,
	trust: Trust | undefined,
	send: (options: IHttpRequestOptions) => Promise<Reply>,
): Promise<Reply> {
	const { url, body } = request;
	try {
		if (body && trust && !knowsHost(trust, url)) await probe(context, trust, url);
		return await trusting(
			trust,
			url,
			async (trusted) => await watched(context, request, trusted, send),
			{ once: body !== undefined },
		);
	} catch (error) {
		return { broken: brokenConnection(context, error) };
	}
}

async function probe(context: FileContext, trust: Trust, url: string): Promise<void> {
	const options = optionsOf(context, { method: 'GET', url: new URL('/', url).href });
	await trusting(trust, url, async (trusted) => {
		await context.helpers.httpRequest({ ...options, ...trusted, encoding: 'text' });
	});
}

/** A transfer of which nothing moved for so long is taken for a dead one, in ms. */
const STALL_MS = 120_000;

/** The same for the answer, once all has been sent. */
const ANSWER_MS = 600_000;

/** Sends, and gives up when the body stands still: its source gives nothing, or the host takes nothing. */
async function watched(
	context: FileContext,
	request: FileRequest,
	trusted: Partial<IHttpRequestOptions>,
	send: (options: IHttpRequestOptions) => Promise<Reply>,
): Promise<Reply> {
	const { body } = request;
	if (!body) return await send({ ...optionsOf(context, request), ...trusted });
	const { content, flow } = observed(body.content);
	const options = optionsOf(context, { ...request, body: { ...body, content } });
	const stalled = new AbortController();
	const over = watchFlow(flow, () => stalled.abort());
	const cancelled = context.getExecutionCancelSignal?.();
	const abortSignal = AbortSignal.any([stalled.signal, ...(cancelled ? [cancelled] : [])]);
	return await send({ ...options, ...trusted, abortSignal })
		.catch((error: unknown): Reply => {
			if (stalled.signal.aborted) return { broken: STALLED[flow.state] };
			throw error;
		})
		.finally(over);
}

/** What a transfer waits for, and how often something moved. */
interface Flow {
	state: 'source' | 'host' | 'answer';
	moves: number;
}

function observed(source: AsyncIterable<Uint8Array>): {
	content: AsyncIterable<Uint8Array>;
	flow: Flow;
} {
	const flow: Flow = { state: 'source', moves: 0 };
	async function* content(): AsyncGenerator<Uint8Array> {
		for await (const chunk of source) {
			flow.state = 'host';
			flow.moves++;
			yield chunk;
			flow.state = 'source';
			flow.moves++;
		}
		flow.state = 'answer';
		flow.moves++;
	}
	return { content: content(), flow };
}

/** Calls once when nothing moves any more. Returns how to end watching. */
function watchFlow(flow: Flow, stalled: () => void): () => void {
	const over = new AbortController();
	const watch = async (): Promise<void> => {
		for (let before = -1; before !== flow.moves && !over.signal.aborted;) {
			before = flow.moves;
			await sleep(flow.state === 'answer' ? ANSWER_MS : STALL_MS, over.signal);
		}
		if (!over.signal.aborted) stalled();
	};
	// The only failure is that of a sleep which was ended on purpose.
	watch().catch(() => undefined);
	return () => over.abort();
}

const STALLED: Readonly<Record<Flow['state'], Failure>> = {
	source: {
		code: 'ETIMEDOUT',
		message: 'The source of the file gave nothing for two minutes',
		advice: 'Check that the source of the file can be reached, then run again.',
	},
	host: {
		code: 'ETIMEDOUT',
		message: 'The upload host took nothing for two minutes',
		advice: 'Run again. If it stays, report it to the platform.',
	},
	answer: {
		code: 'ETIMEDOUT',
		message: 'The upload host took the file, and gave no answer for ten minutes',
		advice: 'Run again. If it stays, report it to the platform.',
	},
};

const INSECURE: Failure = {
	message: 'The access token is not sent to an upload host without https',
	advice:
		'Switch off Send Access Token to Upload Host in Options → Delivery, or take the host off Allowed Domains.',
};

const isWebAddress = (url: string): boolean =>
	URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Redirects of one file. */
const MOST_REDIRECTS = 10;

/**
 * Opens a file at an http(s) address, without any credential. Redirects are followed, each host judged by its own
 * certificate. The caller destroys the body.
 *
 * @throws NodeApiError when the address is none, or the host does not answer
 */
export async function openAddress(
	context: FileContext,
	address: string,
	trust: Trust | undefined,
	headers: Record<string, string> = {},
): Promise<FileAnswer<NodeStream>> {
	let url = address;
	for (let redirects = 0; ; redirects++) {
		const answer = await openOnce(context, url, trust, headers);
		const { location } = answer.headers;
		const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
		if (!isRedirect || redirects === MOST_REDIRECTS || !URL.canParse(location, url)) return answer;
		answer.body.destroy();
		url = new URL(location, url).href;
	}
}

async function openOnce(
	context: FileContext,
	url: string,
	trust: Trust | undefined,
	headers: Record<string, string>,
): Promise<FileAnswer<NodeStream>> {
	if (!isWebAddress(url)) {
		throw toNodeError(context.getNode(), {
			message: `Not an address of a file: ${url.slice(0, 80)}`,
			advice: 'Only addresses that begin with http:// or https:// are opened.',
		});
	}
	const options = optionsOf(context, {
		method: 'GET',
		url,
		// A compressed answer would have another length than the file.
		headers: { 'Accept-Encoding': 'identity', ...headers },
	});
	try {
		const answer: FileAnswer<NodeStream> & { statusCode: number } = await trusting(
			trust,
			url,
			async (trusted) =>
				await context.helpers.httpRequest({ ...options, ...trusted, encoding: 'stream' }),
		);
		return { status: answer.statusCode, headers: answer.headers, body: answer.body };
	} catch (error) {
		throw toNodeError(context.getNode(), brokenConnection(context, error));
	}
}

interface RawAnswer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: unknown;
}

const readReply = ({ statusCode, headers, body }: RawAnswer): FileAnswer<string> => ({
	status: statusCode,
	headers,
	body: typeof body === 'string' ? body : '',
});

const CANCELLED: Failure = {
	message: 'The execution was stopped',
	advice: 'The transfer of the file was not finished.',
};

function brokenConnection(context: FileContext, error: unknown): Failure {
	if (context.getExecutionCancelSignal?.()?.aborted) return CANCELLED;
	const code = systemCode(error);
	return {
		code,
		message: `No answer from the file host: ${systemWords(code, reasonOf(error))}`,
		advice: isUnknownAuthority(code)
			? explain({ code, message: '' }).advice
			: 'Check that n8n can reach the host of the file, then run again.',
	};
}
