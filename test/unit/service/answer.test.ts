import { NodeApiError } from 'n8n-workflow';
import {
	readAnswer,
	readBrokenConnection,
	readRefusal,
	retryAfterMs,
} from '../../../nodes/BotMessaging/service/answer';
import { nodeOf } from '../../support/node';

const TOKEN = 'f9LHodD0cOL5Wm3xQ';
const REQUEST = { method: 'GET' as const, path: '/me' };

const answer = (statusCode: number, body: string, headers = {}) =>
	readAnswer({ statusCode, headers, body }, REQUEST, TOKEN);

test('An answer keeps the digits of large integers', () => {
	expect(answer(200, '{"seq":116981768090823485}')).toEqual({
		answer: { seq: '116981768090823485' },
	});
});

test.each([
	{ code: 'X17', user_id: 5 },
	{ code: 'ok', message: { body: {} } },
	{ error: null, error_code: 0, user_id: 5 },
	{ error: {}, user_id: 5 },
])('A code among other data, or an empty error, is not a failure: %j', (data) => {
	expect(answer(200, JSON.stringify(data))).toEqual({ answer: data });
});

test.each([
	[200, '{"success":false,"message":"No rights"}', 'No rights'],
	[200, '{"success":false}', 'The service answered that the request did not succeed'],
	[200, '{"success":"false"}', 'The service answered that the request did not succeed'],
	[
		200,
		'{"success":false,"code":"access.denied"}',
		'The service does not allow the bot to do this',
	],
	[
		200,
		'{"success":false,"message":"","code":"vote.closed"}',
		'The service refused this with the code vote.closed',
	],
	[201, '{"success":true}', 'The service answered with status 201: {"success":true}'],
	[200, 'pong', 'The service answered with something other than a JSON object'],
	[200, '[1]', 'The service answered with something other than a JSON object'],
	[200, '', 'The service answered with something other than a JSON object'],
	[
		502,
		'<html><body>Bad gateway</body></html>',
		'The service answered with status 502 and a web page',
	],
	[403, '<!DOCTYPE html><p>Blocked</p>', 'The service answered with status 403 and a web page'],
	[403, '<error>Denied</error>', 'The service answered with status 403'],
	[401, 'Invalid access_token', 'Invalid access_token'],
	[413, 'Request [7] is too large', 'Request [7] is too large'],
	[404, '{"code":"chat.not.found","message":"Chat 5 not found"}', 'Chat 5 not found'],
	[403, '{"error":"No rights"}', 'No rights'],
	[500, '{"error":{"code":17,"message":"Out of memory"}}', 'Out of memory'],
	[400, '{"error_code":4,"error_data":"No such kind"}', 'No such kind'],
	[403, '{"code":"chat.denied","error":{}}', 'The chat does not allow the bot to do this'],
	[200, '{"code":"chat.denied","message":"No rights"}', 'No rights'],
	[200, '{"code":"chat.denied"}', 'The chat does not allow the bot to do this'],
	[200, '{"error":"No rights"}', 'No rights'],
	[200, '{"error":{"code":"access.denied","message":"No rights"}}', 'No rights'],
	[200, '{"error_code":4,"error_data":"No rights"}', 'No rights'],
	[200, '{"code":4,"message":"No rights"}', 'No rights'],
	[200, '{"errors":[{"message":"No rights"},{"message":"No post"}]}', 'No rights'],
	[400, '{"errors":["No rights"]}', 'No rights'],
	[400, 'null', 'The service answered with status 400'],
	[
		400,
		'{"errors":[{"reason":"No such kind"}]}',
		'The service answered with status 400: {"errors":[{"reason":"No such kind"}]}',
	],
	[400, '{}', 'The service answered with status 400'],
])('An answer %d %s is a failure with its message', (status, body, message) => {
	expect(answer(status, body)).toMatchObject({ failed: { status, message } });
});

test.each([
	[400, `Bad request, authorization: ${TOKEN}`],
	[401, JSON.stringify({ code: 'verify.token', message: `Invalid access_token ${TOKEN}` })],
	[400, JSON.stringify({ error: { message: `Invalid access_token ${TOKEN}` } })],
	[502, `${'Bad gateway. '.repeat(14)}Key ${TOKEN}`],
	[400, JSON.stringify({ errors: ['Bad request. '.repeat(13), TOKEN] })],
	[401, JSON.stringify({ code: TOKEN, message: 'Invalid access_token' })],
	[401, JSON.stringify({ code: TOKEN })],
])(
	'A failure %d never shows the token that a gateway echoes, not even its beginning',
	(status, body) => {
		expect(JSON.stringify(answer(status, body))).not.toContain(TOKEN.slice(0, 8));
	},
);

