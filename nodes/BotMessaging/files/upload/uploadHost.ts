import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { readBody, type OpenedAnswer } from '../../service/answer';
import { CREDENTIAL, isSafeForToken, type Connection } from '../../service/connection';
import { toNodeError } from '../../service/errors';
import type { Failure } from '../../service/failure';
import { isUnclear } from '../../service/retry';
import { withCancelSignal } from '../../service/send';
import { redact } from '../../service/errorMessages';
import { knowsHost, trusting, type Trust } from '../../service/trust';
import { brokenConnection, get, optionsOf, type FileContext, type FileRequest } from '../fileHost';
import { withTimeout, MIN_PROGRESS, STALL_MS, watchStall } from '../timeouts';

export interface HostAnswer {
	status: number;
	body: string;
}

/** An answer, or why there was none. */
export type Reply = HostAnswer | { broken: Failure };

/**
 * Sends a request and reads the answer as text. The access token (`withToken`) goes only to hosts that the credential
 * allows. Throws when it would be sent without https; whatever else happens is returned.
 */
export async function askUploadHost(
	context: IExecuteFunctions,
	request: FileRequest,
	{ allowedDomains, trust, token }: Connection,
	withToken: boolean,
): Promise<Reply> {
	const { url, body } = request;
	if (withToken && !isSafeForToken(new URL(url))) throw toNodeError(context.getNode(), INSECURE);
	const { helpers } = context;
	const send = async (options: IHttpRequestOptions): Promise<Reply> => {
		const answer: OpenedAnswer = withToken
			? await helpers.httpRequestWithAuthentication.call(
					withCancelSignal(context, options.abortSignal),
					CREDENTIAL,
					{ ...options, allowedDomains },
				)
			: await helpers.httpRequest(options);
		return { status: answer.statusCode, body: redact(token, await readBody(answer)) };
	};
	try {
		// A body can be read only once, so who vouches for its host is found out first.
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

/** Finds out who vouches for a host, whether or not it answers. Throws when there is no secure connection to it. */
const probe = async (context: FileContext, trust: Trust, url: string): Promise<void> =>
	await get(context, { url: new URL('/', url).href, trust }).then(
		({ answer }) => answer.close(),
		async (error: unknown) =>
			isUnclear(brokenConnection(context, error)) ? undefined : await Promise.reject(error),
	);

/** How long the answer may take once everything has been sent, in ms. */
const ANSWER_MS = 600_000;

/** Sends, and gives up when next to nothing moves any more, or when there is no answer in time. */
async function watched(
	context: FileContext,
	request: FileRequest,
	trusted: Partial<IHttpRequestOptions>,
	send: (options: IHttpRequestOptions) => Promise<Reply>,
): Promise<Reply> {
	const { body } = request;
	if (!body) {
		return await withTimeout(
			async ({ signal }) => await send({ ...optionsOf(context, request, signal), ...trusted }),
		);
	}
	let waiting: Waiting = 'source';
	const content = observed(body.content, (next) => (waiting = next));
	const over = new AbortController();
	const { signal } = over;
	const options = optionsOf(context, { ...request, body: { ...body, content } }, signal);
	// The helper forgets the signal once it has the answer, but a host that refuses early may leave the rest unread.
	const agentOptions = { ...trusted.agentOptions, signal };
	const unwatch = watchStall({
		moves: () => Math.floor(body.moved() / MIN_PROGRESS) + (waiting === 'answer' ? 1 : 0),
		allowedMs: () => (waiting === 'answer' ? ANSWER_MS : STALL_MS),
		stalled: () => over.abort(),
	});
	return await send({ ...options, agentOptions })
		.catch((error: unknown): Reply => {
			if (signal.aborted) return { broken: stalledAt(waiting) };
			throw error;
		})
		.finally(() => {
			unwatch();
			over.abort();
		});
}

/** What a transfer is waiting for. */
type Waiting = 'source' | 'host' | 'answer';

/** The same content; notes what sending it is waiting for. */
async function* observed(
	source: AsyncIterable<Uint8Array>,
	note: (waiting: Waiting) => void,
): AsyncGenerator<Uint8Array> {
	for await (const chunk of source) {
		note('host');
		yield chunk;
		note('source');
	}
	note('answer');
}

const STALLED: Readonly<Record<Waiting, string>> = {
	source: 'The source of the file gave nothing for two minutes, or next to nothing',
	host: 'The upload host took nothing for two minutes, or next to nothing',
	answer: 'The upload host took the file, and gave no answer for ten minutes',
};

const stalledAt = (waiting: Waiting): Failure => ({
	code: 'ETIMEDOUT',
	message: STALLED[waiting],
	advice:
		waiting === 'source'
			? 'Check that the source of the file can be reached, then run again.'
			: 'Run again. If that does not help, report it to the platform.',
});

const INSECURE: Failure = {
	message: 'The access token is not sent to an upload host without https',
	advice:
		"Switch off 'Upload With Token' in 'Options' → 'Delivery', or take the host off 'Allowed Domains'.",
};
