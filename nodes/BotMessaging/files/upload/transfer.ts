import type { FileSource, PortionReader } from '../bytes';
import type { Failure } from '../../service/failure';
import { isTruncated, tryParseExact } from '../../service/json';
import { at, textAt } from '../../service/read';
import { isTransient } from '../../service/retry';
import { truncate, LONGEST_MESSAGE, WEB_PAGE, serviceMessage } from '../../service/errorMessages';
import type { FileRequest } from '../fileHost';
import type { RetryWindow } from '../timeouts';
import type { HostAnswer, Reply } from './uploadHost';

/** The upload of one file, to one upload url at a time. */
export interface Transfer {
	/** The url from POST /uploads, used as it is. */
	readonly url: string;
	source: FileSource;
	/** The name sent to the service, safe in headers and file systems. */
	fileName: string;
	/** @throws when the user stopped the execution */
	ask(request: FileRequest): Promise<Reply>;
	patience: RetryWindow;
	/** The error to throw for a failure that retrying does not mend. */
	error(failure: Failure): Error;
}

/** Statuses after which the same url may still work. */
const PASSING = new Set([408, 409, 416, 423, 425, 429]);

/** Statuses of a host that may take the file a little later, at another url. */
const LATER = /^(408|425|429|5\d\d)$/;

/** Whether a failure is due to the network or the state of the host, and not to the file. */
export const isHostFault = ({ status }: Failure): boolean =>
	status === undefined || LATER.test(String(status));

/** Statuses that say that the url is unknown or no longer valid. */
const LOST = new Set([403, 404, 410]);

/** How sending ended: with the answer of the host, which has all, or with a fault. */
export type SendEnd = { answer: string } | SendFault;

interface SendFault {
	fault: Failure;
	/** Whether the url is now useless, although its host is in order. */
	isLost: boolean;
	/** Whether the host has all nevertheless. */
	isWhole?: boolean;
}

/** What the reply to the content read by `reader` means. Throws when the host refuses the content. */
export function endOfSending(transfer: Transfer, reader: PortionReader, reply: Reply): SendEnd {
	if (reader.failure) return { fault: sourceFailure(reader.failure), isLost: false };
	if ('broken' in reply) return { fault: networkFault(transfer, reply.broken), isLost: false };
	const { status, body } = reply;
	if (status >= 200 && status < 300) {
		const { refusal } = readUploadAnswer(body);
		if (refusal) throw transfer.error(refusal);
		if (isTruncated(body, tryParseExact(body))) return { fault: BROKEN_ANSWER, isLost: false };
		return reader.pending > 0 ? { fault: EARLY_ANSWER, isLost: false } : { answer: body };
	}
	const fault = failureOf(reply);
	if (LOST.has(status)) return { fault, isLost: true };
	if (PASSING.has(status) || status >= 500) return { fault, isLost: false };
	throw transfer.error(fault);
}

const BROKEN_ANSWER: Failure = {
	message: 'The answer of the upload host broke off',
	advice: 'Run again. If that does not help, report it to the platform.',
};

export const EARLY_ANSWER: Failure = {
	message: 'The upload host answered before it had everything',
	advice:
		"Run again. If that does not help, choose another 'Upload Method' in 'Options' → 'Delivery'.",
};

/** Why there was no answer. Throws if no other try may get one, as when the certificate is not trusted. */
export function networkFault(transfer: Transfer, broken: Failure): Failure {
	if (broken.status === undefined && !isTransient(broken)) throw transfer.error(broken);
	return broken;
}

/** The failure when the content itself cannot be read any further. */
const sourceFailure = ({ message }: Error): Failure => ({
	message,
	advice: 'Check that the source of the file can be reached, then run again.',
});

export interface UploadAnswer {
	/** The media's token; absent in the answers for video and audio, which are not JSON. */
	token?: string;
	/** The host's number of the file, if it tells one. */
	fileId?: string;
	/** A refusal that came with status 200. */
	refusal?: Failure;
}

