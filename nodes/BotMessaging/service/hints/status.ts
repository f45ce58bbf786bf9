import type { Failure } from '../errors';

const GATEWAY =
	'The service cannot be reached at the moment. It may or may not have done what was asked: check before sending again.';

const REDIRECT =
	'The service answered with a redirect, which is not followed so that the token stays with the Base URL. Enter the new address as Base URL in the credential.';

const NO_SERVICE =
	'This is not an answer of the service. Check Base URL in the credential: another program, or a proxy on the way, answers there.';

/** Services differ in how much of the interface they have. */
export const ABSENT =
	'This service does not offer this operation: some of them are offered by newer services only. If others fail too, check Base URL in the credential.';

/** What a status means when the message is not known (wire 8). */
const STATUS: Readonly<Record<number, string>> = {
	200: 'The service did not do it, for the reason it gives. Correct that and run again.',
	400: 'The service refused a value. Correct the field that its message names and run again.',
	401: 'Check the Access Token in the credential: it is sent as it is, without "Bearer". If it was replaced in the platform, enter the new one.',
	403: 'The bot has no right to do this. Make it an administrator of the chat with the right it needs: Member → Get Own Membership shows the rights it has.',
	404: 'Check the ID of the message, chat or file: it does not exist, or this bot has no access to it.',
	405: ABSENT,
	413: 'The content is too large for the service. Make it smaller and run again.',
	415: 'The service does not take the content in this form. Check Base URL in the credential: it has to be the address of the service itself.',
	422: 'The service understood the request and refuses it, for the reason it gives. Correct that and run again.',
	429: 'Too many requests for this bot at once. Lower Requests per Second in Options, or raise Retry For (Seconds).',
	500: 'The service had an internal error. It may or may not have done what was asked: check before sending again. If it stays, report the message to the platform.',
	501: ABSENT,
	502: GATEWAY,
	503: 'The service takes no requests at the moment, nothing was done. Try again later, or raise Retry For (Seconds) in Options.',
	504: GATEWAY,
};

/** The next step after an answer whose words are not known. */
export function statusAdvice({ status = 0, code, message }: Failure): string {
	if (status >= 300 && status < 400) return REDIRECT;
	if (status === 200 && message.includes('not JSON')) return NO_SERVICE;
	// The service gives a code with every refusal.
	if (status === 404 && code === undefined) return NO_SERVICE;
	return STATUS[status] ?? (status < 500 ? STATUS[400] : undefined) ?? GATEWAY;
}
