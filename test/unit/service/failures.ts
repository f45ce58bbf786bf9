import { readAnswer, type HttpAnswer } from '../../../nodes/BotMessaging/service/answer';
import { systemWords } from '../../../nodes/BotMessaging/service/hints/system';
import type { Failure } from '../../../nodes/BotMessaging/service/failure';

const PAGE = '<!doctype html><p>Blocked</p>';

/** Every known refusal of the service (wire 3, 5 and 8), and words that only its own advice contains. */
export const KNOWN: Array<[Failure, RegExp]> = [
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
	[refused("Can't deserialize body", { attachments: [] }), /'Attachments JSON'.*'Keyboard JSON'/],
	[refused("Can't deserialize body", { message: { attachments: [] } }), /'Attachments JSON'/],
	[refused("Can't deserialize body", { commands: [] }), /^Check the fields .* as JSON/],
	[refused("Can't deserialize body"), /^Check the fields .* as JSON/],
	[refused("Can't deserialize body", { icon: { photos: [] } }), /^Check 'Icon Photos'/],
	[refused('error.edit.invalid.message'), /deleted, or be too old/],
	[refused('attachments[0]: {com.example.KnownInstance.message}'), /type in 'Attachments JSON'/],
	[refused('errors.forward.text.not-empty'), /Leave 'Text' empty/],
	[refused('callback_id: Callback identifier is invalid'), /callback_id of the event/],
	[refused('Invalid message_id: 000000000782a4e0019d00d3ef744e91'), /message_id of an event/],
	[
		refused("Field 'mid' does not match required pattern", { link: { type: 'forward' } }),
		/^Check 'Forward Message ID': .*message_id of an event/,
	],
	[
		refused("Field 'mid' does not match required pattern", {
			message: { link: { type: 'reply' } },
		}),
		/^Check the ID to reply to: .*message_id of an event/,
	],
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
	[refused('Invalid photo token provided: abc', { icon: { photos: {} } }), /^Check 'Icon Photos'/],
	[refused("Field 'vcf_info' cannot be null"), /Fill in 'vCard'/],
	[refused("Field 'vcf_phone' cannot be null"), /Fill in 'Phone'/],
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
	[notFound('Message mid.1 not found'), /^Check 'Message ID', or 'Post ID'.*credential/],
	[{ ...notFound('Message mid.1 not found'), sent: { message_id: 'mid.1' } }, /^Check 'Message':/],
	[{ ...notFound('Message mid.1 not found'), sent: { pin: 'mid.1' } }, /^Check 'Pin':/],
	[notFound('Comment mid.1 not found'), /^Check 'Comment' and 'Post ID'/],
	[notFound('User 7 not found'), /person/],
	[notFound('Mini-app x not found'), /Web App/],
	[notFound('Callback x not found'), /Callback ID.*credential/],
	[failed(404, 'Not Found'), /Base URL/],
	[failed(405, 'Method GET is not allowed'), /does not offer/],
	[answered(407, PAGE), /HTTPS_PROXY/],
	[notFound('Path /me is not recognized'), /does not offer/],
	[notFound('Path /messages/%40vera is not recognized'), /message_id of an event/],
	[notFound('Path /videos/https%3A%2F%2Fa is not recognized'), /Check 'Video Token'/],
	[failed(501, 'Not implemented'), /does not offer/],
	[failed(409, 'Not like this', 'brand.new'), /refused a value/],
	[answered(409), /gives no reason/],
	[answered(400, '{"code":"proto.payload"}'), /no reason/],
	[answered(451, PAGE), /a proxy or a firewall/],
	[answered(507), /cannot be reached/],
	[answered(204), /not come from the service/],
	[answered(408), /took too long/],
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
	[answered(502), /may or may not/],
	[answered(502, PAGE), /may or may not/],
	[answered(403, PAGE), /a proxy or a firewall/],
	[answered(403), /no right to do this/],
	[answered(400, PAGE), /a proxy or a firewall/],
	[failed(503, 'Unavailable', 'service.unavailable'), /nothing was done/],
	[answered(504), /may or may not/],
	[answered(302, '', { location: 'https://new.example' }), /new address/],
	[answered(302, 'Moved'), /another program or a proxy/],
	[answered(304), /another program or a proxy/],
	[answered(302), /another program or a proxy/],
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
	[{ ...unsuccessful('No permission: pin_message'), code: 'access.denied' }, /right Pin Message/],
	[{ ...unsuccessful('Not available for dialogs'), code: 'chat.denied' }, /not in dialogs/],
	[
		{
			...unsuccessful("Permission 'write' requires permission 'read_all_messages'"),
			code: 'proto.payload',
		},
		/Add Read All Messages/,
	],
	[{ ...unsuccessful('Нет такого'), code: 'message.not.found' }, /Check the ID of the message/],
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
	[answered(200, '{"success":false}'), /no reason\. Check the v/],
	[denied('No right to change the pinned message'), /no right to do this/],
	[notFound('The message disappeared'), /ID of the message/],
	[failed(200, 'Some users were not added', 'add.participant.privacy'), /link of the chat/],
	[failed(200, 'Some users were not added', 'add.participant.not.found'), /no such users/],
	[answered(200, 'pong'), /Base URL/],
	[{ ...unreachable('ECONNREFUSED'), syscall: 'connect' }, /Nothing was sent.*service is up/],
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
	// These also come after the request, which may have been carried out.
	[unreachable('ERR_SSL_WRONG_VERSION_NUMBER'), /check before sending again/],
	[unreachable('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), /check before sending again/],
	[unreachable('HPE_INVALID_CONSTANT'), /check before sending again/],
	[unreachable('Z_DATA_ERROR'), /check before sending again/],
	[unreachable('ERR__ERROR_FORMAT_PADDING_2'), /check before sending again/],
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

/** What such an answer, which is a failure, is taken for. */
export function answered(
	statusCode: number,
	body = '',
	headers: HttpAnswer['headers'] = {},
): Failure {
	const request = { method: 'GET', path: '/me' } as const;
	const outcome = readAnswer({ statusCode, headers, body }, request, 'token');
	if ('answer' in outcome) throw new Error('The answer is no failure');
	return outcome.failed;
}

/** An answer of the service that counts as a failure. */
export function failed(status: number, message: string, code?: string): Failure {
	return { status, code, message };
}

export function refused(message: string, sent?: Failure['sent']): Failure {
	return { ...failed(400, message, 'proto.payload'), sent };
}

export function denied(message: string): Failure {
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

export function unsuccessful(message: string, sent?: Failure['sent']): Failure {
	return { ...failed(200, message), sent };
}

export function unreachable(code: string): Failure {
	return { code, message: `No answer from the service: ${systemWords(code, '')}` };
}
