import { retryAdvice, type Failure, type Hint } from '../failure';
import { entryOf } from '../read';

const gateway = (failure: Failure): string =>
	`The service cannot be reached at the moment. ${retryAdvice(failure)}`;

const REDIRECT =
	"A redirect is not followed, so that the token only goes to the 'Base URL'. Enter the new address as 'Base URL' in the credential.";

const NO_SERVICE =
	"This answer does not come from the service. Check 'Base URL' in the credential: another program or a proxy answers there.";

const STRANGE_PAGE =
	"This page does not come from the service, but from something before it, such as a proxy or a firewall. Check 'Base URL' in the credential, and whether the network of n8n may reach it.";

/** For the trigger and the test of a credential, which act in no chat. */
const CHECK_CREDENTIAL =
	"Check 'Base URL' and 'Access Token' in the credential. If they are right, report the message to the platform.";

const NO_REASON =
	'The service gives no reason. Check the values in the fields, above all the IDs, and that the bot has the right to do this: Member → Get Own Membership shows the rights it has.';

/** Services differ in how much of the interface they implement. */
const ABSENT =
	"This service does not offer this operation: some of them are offered by newer services only. If others fail too, check 'Base URL' in the credential.";

const WRONG_VALUE =
	'The service refused a value. Correct the field that its message names and run again.';

/** What a status means when the message is not known (wire 8). */
const STATUS: Readonly<Record<number, string | ((failure: Failure) => string)>> = {
	200: 'The service did not do it, for the reason it gives. Correct that and run again.',
	401: 'Check the \'Access Token\' in the credential: it is sent as it is, without "Bearer". If it was replaced in the platform, enter the new one.',
	403: 'The bot has no right to do this. Make it an administrator of the chat with the right it needs: Member → Get Own Membership shows the rights it has.',
	404: 'Check the ID of the message, chat, person or file: it does not exist, or the bot of this credential has no access to it.',
	405: ABSENT,
	407: 'The proxy that n8n sends through asks for a password, so nothing reached the service. Give it user and password in the address of the proxy, which HTTPS_PROXY of n8n holds.',
	408: 'The request took too long to reach the service, so nothing was done. Try again later.',
	413: 'The content is too large for the service. Make it smaller and run again.',
	415: "The service does not take the content in this form. Check 'Base URL' in the credential: it has to be the address of the service itself.",
	422: 'The service understood the request and refuses it, for the reason it gives. Correct that and run again.',
	429: "Too many requests for this bot at once. Lower 'Requests per Second' in 'Options' → 'Delivery', or raise 'Retry For (Seconds)'.",
	500: (failure) =>
		`Something went wrong within the service. ${retryAdvice(failure)} If it keeps happening, report the message to the platform.`,
	501: ABSENT,
	503: "The service takes no requests at the moment, so nothing was done. Try again later, or raise 'Retry For (Seconds)' in 'Options' → 'Delivery'.",
};

/** The same for requests of the trigger and of the test of a credential. */
const STATUS_OUTSIDE: Readonly<Record<number, string>> = {
	403: CHECK_CREDENTIAL,
	404: CHECK_CREDENTIAL,
	429: "Too many requests for this bot at once. Try again in a minute. If this happens often, lower 'Requests per Second' in 'Options' → 'Delivery' of the action nodes that use this bot.",
	503: 'The service takes no requests at the moment. Try again later.',
};

