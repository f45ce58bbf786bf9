import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { isSafeForToken } from '../service/connection';
import { toNodeError } from '../service/errors';
import type { Failure } from '../service/failure';
import { systemCode } from './systemCode';
import { CREDENTIAL } from '../service/types';

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
export async function askFileHost(context: FileContext, request: FileRequest): Promise<Reply> {
	try {
		return readAnswer(
			await context.helpers.httpRequest({ ...optionsOf(context, request), encoding: 'text' }),
		);
	} catch (error) {
		return { broken: brokenConnection(context, error) };
	}
}

/**
 * The same with the access token, for users who ask for it; only to hosts that the credential allows.
 *
 * @throws NodeApiError when the token must not go to this host
 */
export async function askFileHostWithToken(
	context: IExecuteFunctions,
	request: FileRequest,
	allowedDomains: string | undefined,
): Promise<Reply> {
	if (!URL.canParse(request.url) || !isSafeForToken(new URL(request.url))) {
		throw toNodeError(context.getNode(), INSECURE);
	}
	const options = { ...optionsOf(context, request), encoding: 'text' as const, allowedDomains };
	try {
		return readAnswer(
			await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options),
		);
	} catch (error) {
		const broken = brokenConnection(context, error);
		// Not a matter of the network: n8n itself refused, such as a host that is not among the allowed ones.
		if (broken.code === undefined) throw toNodeError(context.getNode(), broken);
		return { broken };
	}
}

const INSECURE: Failure = {
	message: 'The access token is not sent to an upload host without https',
	advice: 'Switch off Send Access Token to Upload Host in Options.',
};

const isWebAddress = (url: string): boolean =>
	URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/**
 * Opens a file at an http(s) address, without any credential. Redirects are followed. The caller destroys the body.
 *
 * @throws NodeApiError when the address is none, or the host does not answer
 */
export async function openAddress(
	context: FileContext,
	url: string,
	headers: Record<string, string> = {},
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
		const answer: FileAnswer<NodeStream> & { statusCode: number } =
			await context.helpers.httpRequest({
				...options,
				disableFollowRedirect: false,
				encoding: 'stream',
			});
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

const readAnswer = ({ statusCode, headers, body }: RawAnswer): FileAnswer<string> => ({
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
	const reason = code ?? (error instanceof Error ? error.message : 'unknown reason');
	return {
		code,
		message: `The connection to the file host broke: ${reason}`,
		advice: 'Check that n8n can reach the host of the file, then run again.',
	};
}
