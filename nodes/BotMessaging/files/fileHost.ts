import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { explain, toNodeError } from '../service/errors';
import { isUnknownAuthority, systemWords, UNKNOWN } from '../service/hints/system';
import { reasonOf, systemCode, type Failure } from '../service/failure';
import { isTransient } from '../service/retry';
import { trusting, type Trust } from '../service/trust';
import { truncate } from '../service/errorMessages';
import { HOST_TIMEOUT_MS, withTimeout } from './timeouts';

type Helpers = IExecuteFunctions['helpers'];

/** A stream as n8n's helpers take it. */
type NodeStream = Exclude<Parameters<Helpers['prepareBinaryData']>[0], Buffer>;

/** What file transfers need from n8n; the contexts of actions and of triggers provide it. */
export interface FileContext {
	getNode(): INode;
	/** Aborted when the user stops the execution; missing in contexts without executions. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
	helpers: Pick<Helpers, 'httpRequest' | 'prepareBinaryData'>;
}

/** A body that is streamed: sent while it is read. */
export interface StreamedBody {
	content: AsyncIterable<Uint8Array>;
	/** How many bytes of its source were read so far. */
	moved(): number;
	/** Exact size in bytes. */
	size: number;
	contentType: string;
}

export interface FileRequest {
	method: 'GET' | 'POST';
	url: string;
	headers?: Record<string, string>;
	body?: StreamedBody;
}

/** A file at an http(s) url. */
export interface FileAddress {
	url: string;
	trust: Trust | undefined;
	/** The byte to begin at; a host that does not support it gives the whole file. */
	from?: number;
	/** What the file is, and what to do about a url that will not deliver it later either. */
	what: string;
	advice: string;
}

/** A file as its host gives it, with a body that is read as it arrives. */
export interface OpenedFile {
	/** Where it was found, after redirects. */
	url: string;
	headers: Record<string, string | undefined>;
	body: NodeStream;
	/**
	 * Ends the transfer and its connection, so that reading what is left fails. Destroying the body alone would not end
	 * them: n8n's helper notices that only when the next chunk comes, or never if nothing was read yet.
	 */
	close(): void;
}

/** Passes for a Blob with n8n's helper, which streams it and, without redirects, keeps nothing to send it again. */
const asBlob = ({ content, size, contentType }: StreamedBody): object => ({
	[Symbol.toStringTag]: 'Blob',
	type: contentType,
	size,
	stream: () => content,
});

/** A request as n8n's HTTP helper takes it, aborted when the execution is canceled or by the signal. */
export function optionsOf(
	context: FileContext,
	{ method, url, headers = {}, body }: FileRequest,
	signal: AbortSignal,
): IHttpRequestOptions {
	const cancelled = context.getExecutionCancelSignal?.();
	return {
		method,
		url,
		headers,
		body: body && asBlob(body),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		// How long a body and its answer may take depends on what moves, see `askUploadHost`.
		timeout: body ? 0 : HOST_TIMEOUT_MS,
		abortSignal: cancelled ? AbortSignal.any([signal, cancelled]) : signal,
	};
}

/** What to do about an address that is not one of the web. */
export const ONLY_WEB = 'Only addresses that begin with http:// or https:// are opened.';

export const isWebAddress = (url: string): boolean =>
	URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const MOST_REDIRECTS = 10;

/**
 * Opens a file without any credential, for the caller to close. Follows redirects and checks each host's own
 * certificate. Throws NodeApiError when it is not at an http(s) url, or the host does not give it.
 */
export async function openAddress(context: FileContext, file: FileAddress): Promise<OpenedFile> {
	const fail = (failure: Failure): never => {
		throw toNodeError(context.getNode(), failure);
	};
	let { url } = file;
	for (let redirects = 0; ; redirects++) {
		if (!isWebAddress(url)) return fail(notOfTheWeb(url));
		const { status, answer } = await get(context, { ...file, url }).catch((error: unknown) =>
			fail(brokenConnection(context, error)),
		);
		if (status === 200 || (status === 206 && file.from !== undefined)) return answer;
		answer.close();
		const location = headerText(answer.headers.location ?? '');
		const isRedirect = status >= 300 && status < 400 && location !== '';
		if (!isRedirect || redirects === MOST_REDIRECTS || !URL.canParse(location, url)) {
			return fail(notGiven(file, status));
		}
		url = new URL(location, url).href;
	}
}

/** The text of a header. It arrives decoded as Latin-1; one whose bytes are valid UTF-8 was meant as UTF-8. */
export function headerText(value: string): string {
	const decoded = Buffer.from(value, 'latin1').toString('utf8');
	return decoded.includes('\ufffd') ? value : decoded;
}

/**
 * Requests what is at an address, for the caller to close. Follows no redirect and resolves whatever the status is,
 * once the answer has begun. Throws what n8n's helper throws when there is no answer.
 */
export async function get(
	context: FileContext,
	{ url, trust, from }: Pick<FileAddress, 'url' | 'trust' | 'from'>,
): Promise<{ status: number; answer: OpenedFile }> {
	// The length of a compressed answer would not be that of the file.
	const headers: Record<string, string> = { 'Accept-Encoding': 'identity' };
	if (from !== undefined) headers.Range = `bytes=${from}-`;
	return await withTimeout(async (aborter) => {
		const options = optionsOf(context, { method: 'GET', url, headers }, aborter.signal);
		const { statusCode: status, ...answer }: Opened = await trusting(
			trust,
			url,
			async (trusted) => await context.helpers.httpRequest({ ...options, ...trusted }),
		);
		const close = (): void => {
			answer.body.destroy();
			aborter.abort();
		};
		return { status, answer: { ...answer, url, close } };
	});
}

/** What n8n's helper returns once the answer has begun. */
type Opened = Omit<OpenedFile, 'url' | 'close'> & { statusCode: number };

/** Why a transfer was not finished: its execution was stopped. */
export const CANCELLED: Failure = {
	message: 'The execution was stopped',
	advice: 'The transfer of the file was not finished.',
};

/** Whether the user has stopped the execution. */
export const isCancelled = (context: Pick<FileContext, 'getExecutionCancelSignal'>): boolean =>
	context.getExecutionCancelSignal?.()?.aborted === true;

const notOfTheWeb = (url: string): Failure => ({
	message: `Not an address of a file: ${truncate(url, 80)}`,
	advice: ONLY_WEB,
});

const notGiven = ({ what, advice }: FileAddress, status: number): Failure => ({
	status,
	message: `The address of the ${what} answered with status ${status}`,
	advice: isTransient({ status }) ? 'Its host has a fault at the moment. Run again later.' : advice,
});

/** Why a file host gave no answer. Advice about the service's own 'Base URL' would not help here. */
export function brokenConnection(
	context: Pick<FileContext, 'getExecutionCancelSignal'>,
	error: unknown,
): Failure {
	if (isCancelled(context)) return CANCELLED;
	const code = systemCode(error);
	const message = `No answer from the file host: ${systemWords(code, reasonOf(error))}`;
	const { advice } = explain({ code: isUnknownAuthority(code) ? code : undefined, message });
	const CHECK_HOST = 'Check that n8n can reach the host of the file, then run again.';
	const syscall = systemCode(error, 'syscall');
	return { code, syscall, message, advice: advice === UNKNOWN ? CHECK_HOST : advice };
}