/** What the service's codes mean, for refusals without a message, and the status that they come with (wire 8). */
const MEANINGS: Readonly<Record<string, { status: number; words: string }>> = {
	'verify.token': { status: 401, words: 'The service does not accept the access token' },
	'proto.payload': { status: 400, words: 'The service refused a value' },
	'attachment.not.ready': { status: 400, words: 'The attached file is not ready yet' },
	'chat.denied': { status: 403, words: 'The chat does not allow the bot to do this' },
	'access.denied': { status: 403, words: 'The service does not allow the bot to do this' },
	'chat.not.found': { status: 404, words: 'There is no such chat, or the bot is not in it' },
	'dialog.not.found': { status: 404, words: 'The bot has no dialog with this person' },
	'not.found': {
		status: 404,
		words: 'There is no such message, file or person, or the bot cannot see it',
	},
	'comments.timeout_exceeded': { status: 422, words: 'The comment is too old to be edited' },
	'too.many.requests': { status: 429, words: 'The service got too many requests from this bot' },
	'internal.error': { status: 500, words: 'Something went wrong within the service' },
	'service.unavailable': { status: 503, words: 'The service takes no requests at the moment' },
};

/** What happened, when the service gave no message: the meaning of its code, or else the status. */
export function meaningOf(status: number, code: string | undefined): string {
	if (code === undefined) return `The service answered with status ${status}`;
	return entryOf(MEANINGS, code)?.words ?? `The service refused this with the code ${code}`;
}

/** The status of an answer, or the one that its code stands for where the service refuses with status 200. */
export function meantStatus({ status, code = '' }: Partial<Failure>): number | undefined {
	if (status !== 200) return status;
	return entryOf(MEANINGS, code)?.status ?? (code.endsWith('.not.found') ? 404 : status);
}

/** n8n switches a field by itself when an expression is pasted, but not always when one is typed. */
export const NO_EXPRESSION = "To use an expression, switch its field from 'Fixed' to 'Expression'.";

export const NO_MESSAGE_ID = 'The ID is not that of a message';

export const IS_MESSAGE_ID =
	'it is the message_id of an event, or body.mid of a message. Links and names do not work.';

/** What the service says about a path that it does not know, or about an expression in place of an ID. */
export const PATH_HINTS: readonly Hint[] = [
	{ text: /\{\{|%7B%7B/, title: 'An expression was sent as text', advice: NO_EXPRESSION },
	{
		// An ID of the wrong form (wire 2): the characters that do not belong there are escaped in the path.
		text: /^(path \/messages\/\S*%|invalid message_id)/i,
		title: NO_MESSAGE_ID,
		advice: `Check the ID: ${IS_MESSAGE_ID}`,
	},
	{
		text: /^path \/videos\/\S*%/i,
		title: 'The token is not that of a video',
		advice: "Check 'Video Token': it is payload.token of a video, not its address.",
	},
	// Otherwise only services without the operation say this, and each words it differently.
	{ status: 404, text: /^(path|route|method|endpoint)\b.* not \w+(\.|$)/i, advice: ABSENT },
];

/** Whether a status tells no more than that the service refused something. */
const isVague = (status: number): boolean =>
	status === 200 || (status < 500 && (STATUS[status] ?? WRONG_VALUE) === WRONG_VALUE);

/** The advice on an answer whose message is not known. */
export function statusAdvice(failure: Failure): string {
	const { status = 0, code, wordless, isOutside = false } = failure;
	const meant = meantStatus(failure) ?? 0;
	// Without an address to go to, it is none that could be followed.
	if (status >= 300 && status < 400) return wordless === 'redirect' ? REDIRECT : NO_SERVICE;
	// The service itself reports success as 200 only.
	if (status === 200 ? wordless === 'no object' : status < 300) return NO_SERVICE;
	if (wordless === 'web page' && (isVague(status) || status === 403)) return STRANGE_PAGE;
	if (wordless === 'nothing' && isVague(meant))
		return isOutside ? `The service gives no reason. ${CHECK_CREDENTIAL}` : NO_REASON;
	// The service itself gives a code with every refusal.
	if (status === 404 && code === undefined) return NO_SERVICE;
	const advice = STATUS[meant] ?? (meant < 500 ? WRONG_VALUE : gateway);
	return (
		(isOutside && STATUS_OUTSIDE[meant]) || (typeof advice === 'string' ? advice : advice(failure))
	);
}
