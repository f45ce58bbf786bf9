import { tryParseExact } from '../../service/json';
import { at, textAt } from '../../service/read';
import type { Failure } from '../../service/failure';
import type { FileAnswer } from '../fileHost';

/** What a finished upload told. */
export interface UploadAnswer {
	/** The media's token; absent in the answers for video and audio, which are not JSON. */
	token?: string;
	/** Number of the file, where the host told one. */
	fileId?: string;
	/** A refusal that came as an answer with status 200. */
	refusal?: string;
}

const LEVELS = 4;

/** Finds a token however deep: `{token}`, `{photos: {<key>: {token}}}` and whatever else wraps one (wire 6.2). */
function findToken(value: unknown, levels = LEVELS): string | undefined {
	if (typeof value !== 'object' || value === null || levels === 0) return undefined;
	const own = textAt(value, 'token');
	if (own) return own;
	for (const inner of Object.values(value)) {
		const token = findToken(inner, levels - 1);
		if (token) return token;
	}
	return undefined;
}

/** Understands the last answer of an upload: JSON, XML such as `<retval>1</retval>`, or the text of a range. */
export function readUploadAnswer(body: string): UploadAnswer {
	const parsed = tryParseExact(body);
	return {
		token: findToken(parsed),
		fileId: textAt(parsed, 'fileId'),
		refusal: at(parsed, 'error_code') === undefined ? undefined : wordsOf(parsed, body),
	};
}

/** The image's token that its upload url holds (interface: POST /uploads). */
export function tokenInUrl(url: string): string | undefined {
	return (URL.canParse(url) && new URL(url).searchParams.get('token')) || undefined;
}

/** A refusal in the host's own words; upload hosts use other shapes than the service (wire 6.2). */
export function refusalOf({ status, body }: FileAnswer<string>): Failure {
	const message =
		wordsOf(tryParseExact(body), body) || `The upload host answered with status ${status}`;
	const hint = HINTS.find(
		(row) => (row.status ?? status) === status && (row.text?.test(message) ?? true),
	);
	return { status, message, advice: hint?.advice };
}

const HINTS: ReadonlyArray<{ status?: number; text?: RegExp; advice: string }> = [
	{
		text: /extension/i,
		advice:
			'The service does not take files of this kind. Pack the file into an archive, or rename it to a kind that is allowed.',
	},
	{
		status: 401,
		advice:
			'The upload host wants to know the bot: switch on Send Access Token to Upload Host in Options → Delivery, or list the host in Allowed Domains of the credential.',
	},
	{
		status: 413,
		advice:
			'The file is larger than the service takes. Make it smaller, or choose Media Type → File.',
	},
	{
		text: /./,
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

function wordsOf(parsed: unknown, body: string): string {
	const words =
		textAt(parsed, 'error_data') ??
		textAt(parsed, 'message') ??
		textAt(parsed, 'error_code') ??
		textAt(parsed, 'error');
	return words ?? (/^\s*[<{[]/.test(body) ? '' : body.trim().slice(0, 200));
}