/** Message about a kind of file that the service does not take; its status is not documented (interface: Errors). */
const FORBIDDEN = /extension/i;

/** Finds a token, four levels deep at most: in `{token}`, `{photos: {<key>: {token}}}` or what else wraps it (wire 6.2). */
function findToken(value: unknown, levels = 4): string | undefined {
	if (typeof value !== 'object' || value === null || levels === 0) return undefined;
	const inner = Object.values(value).map((part) => findToken(part, levels - 1));
	return textAt(value, 'token') || inner.find(Boolean);
}

/** Parses the last answer of an upload: JSON, XML such as `<retval>1</retval>`, or a range as text. */
export function readUploadAnswer(body: string): UploadAnswer {
	if (WEB_PAGE.test(body)) return { refusal: A_PAGE };
	const parsed = tryParseExact(body);
	const token = findToken(parsed);
	if (token === undefined && isRefusal(parsed, body)) {
		return { refusal: failureOf({ status: 200, body }) };
	}
	return { token, fileId: textAt(parsed, 'fileId') };
}

/** Whether an answer without a token says no. */
const isRefusal = (parsed: unknown, body: string): boolean =>
	at(parsed, 'error_code') !== undefined ||
	typeof at(parsed, 'code') === 'string' ||
	at(parsed, 'success') === false ||
	Boolean(at(parsed, 'error')) ||
	FORBIDDEN.test(serviceMessage(parsed, body));

const A_PAGE: Failure = {
	message: 'The upload host answered with a web page',
	advice:
		'Another program, such as a proxy, answers at the upload address. Check the network of n8n, then run again.',
};

/** The token in the upload url of an image (interface: POST /uploads). */
export function tokenInUrl(url: string): string | undefined {
	return (URL.canParse(url) && new URL(url).searchParams.get('token')) || undefined;
}

/** A refusal in the host's own words. The errors of upload hosts have other shapes than the service's (wire 6.2). */
export function failureOf({ status, body }: HostAnswer): Failure {
	const message =
		truncate(serviceMessage(tryParseExact(body), body), LONGEST_MESSAGE) ||
		`The upload host answered with status ${status}`;
	const hint = REFUSALS.find(
		({ statuses, text }) =>
			(statuses?.test(String(status)) ?? true) && (text?.test(message) ?? true),
	);
	return { status, message, advice: hint?.advice };
}

/** Advice on refusals of upload hosts. An entry without advice leaves it to the general table of hints. */
const REFUSALS: ReadonlyArray<{ statuses?: RegExp; text?: RegExp; advice?: string }> = [
	{ text: FORBIDDEN },
	{
		statuses: /401/,
		advice:
			"The upload host asks for the access token: switch on 'Upload With Token' in 'Options' → 'Delivery', or list the host in 'Allowed Domains' of the credential.",
	},
	{
		statuses: /^3/,
		advice:
			'The upload host answered with a redirect, which uploads do not follow. Run again. If that does not help, report it to the platform.',
	},
	{
		statuses: /413/,
		advice:
			"The file is larger than the service takes. Make it smaller, or choose 'Media Type' → 'File'.",
	},
	{
		statuses: LATER,
		advice:
			"The upload host takes no files at the moment. Run again later, or raise 'Retry For (Seconds)' in 'Options' → 'Delivery'.",
	},
	{
		advice:
			'The upload host refused the file. Check that the file is of the chosen media type and not damaged.',
	},
];

/** Number of bytes stored according to a range such as `0-99/200`; `undefined` if it does not fit a file of `size`. */
export function storedBytes(range: string, size: number): number | undefined {
	const match = /^0-(\d+)\/(\d+)$/.exec(range.trim());
	const stored = Number(match?.[1]) + 1;
	return Number(match?.[2]) === size && stored <= size ? stored : undefined;
}