test.each([
	['in an address', encodeURIComponent],
	['in an address, in small letters', (token: string) => encodeURIComponent(token).toLowerCase()],
	['by PHP, as JSON', (token: string) => token.replaceAll('/', '\\/')],
	['by .NET, as JSON', (token: string) => token.replaceAll('+', '\\u002B')],
	['on a page', (token: string) => token.replaceAll('/', '&#47;').replaceAll('+', '&#x2B;')],
])('The token is hidden as well where it is written %s', (_, write) => {
	const token = 'f9LHodD0/Wm3+Q==';
	const wrote = write(token);
	for (const body of [`{"headers":{"authorization":"${wrote}"}}`, `No access with ${wrote}`]) {
		const outcome = readAnswer({ statusCode: 403, headers: {}, body }, REQUEST, token);
		expect(JSON.stringify(outcome)).toContain('…');
		expect(JSON.stringify(outcome)).not.toMatch(/f9lh/i);
	}
});

test.each([
	['its beginning', (token: string) => `${token.slice(0, 40)}…`],
	['all but its end', (token: string) => token.slice(0, -1)],
	['its end', (token: string) => `***${token.slice(-20)}`],
	['its middle', (token: string) => `key=${token.slice(9, 30)}, …`],
])('A failure does not show %s either', (_, cut) => {
	const token = 'f9LHodD0cOL5Wm3xQNeFLUvj-QNqmnfQbaygOIg5BkxXcQ_gVAf-2Cm21DAt69xl';
	const body = JSON.stringify({ code: 'verify.token', message: `Invalid ${cut(token)}` });
	const outcome = readAnswer({ statusCode: 401, headers: {}, body }, REQUEST, token);
	expect(outcome).toMatchObject({ failed: { message: expect.stringMatching(/^Invalid .*…/) } });
	for (let start = 0; start + 12 <= token.length; start++) {
		expect(JSON.stringify(outcome)).not.toContain(token.slice(start, start + 12));
	}
});

test.each([
	['my-token', 'Invalid access_token …'],
	['token', 'Invalid access_token token'],
])('The token %s is hidden unless it is an ordinary word', (token, message) => {
	const refusal = { statusCode: 401, headers: {}, body: `Invalid access_token ${token}` };
	expect(readAnswer(refusal, REQUEST, token)).toMatchObject({ failed: { message } });
});

test.each([
	['as usual', '0c9a-webhook_secret'],
	['as short as possible', '0c9a-'],
	['in letters that the service does not take', '0c9a-пароль-😀'],
	['much too long', '0c9a-'.repeat(2000)],
])('A failure does not show the secret of a subscription, %s, either', (_, secret) => {
	const body = { url: 'https://flow.example.org/hook', secret };
	const request = { method: 'POST' as const, twice: 'same' as const, path: '/subscriptions', body };
	const echo = { code: 'proto.payload', message: `Can't read ${JSON.stringify(body)}` };
	for (const words of [JSON.stringify(echo), `Can't read secret=${body.secret}`]) {
		const refusal = { statusCode: 400, headers: {}, body: words };
		expect(readAnswer(refusal, request, TOKEN)).toMatchObject({
			failed: { message: expect.not.stringContaining('0c9a') },
		});
	}
});

test('A failure of megabytes is truncated', () => {
	const long = 'A'.repeat(5_000_000);
	const failure = JSON.stringify(answer(400, JSON.stringify({ code: long, message: long })));
	expect(failure.length).toBeLessThan(3000);
});

test.each([{ success: true }, {}, { message: 'Done', errors: [] }])('%j is a success', (body) => {
	expect(answer(200, JSON.stringify(body))).toEqual({ answer: body });
});

test('success: false is a result where the request says so', () => {
	const body = '{"success":false,"failed_user_ids":[5]}';
	const accepting = { ...REQUEST, acceptsFailure: true };
	expect(readAnswer({ statusCode: 200, headers: {}, body }, accepting, TOKEN)).toEqual({
		answer: { success: false, failed_user_ids: [5] },
	});
});

test.each([
	['is hidden', 'f9LHodD0cOL5Wm3xQf9LHodD0cOL5Wm3xQ', { name: 'Bot …', user_id: 5 }],
	['is hidden behind a backslash', TOKEN.repeat(2), { name: 'Bot \\…', user_id: 5 }],
	['that could be a number of it is not', '12345678', { name: 'Bot 12345678', user_id: 5 }],
])('A token that a gateway echoes in an answer %s', (_, token, shown) => {
	const body = JSON.stringify({ ...shown, name: shown.name.replace('…', token) });
	expect(readAnswer({ statusCode: 200, headers: {}, body }, REQUEST, token)).toEqual({
		answer: shown,
	});
});

test('An error body is a failure whatever its status, even where success: false is a result', () => {
	const body = '{"code":"access.denied","message":"No rights"}';
	const accepting = { ...REQUEST, acceptsFailure: true };
	expect(readAnswer({ statusCode: 200, headers: {}, body }, accepting, TOKEN)).toMatchObject({
		failed: { code: 'access.denied', message: 'No rights' },
	});
});

test('A file that is not ready yet has its code, even if the service tells it in words alone', () => {
	const message = 'Key: errors.process.attachment.file.not.processed';
	expect(answer(200, JSON.stringify({ success: false, message }))).toMatchObject({
		failed: { code: 'attachment.not.ready', message },
	});
});

