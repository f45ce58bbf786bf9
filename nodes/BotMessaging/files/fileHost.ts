import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { explain, toNodeError } from '../service/errors';
import { isUnknownAuthority, systemWords, UNKNOWN } from '../service/hints/system';
import { reasonOf, systemCode, type Failure } from '../service/failure';
import { mayPass } from '../service/retry';
import { trusting, type Trust } from '../service/trust';

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

/** What a host answered, with a body that is read as it comes. */
export interface OpenedFile {
	status: number;
	headers: Record<string, string | undefined>;
	body: NodeStream;
	/** Ends the transfer. Destroying the body alone does not end one that stands still: it would wait for what comes next. */
	abort(): void;
}

const GRACE_MS = 60_000;

/** A line slower than this, in bytes per ms, is taken for a dead one. */
export const SLOWEST = 32;

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

/** A request as n8n's HTTP helper takes it. It ends when the execution is cancelled, and by `given`. */
export function optionsOf(
	context: FileContext,
	request: FileRequest,
	given?: AbortSignal,
): IHttpRequestOptions {
	const { method, url, headers = {}, body } = request;
	const cancelled = context.getExecutionCancelSignal?.();
	return {
		method,
		url,
		headers: { ...headers },
		...(body && { body: asBlob(body) }),
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: GRACE_MS + (body?.size ?? 0) / SLOWEST,
		abortSignal: given && cancelled ? AbortSignal.any([given, cancelled]) : (given ?? cancelled),
	};
}

export const isWebAddress = (url: string): boolean =>
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
): Promise<OpenedFile> {
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
): Promise<OpenedFile> {
	if (!isWebAddress(url)) {
		throw toNodeError(context.getNode(), {
			message: `Not an address of a file: ${url.slice(0, 80)}`,
			advice: 'Only addresses that begin with http:// or https:// are opened.',
		});
	}
	const aborted = new AbortController();
	// A compressed answer would have another length than the file.
	const given = { 'Accept-Encoding': 'identity', ...headers };
	const options = optionsOf(context, { method: 'GET', url, headers: given }, aborted.signal);
	try {
		const answer: Omit<OpenedFile, 'status'> & { statusCode: number } = await trusting(
			trust,
			url,
			async (trusted) =>
				await context.helpers.httpRequest({ ...options, ...trusted, encoding: 'stream' }),
		);
		const { statusCode: status, headers: told, body } = answer;
		return { status, headers: told, body, abort: () => aborted.abort() };
	} catch (error) {
		throw toNodeError(context.getNode(), brokenConnection(context, error));
	}
}

/** Why a file was not transferred whose execution ended. */
export const CANCELLED: Failure = {
	message: 'The execution was stopped',
	advice: 'The transfer of the file was not finished.',
};

/** Why an address did not give its file; `advice` is for an address that will not give it later either. */
export const notGiven = (what: string, status: number, advice: string): Failure => ({
	status,
	message: `The address of the ${what} answered with status ${status}`,
	advice: mayPass({ status }) ? 'Its host has a fault at the moment. Run again later.' : advice,
});

/** Why there is no answer, in words. What is known of the service's own address does not help with another one. */
export function brokenConnection(
	context: Pick<FileContext, 'getExecutionCancelSignal'>,
	error: unknown,
): Failure {
	if (context.getExecutionCancelSignal?.()?.aborted) return CANCELLED;
	const code = systemCode(error);
	const message = `No answer from the file host: ${systemWords(code, reasonOf(error))}`;
	const { advice } = explain({ code: isUnknownAuthority(code) ? code : undefined, message });
	const CHECK_HOST = 'Check that n8n can reach the host of the file, then run again.';
	return { code, message, advice: advice === UNKNOWN ? CHECK_HOST : advice };
}
