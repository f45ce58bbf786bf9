import type { FileSource, PortionReader } from '../bytes';
import type { Failure } from '../../service/failure';
import { tryParseExact } from '../../service/json';
import { at, textAt } from '../../service/read';
import { LONGEST_MESSAGE, wordsOf } from '../../service/words';
import type { FileRequest } from '../fileHost';
import type { Endurance } from '../patience';
import type { HostAnswer, Reply } from './uploadHost';

/** One file on its way to one upload url at a time. */
export interface Transfer {
	/** Address from POST /uploads, used as it is. */
	readonly url: string;
	source: FileSource;
	/** Name that the service gets; safe in headers and file systems. */
	fileName: string;
	/** Sends one request to the upload host. */
	ask(request: FileRequest): Promise<Reply>;
	patience: Endurance;
	/** The error for what cannot be repaired by trying again. */
	error(failure: Failure): Error;
	/** Told after each part: bytes the host has. */
	report(stored: number): void;
	/** @throws when the user stopped the execution */
	checkCancelled(): void;
}

/** How a transfer ended. */
export interface TransferEnd {
	/** The host's last answer; absent when the host has all bytes but its answer was lost. */
	answer?: string;
	/** Why the url is of no more use, where it is not. */
	lost?: Failure;
}

/** Answers after which the same url may still work. */
const PASSING = new Set([408, 409, 416, 423, 425, 429]);

/** Answers of a host that may take the file a little later, at another url. */
const LATER = /^(408|425|429|5\d\d)$/;

/** Whether a failure lies in the network or in the state of the host, and not in the file. */
export const isPassing = (failure: Failure | undefined): boolean =>
	failure !== undefined && (failure.status === undefined || LATER.test(String(failure.status)));

/** Answers that say that the url is not known, or no longer. */
const LOST = new Set([403, 404, 410]);

/** How sending went: the host took it all and answered, or a fault, after which the url may be of no more use. */
export type SendEnd = { answer: string } | { fault: Failure; isLost: boolean };

/**
 * What the reply to content means that was read by `reader`.
 *
 * @throws the error of a refusal, or of an execution that was stopped
 */
export function endOfSending(transfer: Transfer, reader: PortionReader, reply: Reply): SendEnd {
	transfer.checkCancelled();
	if (reader.failure) return { fault: sourceFailure(reader.failure), isLost: false };
	if ('broken' in reply) return { fault: reply.broken, isLost: false };
	const { status, body } = reply;
	if (status >= 200 && status < 300) return { answer: body };
	const fault = failureOf(reply);
	if (LOST.has(status)) return { fault, isLost: true };
	if (PASSING.has(status) || status >= 500) return { fault, isLost: false };
	throw transfer.error(fault);
}

/** The failure that it is when the content itself cannot be read any further. */
const sourceFailure = ({ message }: Error): Failure => ({
	message,
	advice: 'Check that the source of the file can be reached, then run again.',
});

/** What a finished upload told. */
export interface UploadAnswer {
	/** The media's token; absent in the answers for video and audio, which are not JSON. */
	token?: string;
	/** Number of the file, where the host told one. */
	fileId?: string;
	/** A refusal that came as an answer with status 200. */
	refusal?: Failure;
}

/** The text for a kind of file that the service does not take; with which status, is not told (interface: Errors). */
const FORBIDDEN = /extension/i;

const LEVELS = 4;

/** Finds a token however deep: `{token}`, `{photos: {<key>: {token}}}` and whatever else wraps one (wire 6.2). */
function findToken(value: unknown, levels = LEVELS): string | undefined {
	if (typeof value !== 'object' || value === null || levels === 0) return undefined;
	const inner = Object.values(value).map((part) => findToken(part, levels - 1));
	return textAt(value, 'token') || inner.find(Boolean);
}

/** Understands the last answer of an upload: JSON, XML such as `<retval>1</retval>`, or the text of a range. */
export function readUploadAnswer(body: string): UploadAnswer {
	const parsed = tryParseExact(body);
	const token = findToken(parsed);
	const hasCode = at(parsed, 'error_code') !== undefined || typeof at(parsed, 'code') === 'string';
	const saysNo = hasCode || at(parsed, 'success') === false || Boolean(at(parsed, 'error'));
	if (PAGE.test(body)) return { refusal: A_PAGE };
	const isRefusal = token === undefined && (saysNo || FORBIDDEN.test(wordsOf(parsed, body)));
	return {
		token,
		fileId: textAt(parsed, 'fileId'),
		refusal: isRefusal ? failureOf({ status: 200, body }) : undefined,
	};
}

/** What no upload host answers, but a proxy on the way does, with status 200. */
const PAGE = /^\s*<(!doctype|html)\b/i;

const A_PAGE: Failure = {
	message: 'The upload host answered with a page for people',
	advice:
		'Another program answers at the address for the upload, such as a proxy on the way. Check the network of n8n, then run again.',
};

/** The image's token that its upload url holds (interface: POST /uploads). */
export function tokenInUrl(url: string): string | undefined {
	return (URL.canParse(url) && new URL(url).searchParams.get('token')) || undefined;
}

/** A refusal in the host's own words; upload hosts use other shapes than the service (wire 6.2). */
export function failureOf({ status, body }: HostAnswer): Failure {
	const message =
		wordsOf(tryParseExact(body), body).slice(0, LONGEST_MESSAGE) ||
		`The upload host answered with status ${status}`;
	const hint = HINTS.find(
		({ statuses, text }) =>
			(statuses?.test(String(status)) ?? true) && (text?.test(message) ?? true),
	);
	return { status, message, advice: hint?.advice };
}

/** What is said of words that the service says too stands in the table of hints. */
const HINTS: ReadonlyArray<{ statuses?: RegExp; text?: RegExp; advice?: string }> = [
	{ text: FORBIDDEN },
	{
		statuses: /401/,
		advice:
			"The upload host wants to know the bot: switch on 'Send Access Token to Upload Host' in 'Options' → 'Delivery', or list the host in 'Allowed Domains' of the credential.",
	},
	{
		statuses: /^3/,
		advice:
			'The upload host sends the file elsewhere, and an upload address is used as it is. Run again. If it stays, report it to the platform.',
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

/** How many bytes a range such as `0-99/200` says are stored; `undefined` when it is none of a file of this size. */
export function storedBytes(range: string, size: number): number | undefined {
	const match = /^0-(\d+)\/(\d+)$/.exec(range.trim());
	const stored = Number(match?.[1] ?? -1) + 1;
	return match && Number(match[2]) === size && stored > 0 && stored <= size ? stored : undefined;
}