test('A refusal that part of the service is unavailable has that code, even if told in words alone', () => {
	const message = 'EJB service unavailable';
	expect(answer(200, JSON.stringify({ success: false, message }))).toMatchObject({
		failed: { code: 'service.unavailable', message },
	});
	expect(answer(400, JSON.stringify({ code: 'proto.payload', message }))).toMatchObject({
		failed: { code: 'proto.payload', message },
	});
});

test.each([
	'https://new.example/me?access_token=5@',
	'https://new.example/me#access_token=5',
	'https://me:pass@new.example/me',
])('A redirect is reported with its target, without what may be a secret in it: %s', (location) => {
	const headers = { location };
	const message = 'The service answered with a redirect to https://new.example/me';
	expect(answer(301, '<html>Moved</html>', headers)).toMatchObject({ failed: { message } });
});

test.each(['Moved Permanently', '{"message":"Moved"}', '{"code":"moved","message":"Moved"}', ''])(
	'A redirect is reported with its target, whatever its body says: %s',
	(body) => {
		const message = 'The service answered with a redirect to https://new.example/me';
		const headers = { location: 'https://new.example/me' };
		expect(answer(301, body, headers)).toMatchObject({ failed: { message } });
	},
);

test.each([201, 401])('An answer %d that names an address is not called a redirect', (status) => {
	const message = `The service answered with status ${status}`;
	expect(answer(status, '', { location: 'https://new.example/me' })).toMatchObject({
		failed: { message },
	});
});

const SMILES = `A${'🙂'.repeat(600)}`;

test('An error shows the beginning of a plain-text answer', () => {
	const text = 'Closed for repairs. '.repeat(100);
	expect(answer(502, text)).toMatchObject({ failed: { message: text.slice(0, 200) } });
});

test.each([
	['a long text', SMILES],
	['a long error object', JSON.stringify({ code: SMILES, message: SMILES })],
])('An error made of %s ends in no half of a character', (_what, body) => {
	expect(JSON.stringify(answer(400, body))).not.toContain('\\u');
});

const NOW = Date.UTC(2026, 0, 1);

test.each([
	['3', 3000],
	[' 0.5 ', 500],
	['0', 0],
	['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
	['Wed, 31 Dec 2025 23:59:00 GMT', 0],
	['Wed, 21 Oct 2099 07:28:00 GMT', 3_600_000],
	['1e9', 3_600_000],
	[['7', '8'], 7000],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
])('Retry-After: %j means %j ms', (header, ms) => {
	expect(retryAfterMs(header, NOW)).toBe(ms);
});

test('Retry-After counts from the time of the answer, whatever the clock of n8n says', () => {
	const headers = {
		date: 'Thu, 01 Jan 2099 00:00:00 GMT',
		'retry-after': 'Thu, 01 Jan 2099 00:00:03 GMT',
	};
	expect(answer(429, '{}', headers)).toMatchObject({ failed: { retryAfterMs: 3000 } });
});

test.each([
	['Too many requests. Limit is: 10 calls per second.', 10, false],
	['Rate limit exceeded: limit 0.5 requests/s', 0.5, false],
	['Limit is 120 calls per minute', 2, false],
	['Limit: 120 requests/Minute', 2, false],
	['Too many messages into this chat. Limit is: 2 messages per second', 2, true],
	['Too many requests.', undefined, false],
	['Slow down, 404', undefined, false],
])('The limit in a refusal is understood: %s', (message, limit, aboutChat) => {
	const failed = { status: 429, code: 'too.many.requests', message };
	expect(readRefusal(failed)).toMatchObject({ limit, aboutChat });
});

test('A refusal may name the chat in its code alone', () => {
	const failed = { status: 429, code: 'chat.limit.exceeded', message: 'Slow down' };
	expect(readRefusal(failed).aboutChat).toBe(true);
});

test('A connection that failed at every address of a host is known to have failed before anything was sent', () => {
	const failed = (code: string) => Object.assign(new Error(code), { code, syscall: 'connect' });
	const cause = new AggregateError([failed('ETIMEDOUT'), failed('ENETUNREACH')]);
	// Node gives the whole the code of the first attempt, but no system call.
	const error = new Error('', { cause: Object.assign(cause, { code: 'ETIMEDOUT' }) });
	expect(readBrokenConnection(error)).toMatchObject({
		failed: { code: 'ETIMEDOUT', syscall: 'connect' },
	});
});

test('The cause of a broken connection is found in nested errors', () => {
	const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' });
	const error = new Error('outer', { cause: new Error('middle', { cause }) });
	expect(readBrokenConnection(error)).toEqual({
		failed: {
			code: 'ECONNRESET',
			syscall: 'read',
			message: 'No answer from the service: the connection broke (ECONNRESET)',
		},
	});
});

test('The system code of a broken connection is found in errors of n8n before 2.35, which have no cause', () => {
	const code = 'SELF_SIGNED_CERT_IN_CHAIN';
	const error = new NodeApiError(nodeOf(), { message: 'self-signed', code });
	expect(error.cause).toBeUndefined();
	expect(readBrokenConnection(error)).toMatchObject({ failed: { code } });
});
