import { systemWords } from '../../../nodes/BotMessaging/service/hints/system';
import { explain, isLasting, toNodeError } from '../../../nodes/BotMessaging/service/errors';
import type { Failure } from '../../../nodes/BotMessaging/service/failure';
import { readAnswer } from '../../../nodes/BotMessaging/service/answer';
import { toJson } from '../../../nodes/BotMessaging/service/json';
import { nodeOf } from '../../support/node';

/** Every known refusal of the service (wire 3, 5 and 8), and words that only its own advice contains. */
const KNOWN: Array<[Failure, RegExp]> = [
	[failed(401, 'Invalid access_token', 'verify.token'), /Access Token/],
	[failed(401, 'Malformed access token', 'verify.token'), /without "Bearer"/],
	[failed(401, 'Invalid access_token'), /Access Token/],
	[refused("Field 'title' size (0) must be at least 1"), /Correct 'Title'/],
	[refused("Field 'timeout' value (1500) must be at most 90"), /Correct 'Timeout \(Seconds\)'/],
	[refused("Field 'limit' value (0) must be at least 1"), /Correct 'Limit'/],
	[refused("Field 'user_ids' size (101) must be at most 100"), /Correct 'User IDs'/],
	[refused("Field 'name' cannot be null"), /Fill in 'Name'/],
	[refused('Missing required parameter: url'), /Fill in 'URL'/],
	[refused('Missing required parameter: type'), /Fill in 'Media Type'/],
	[refused('Missing required parameter: chat_id'), /Fill in 'Chat ID'/],
	[refused("Field 'brand_new' is wrong"), /field that its message names/],
	[refused("Field 'text' size (4001) must be at most 4000"), /Message → Send, 'Split Long Text/],
	[refused("Field 'text' size (0) must be at least 1"), /Correct 'Text'/],
	[refused("Can't deserialize body"), /'Attachments JSON'.*'Keyboard JSON'/],
	[refused("Can't deserialize body", { icon: { photos: [] } }), /^Check 'Icon Photos'/],
	[refused('error.edit.invalid.message'), /deleted, or be too old/],
	[refused('attachments[0]: {com.example.KnownInstance.message}'), /type in 'Attachments JSON'/],
	[refused('errors.forward.text.not-empty'), /Leave 'Text' empty/],
	[refused('callback_id: Callback identifier is invalid'), /callback_id of the event/],
	[refused('Invalid message_id: 000000000782a4e0019d00d3ef744e91'), /message_id of an event/],
	[refused('Missing `token` in video attachment'), /Fill in 'Media Token'.*'Attachments JSON'/],
	[refused("Field 'token' cannot be null"), /Fill in 'Media Token'.*'Attachments JSON'/],
	[refused('Failed to upload image.'), /public address of the image/],
	[refused('Failed to load the image'), /public address of the image/],
	[refused('Key: errors.process.attachment.movie.not.owner'), /credential that sends it/],
	[
		failed(
			404,
			'Path /me is not recognized. Please check docs at https://docs.example.com',
			'method.not.found',
		),
		/does not offer/,
	],
	[refused('Unknown recipient'), /Send To/],
	[refused('Must be only one file attachment in message'), /one file per message/],
	[refused('Must be only one sticker attachment in message'), /message of its own/],
	[
		refused('Must have only http/https links format in buttons'),
		/link button.*link in.*N8N_WEBHOOK_URL/,
	],
	[refused('errors.maxRowSize'), /7 buttons in a row/],
	[refused('errors.maxRows'), /30 rows/],
	[refused('Invalid photo token provided: abc'), /'Media Token'.*'Media Type'/],
	[refused('Invalid photo token provided: abc', { icon: { token: 'abc' } }), /'Icon Token'/],
	[refused('Invalid video token provided: abc'), /'Attachments JSON'/],
	[refused('No `photos`, `url` or `token` provided. Check payload.'), /URL, or the token/],
	[refused('Invalid request. `message` or `notification` required'), /Replace Message/],
	[refused("Field 'secret' does not match required pattern"), /5 to 256 letters/],
	[refused("Field 'webApp' cannot be null"), /Web App/],
	[refused("Field 'notify' must be true or omitted for channels"), /channels everyone/],
	[refused("Permission 'write' requires permission 'read_all_messages'"), /Add Read All Messages/],
	[refused("Permission 'edit' is not available in a chat"), /where it applies/],
	[refused("Action 'typing_on' is not available in a channel"), /field that its message names/],
	[refused('Unknown update type: message_eaten'), /Event Types/],
	[refused('Unknown upload type: photo'), /Media Type/],
	[refused('Message has no text or attachments'), /Fill in 'Text'/],
	[refused('Inline keyboard needs text or another attachment'), /cannot stand alone/],
	[notReady('Key: errors.process.attachment.file.not.processed'), /'Wait for Attachments'/],
	[notReady('Key: errors.process.attachment.video.not.processed'), /long videos/],
	[
		notReady('Key: errors.process.attachment.file.not.processed', { icon: { token: 'x' } }),
		/Run again in a minute/,
	],
	[refused('Key: errors.process.attachment.video.not.supported'), /Convert/],
	[notReady('Key: errors.process.attachment.video.not.supported'), /Convert/],
	[denied('Key: error.dialog.suspended, args: [110022334,].'), /stopped the bot/],
	[denied('chat.send.msg.no.permission.because.not.admin'), /administrator of this channel/],
	[denied('Invalid chatId: 0'), /chat_id of an event/],
	[denied('Forwarding is prohibited in the chat of origin'), /forwarding/],
	[denied('Bot is not a member of the chat'), /credential .*added to the chat/],
	[denied('You are not a participant of this chat'), /added to the chat/],
	[denied('User 7 is not a member of the chat'), /^Check 'Member'/],
	[unsuccessful('Bot is not a member of the chat'), /added to the chat/],
	[denied('Chat is closed'), /closed/],
	[forbidden('no rights'), /no right to do this/],
	[forbidden('No permission: add_remove_members'), /right Add and Remove Members/],
	[forbidden('No permission: read_all_messages'), /right Read All Messages/],
	[forbidden('No permission: delete'), /right Delete Posts/],
	[denied('The bot lacks write in this chat'), /right Write/],
	[forbidden('Insufficient permissions to delete message'), /In a dialog.*Write in a group chat/],
	[forbidden('Insufficient permissions to edit message'), /no right to do this/],
	[forbidden('Method is not available for dialogs'), /not in dialogs/],
	[forbidden('Method is available for dialogs only'), /no right to do this/],
	[forbidden('You cannot edit this message'), /no right to do this/],
	[forbidden('Bot is not an administrator of the chat'), /Make the bot an administrator/],
	[denied('Method is available only for chat administrator'), /Make the bot an administrator/],
	[forbidden('Only own messages can be edited'), /change only what it wrote itself/],
	[unsuccessful('Only own messages can be deleted'), /change only what it wrote itself/],
	[failed(404, 'Chat 7 not found', 'chat.not.found'), /Message → Send .*Send To' → 'User/],
	[failed(400, 'Invalid chatId: 0'), /Message → Send .*Send To' → 'User/],
	[failed(404, 'Dialog not found', 'dialog.not.found'), /start the bot/],
	[failed(404, 'error.dialog.notfound', 'x'), /start the bot/],
	[notFound('Message mid.1 not found'), /ID of the message.*credential/],
	[notFound('User 7 not found'), /person/],
	[notFound('Mini-app x not found'), /Web App/],
	[notFound('Callback x not found'), /Callback ID.*credential/],
	[failed(404, 'Not Found'), /Base URL/],
	[failed(405, 'Method GET is not allowed'), /does not offer/],
	[failed(407, 'The service answered with status 407 and a web page'), /HTTPS_PROXY/],
	[notFound('Path /me is not recognized'), /does not offer/],
	[notFound('Path /messages/%40vera is not recognized'), /message_id of an event/],
	[failed(501, 'Not implemented'), /does not offer/],
	[failed(409, 'Not like this', 'brand.new'), /refused a value/],
	[failed(409, 'The service answered with status 409'), /gives no reason/],
	[failed(400, 'The service refused a value', 'proto.payload'), /no reason/],
	[failed(451, 'The service answered with status 451 and a web page'), /a proxy or a firewall/],
	[failed(507, 'The service answered with status 507'), /cannot be reached/],
	[failed(204, 'The service answered with status 204'), /not come from the service/],
	[failed(408, 'The service answered with status 408'), /took too long/],
	[failed(413, 'Too large'), /too large/],
	[failed(415, "Content type '' not supported"), /Base URL/],
	[failed(422, 'Comment is too old', 'comments.timeout_exceeded'), /26 hours/],
	[failed(422, 'Comment is too old', 'x'), /for the reason it gives/],
	[failed(422, 'Comments are disabled in the channel', 'x'), /switched off/],
	[
		failed(429, 'Too many requests. Limit is: 10 calls per second.', 'too.many.requests'),
		/Requests per Second/,
	],
	[failed(500, 'Internal error, id 7f', 'internal.error'), /within the service/],
	[failed(502, 'The service answered with status 502'), /may or may not/],
	[failed(502, 'The service answered with status 502 and a web page'), /may or may not/],
	[failed(403, 'The service answered with status 403 and a web page'), /a proxy or a firewall/],
	[failed(403, 'The service answered with status 403'), /no right to do this/],
	[failed(400, 'The service answered with status 400 and a web page'), /a proxy or a firewall/],
	[failed(503, 'Unavailable', 'service.unavailable'), /nothing was done/],
	[failed(504, 'The service answered with status 504'), /may or may not/],
	[failed(302, 'The service answered with status 302'), /redirect/],
	[unsuccessful('Users are members already'), /nothing has to be done/],
	[unsuccessful('Insufficient access rights to chat 7'), /no right/],
	[unsuccessful('No pinned message in the chat'), /nothing to unpin/],
	[unsuccessful('No subscription for url https://a.example/x'), /letter for letter/],
	[unsuccessful('Message is too old to be edited'), /7 days/],
	[unsuccessful('User 7 is not a member of the chat'), /nobody to remove/],
	[
		unsuccessful('User 7 is not a member of the chat', { admins: [{ user_id: 7 }] }),
		/Add them first/,
	],
	[unsuccessful('User 7 is not an administrator of the chat'), /no rights to revoke/],
	[unsuccessful('Bot is not an administrator of the chat'), /Make the bot an administrator/],
	[{ ...unsuccessful('Invalid access_token'), code: 'verify.token' }, /Access Token/],
	[{ ...unsuccessful('Too many requests'), code: 'too.many.requests' }, /Requests per Second/],
	[
		{ ...unsuccessful('Not like this'), code: 'proto.payload' },
		/Correct the field that its message/,
	],
	[{ ...unsuccessful('Unavailable'), code: 'service.unavailable' }, /nothing was done/],
	[{ ...unsuccessful('Not here'), code: 'chat.denied' }, /Make it an administrator/],
	[{ ...unsuccessful('Not you'), code: 'access.denied' }, /Make it an administrator/],
	[{ ...unsuccessful('Nothing'), code: 'not.found' }, /Check the ID of the message, chat, person/],
	[{ ...unsuccessful('Oops'), code: 'internal.error' }, /within the service/],
	[unsuccessful('The owner cannot be removed'), /owner of a chat/],
	[unsuccessful("You can't remove the owner"), /owner of a chat/],
	[unsuccessful('A chat has at most 50 administrators'), /50 administrators/],
	[unsuccessful('Only https:// urls are supported'), /begins with https/],
	[unsuccessful('International host names must be given in punycode'), /xn--/],
	[unsuccessful('Something new'), /reason it gives/],
	[unsuccessful('Only administrators can do this'), /reason it gives/],
	[unsuccessful('Only the owner can do this'), /reason it gives/],
	[unsuccessful('The callback is too old'), /Callback ID/],
	[
		unsuccessful('The service answered that the request did not succeed'),
		/no reason\. Check the v/,
	],
	[denied('No right to change the pinned message'), /no right to do this/],
	[notFound('The message disappeared'), /ID of the message/],
	[failed(200, 'Some users were not added', 'add.participant.privacy'), /link of the chat/],
	[failed(200, 'Some users were not added', 'add.participant.not.found'), /no such users/],
	[failed(200, 'The service answered with something other than a JSON object'), /Base URL/],
	[unreachable('ECONNREFUSED'), /Nothing was sent.*'Base URL'/],
	[unreachable('ENOTFOUND'), /'Base URL'/],
	[unreachable('EAI_AGAIN'), /'Base URL'.*network of n8n/],
	[unreachable('ERR_PROXY_CLOSED'), /Nothing was sent.*HTTPS_PROXY/],
	[{ ...unreachable('EHOSTUNREACH'), syscall: 'connect' }, /nothing was sent.*network of n8n/],
	[{ ...unreachable('EHOSTUNREACH'), syscall: 'read' }, /check before sending again/],
	[unreachable('ECONNRESET'), /check before sending again/],
	[unreachable('ETIMEDOUT'), /check before sending again/],
	[{ ...unreachable('ETIMEDOUT'), syscall: 'connect' }, /nothing was sent.*network of n8n/],
	[unreachable('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), /Trusted Certificates/],
	// Before n8n 2.20, its helper for requests ignores the authorities that it is given.
	[unreachable('SELF_SIGNED_CERT_IN_CHAIN'), /NODE_EXTRA_CA_CERTS.*Before n8n 2\.20/],
	[unreachable('CERT_HAS_EXPIRED'), /clock.*renew/],
	[unreachable('CERT_NOT_YET_VALID'), /clock/],
	[unreachable('ERR_TLS_CERT_ALTNAME_INVALID'), /'Base URL'/],
	[unreachable('EPROTO'), /'Base URL'/],
	[unreachable('ERR_SSL_WRONG_VERSION_NUMBER'), /'Base URL'/],
	[unreachable('HPE_INVALID_CONSTANT'), /check before sending again/],
	[unreachable('Z_DATA_ERROR'), /check before sending again/],
	[{ message: 'The run was stopped before this request was sent' }, /Run the workflow again/],
	[
		{ message: 'No answer from the service: Domain not allowed: This credential is restricted' },
		/Allowed Domains/,
	],
	[
		{
			message:
				'No answer from the service: The request was blocked because it resolves to a restricted IP address',
		},
		/nothing was sent.*N8N_SSRF_ALLOWED_HOSTNAMES, an IP address with .32 to N8N_SSRF_ALLOWED_IP_RANGES/,
	],
	[
		{
			message:
				'No answer from the service: The request was blocked because the destination hostname is restricted',
		},
		/N8N_SSRF_ALLOWED_HOSTNAMES/,
	],
];

/** An answer of the service that counts as a failure. */
function failed(status: number, message: string, code?: string): Failure {
	return { status, code, message };
}

function refused(message: string, sent?: Failure['sent']): Failure {
	return { ...failed(400, message, 'proto.payload'), sent };
}

function denied(message: string): Failure {
	return failed(403, message, 'chat.denied');
}

function forbidden(message: string): Failure {
	return failed(403, message, 'access.denied');
}

function notFound(message: string): Failure {
	return failed(404, message, 'not.found');
}

function notReady(message: string, sent?: Failure['sent']): Failure {
	return { ...failed(400, message, 'attachment.not.ready'), sent };
}

function unsuccessful(message: string, sent?: Failure['sent']): Failure {
	return { ...failed(200, message), sent };
}

function unreachable(code: string): Failure {
	return { code, message: `No answer from the service: ${systemWords(code, '')}` };
}

const node = nodeOf();

test.each(KNOWN)('%j gets its own advice', (failure, words) => {
	expect(explain(failure).advice).toMatch(words);
});

/** Words of messages that only programmers understand. */
const CODE =
	/errors?\.|permission\.|Known|deserialize|^Missing `|message_id:|Id:|^Failed|recipient$|links format/;

test.each(KNOWN.filter(([{ message }]) => CODE.test(message)))(
	'%j has a title in plain words',
	(failure) => {
		expect(toNodeError(node, failure).message).toMatch(/^[A-Z][a-zA-Z ]+$/);
	},
);

test.each<[string, Failure, RegExp]>([
	['refused event types', refused('Unknown update type: message_eaten'), /'Events'/],
	['a refused address', unsuccessful('Only https:// urls are supported'), /N8N_WEBHOOK_URL/],
	['too many requests', failed(429, 'Too many requests'), /in a minute/],
	['a fault', failed(503, 'Unavailable'), /Try again later\./],
	['a refusal', failed(403, 'Forbidden'), /'Access Token'/],
	['what is not found', failed(404, 'Nothing there', 'not.found'), /'Access Token'/],
	['no reason', failed(200, 'The service answered that it failed'), /'Base URL'/],
	['a lost token', failed(401, 'Missing access token'), /'Access Token'/],
	[
		'a limit of its own',
		refused("Field 'timeout' value (30) must be at most 20"),
		/to its authors/,
	],
	['event types by name', refused("Field 'update_types' is wrong"), /'Events'/],
	['an address by name', refused("Field 'url' does not match required pattern"), /N8N_WEBHOOK_URL/],
	['its secret', refused("Field 'secret' does not match required pattern"), /for 'Secret'/],
	['what is gone', unsuccessful('No subscription for url https://a.example'), /nothing has to be/],
	['a new parameter', refused('Missing required parameter: version'), /to its authors/],
])('The trigger has its own advice for %s', (_, failure, words) => {
	const error = toNodeError(nodeOf({ type: 'botMessagingTrigger' }), failure);
	expect(error.description).toMatch(words);
});

test.each<[string, Failure]>([
	['an internal error', failed(500, 'Internal error')],
	['a gateway', failed(502, 'The service answered with status 502')],
	['a broken connection', unreachable('ECONNRESET')],
	['a time-out', unreachable('ETIMEDOUT')],
])(
	'After %s, a check is advised only where sending again could do something twice',
	(_, failure) => {
		expect(explain(failure).advice).toContain('check before sending again');
		const { advice } = explain({ ...failure, isHarmless: true });
		expect(advice).not.toContain('check before');
		expect(advice).toMatch(/Try again/);
	},
);

test.each<[string, boolean, Failure]>([
	['a refused token', true, failed(401, 'Unauthorized')],
	['a refusal', true, denied('No more subscriptions')],
	['too many requests', false, failed(429, 'Slow down', 'too.many.requests')],
	['a fault', false, failed(500, 'Internal error', 'internal.error')],
	['a page of a proxy', false, failed(404, 'Not Found')],
	['no connection', false, unreachable('ECONNREFUSED')],
	['a network that is down', false, { ...unreachable('ENETDOWN'), syscall: 'connect' }],
])('Whether waiting does not help against %s: %s', (_, expected, failure) => {
	expect(isLasting(toNodeError(node, failure))).toBe(expected);
});

/** Each two neighbouring words of a text. */
const pairsIn = (text: string): string[] => {
	const words = text.toLowerCase().match(/\w+/g) ?? [];
	return words.slice(1).map((word, index) => `${words[index]} ${word}`);
};

const SYSTEM_CODES = KNOWN.flatMap(([{ status, code }]) => (status === undefined && code) || []);

test.each(SYSTEM_CODES)(
	'The advice for %s does not repeat what the message says: n8n shows both, in places as one text',
	(code) => {
		const said = pairsIn(systemWords(code, ''));
		expect(said.length).toBeGreaterThan(2);
		const advised = pairsIn(explain(unreachable(code)).advice);
		expect(advised.filter((pair) => said.includes(pair))).toEqual([]);
	},
);

test('Advice that comes with a failure takes precedence over the tables', () => {
	expect(explain({ status: 401, message: 'x', advice: 'Do this.' })).toEqual({
		advice: 'Do this.',
	});
});

test('An error has the message of the service, the advice, the status and the code', () => {
	const error = toNodeError(node, failed(404, 'Chat 110022334 not found', 'chat.not.found'));
	expect(error.message).toBe('Chat 110022334 not found');
	expect(error.description).toContain("'Send To' → 'User'");
	expect(error.httpCode).toBe('404');
	expect(error.context.code).toBe('chat.not.found');
});

test('The message of the service is kept even where n8n would replace it', () => {
	const message = 'No answer from the service: ECONNREFUSED';
	expect(toNodeError(node, { code: 'ECONNREFUSED', message }).message).toBe(message);
});

const buttons = (...rows: unknown[]): Failure['sent'] => {
	const keyboard = { type: 'inline_keyboard', payload: { buttons: toJson(rows) } };
	return { attachments: [{ type: 'image' }, keyboard] };
};

const button = (more: object = {}) => ({ type: 'callback', text: 'Yes', ...more });

/** What a technical message of the service is about, the failure, and the title that people see. */
const TITLES: Array<[string, Failure, string]> = [
	[
		'a row that is too long',
		refused('errors.maxRowSize', buttons(Array(8).fill(button()))),
		'Row 1 has 8 buttons; 7 fit',
	],
	[
		'a row that is too long for its link button',
		refused('errors.maxRowSize', {
			message: buttons([button()], [...Array(3).fill(button()), button({ type: 'link' })]),
		}),
		'Row 2 has 4 buttons; 3 fit',
	],
	...['open_app', 'request_contact', 'request_geo_location'].map(
		(type): (typeof TITLES)[number] => [
			`a row that is too long for its ${type} button`,
			refused('errors.maxRowSize', buttons([...Array(3).fill(button()), button({ type })])),
			'Row 1 has 4 buttons; 3 fit',
		],
	),
	[
		'a payload that is not a text',
		refused("Can't deserialize body", buttons([button({ payload: 5 })])),
		'Payload of row 1, button 1 is not a text',
	],
	[
		'a payload that is too long',
		refused(
			"Field 'payload' size (1025) must be at most 1024",
			buttons([button({ payload: 'x'.repeat(1024) })], [button({ payload: 'x'.repeat(1025) })]),
		),
		'Payload of row 2, button 1 is too long: 1025, at most 1024',
	],
	...[
		['characters that no app gets', 'order 17'],
		['too many characters', 'x'.repeat(513)],
	].map(([what, payload]): (typeof TITLES)[number] => [
		`a payload of an app with ${what}`,
		refused(
			"Field 'payload' does not match required pattern",
			buttons([
				button({ payload: 'order 17' }),
				button({ type: 'open_app', payload: 'x'.repeat(512) }),
				button({ type: 'open_app', payload }),
			]),
		),
		'App Payload of row 1, button 3 is not up to 512 letters, digits, underscores and hyphens',
	]),
	[
		'a button of a type that only other platforms have',
		refused("Can't deserialize body", buttons([button(), button({ type: 'url' })])),
		'The service may not know the type of row 1, button 2: url',
	],
	[
		'too many rows',
		refused('errors.maxRows', buttons(...Array(31).fill([button()]))),
		'Inline Keyboard has 31 rows; 30 fit',
	],
	[
		'a row that is too long, below one that just fits',
		refused('errors.maxRowSize', buttons(Array(7).fill(button()), Array(8).fill(button()))),
		'Row 2 has 8 buttons; 7 fit',
	],
	[
		'a row that is too long, among as many rows as fit',
		refused('errors.maxRowSize', buttons(...Array(29).fill([button()]), Array(8).fill(button()))),
		'Row 30 has 8 buttons; 7 fit',
	],
	[
		'a button without a text',
		refused(
			"Field 'text' size (0) must be at least 1",
			buttons([button()], [button(), button({ text: '' })]),
		),
		'Button Text of row 2, button 2 is empty',
	],
	[
		'a button with a long text',
		refused(
			"Field 'text' size (129) must be at most 128",
			buttons([button({ text: 'x'.repeat(128) }), button({ text: 'x'.repeat(129) })]),
		),
		'Button Text of row 1, button 2 is too long: 129, at most 128',
	],
	[
		'a link button without an address',
		refused("Field 'url' cannot be null", buttons([button({ type: 'link' })])),
		'URL of row 1, button 1 is empty',
	],
	[
		'a link button with an address of another kind',
		refused(
			'Must have only http/https links format in buttons',
			buttons([
				button({ type: 'link', url: 'http://a.example' }),
				button({ type: 'link', url: 'HTTPS://a.example' }),
				button({ type: 'link', url: 'ftp://a.example/http://' }),
			]),
		),
		'URL of row 1, button 3 does not begin with http:// or https://',
	],
	[
		'a button without a type',
		refused("Can't deserialize body", buttons([{ text: 'x' }])),
		'The type of row 1, button 1 is missing',
	],
	[
		'a button without a type, which the service names',
		refused("Field 'type' cannot be null", buttons([{ text: 'x' }])),
		'The type of row 1, button 1 is missing',
	],
	[
		'rows that are not lists',
		refused("Can't deserialize body", buttons(button())),
		'Row 1 of Inline Keyboard is not a list of buttons',
	],
	[
		'a long text beside a valid keyboard',
		refused("Field 'text' size (4001) must be at most 4000", buttons([button()])),
		'Text is too long: 4001, at most 4000',
	],
	[
		'a long text beside a button with 128 emoji',
		refused(
			"Field 'text' size (4001) must be at most 4000",
			buttons([button({ text: '👍'.repeat(128) })]),
		),
		'Text is too long: 4001, at most 4000',
	],
	[
		'a person who stopped the bot',
		denied('Key: error.dialog.suspended, args: [110022334,].'),
		'The person stopped this bot',
	],
	[
		'a person who never started the bot',
		failed(404, 'error.dialog.notfound', 'dialog.not.found'),
		'The bot has no dialog with this person',
	],
	['a field that is missing', refused('Missing required parameter: chat_id'), 'Chat ID is missing'],
	['an empty field', refused("Field 'title' size (0) must be at least 1"), 'Title is empty'],
	[
		'a number that is too large',
		refused("Field 'limit' value (1500) must be at most 1000"),
		'Limit is too large: 1500, at most 1000',
	],
	[
		'a number that is too small',
		refused("Field 'limit' value (0) must be at least 1"),
		'Limit is too small: 0, at least 1',
	],
	[
		'a text that is too short',
		refused("Field 'alias' size (1) must be at least 2"),
		'Alias is too short: 1, at least 2',
	],
	[
		'characters that do not belong in a field',
		refused("Field 'alias' does not match required pattern"),
		'Alias has characters that are not allowed there',
	],
];

test.each(TITLES)(
	'%s is reported in plain words, followed by those of the service',
	(_, failure, title) => {
		const error = toNodeError(node, failure);
		expect(error.message).toBe(title);
		expect(error.description).toContain(`The service said: ${failure.message}`);
		expect(error.messages).toContain(failure.message);
	},
);

test('A problem with a field that is not known is told in the words of the service', () => {
	expect(explain(refused("Field 'alias' is taken"))).toEqual({
		title: undefined,
		advice: "Correct 'Alias': the message says what the service accepts.",
	});
});

const upload = { type: 'image', payload: { token: 'x' } };

test.each([
	['Image URL', { attachments: [{ type: 'image', payload: { url: 'here' } }] }, 'http:// or https'],
	[
		'Page URL',
		{ message: { attachments: [upload, { type: 'share', payload: { url: 'here' } }] } },
		'http:// or https',
	],
	['Icon URL', { icon: { url: 'here' } }, 'http:// or https'],
	['URL', { url: 'here' }, 'begins with https'],
])('An invalid address is reported with its field: %s', (label, sent, start) => {
	const { title, advice } = explain(refused("Field 'url' does not match required pattern", sent));
	expect(title).toBe(`${label} is not a public address`);
	expect(advice).toContain(`'${label}'`);
	expect(advice).toContain(start);
});

test('The advice for a link button without an address is about the button', () => {
	const failure = refused("Field 'url' cannot be null", buttons([button({ type: 'link' })]));
	expect(explain(failure).advice).toMatch(/button of 'Inline Keyboard'/);
});

test.each([
	[{ status: 404, code: 'chat.not.found' }, 'There is no such chat, or the bot is not in it'],
	[{ status: 401, code: 'verify.token' }, 'The service does not accept the access token'],
	[{ status: 400, code: 'proto.payload' }, 'The service refused a value'],
	[{ status: 409, code: 'brand.new' }, 'The service refused this with the code brand.new'],
	[{ status: 409, code: undefined }, 'The service answered with status 409'],
])(
	'An answer %j without a message is explained instead of shown as JSON',
	({ status, code }, message) => {
		const body = JSON.stringify({ code, message: '' });
		const outcome = readAnswer(
			{ statusCode: status, headers: {}, body },
			{ method: 'GET', path: '/' },
			'token',
		);
		expect(outcome).toMatchObject({ failed: { status, message } });
	},
);

test.each([
	['EUNHEARDOF', 'EUNHEARDOF'],
	[undefined, 'socket hang up'],
])('What is known of a failure that no row tells about is said: %s', (code, words) => {
	expect(systemWords(code, 'socket hang up')).toBe(words);
});
