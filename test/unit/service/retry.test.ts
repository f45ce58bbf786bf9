import { pauseMs, repeatableFor, wasDoneBefore } from '../../../nodes/BotMessaging/service/retry';
import type { Failure } from '../../../nodes/BotMessaging/service/failure';
import type { ServiceRequest, Twice } from '../../../nodes/BotMessaging/service/types';

const PATIENCE = { patienceMs: 60_000, attachmentPatienceMs: 90_000 };

const read: ServiceRequest = { method: 'GET', path: '/me' };

const change = (twice: Twice): ServiceRequest => ({ method: 'POST', twice, path: '/thing' });

const attempt = (over: Partial<Failure>): Failure => ({ message: '', ...over });

const mayRepeat = (request: ServiceRequest, over: Partial<Failure>): boolean =>
	repeatableFor(request, attempt(over), PATIENCE) >= 0;

const NEW_EACH_TIME = change('again');

const NO_MORE_THAN_ONCE = [read, change('same'), change('gone')];

const withStatus = (...statuses: number[]) => statuses.map((status) => ({ status }));
const withCode = (codes: string, status?: number) =>
	codes.split(' ').map((code) => ({ status, code }));

const NOTHING_DONE: Array<Partial<Failure>> = [
	...withStatus(429, 503, 408),
	...withCode('attachment.not.ready', 400),
	...withCode('too.many.requests service.unavailable', 200),
	...withCode('ECONNREFUSED ENOTFOUND EAI_AGAIN ERR_PROXY_CLOSED'),
	...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map((code) => ({ code, syscall: 'connect' })),
];

const UNCLEAR: Array<Partial<Failure>> = [
	...withStatus(500, 502, 504, 522),
	...withCode('internal.error', 200),
	...withCode('service.unavailable', 502),
	...withCode(
		'ECONNRESET EPIPE ETIMEDOUT ECONNABORTED ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
	),
	// The network may go down when the request is under way.
	...['EHOSTUNREACH', 'ENETUNREACH'].map((code) => ({ code, syscall: 'read' })),
];

const FINAL: Array<Partial<Failure>> = [
	...withStatus(200, 302, 401, 403, 404, 405, 501),
	...withCode('access.denied', 200),
	...withCode('proto.payload', 400),
	...withCode('CERT_HAS_EXPIRED UNABLE_TO_GET_ISSUER_CERT_LOCALLY ERR_TLS_CERT_ALTNAME_INVALID'),
	...withCode('EPROTO ERR_CANCELED'),
	{},
];

describe.each([NEW_EACH_TIME, ...NO_MORE_THAN_ONCE])('$method, twice: $twice', (request) => {
	test.each(NOTHING_DONE)('is repeated when certainly nothing was done: %j', (over) => {
		expect(mayRepeat(request, over)).toBe(true);
	});

	test.each(FINAL)('is not repeated when that is pointless: %j', (over) => {
		expect(mayRepeat(request, over)).toBe(false);
	});
});

describe.each(UNCLEAR)('When it is unclear what was done: %j', (over) => {
	test('a request that does something new each time is not repeated', () => {
		expect(mayRepeat(NEW_EACH_TIME, over)).toBe(false);
	});

	test.each(NO_MORE_THAN_ONCE)('$method, twice: $twice, is repeated', (request) => {
		expect(mayRepeat(request, over)).toBe(true);
	});
});

test.each([
	['a rate limit', { status: 429 }, 60_000],
	[
		'an attachment that is still being processed',
		{ status: 400, code: 'attachment.not.ready' },
		90_000,
	],
	['a wrong host name', { code: 'ENOTFOUND' }, 5000],
	['a broken connection', { code: 'ECONNRESET' }, 20_000],
])('Requests are repeated for a fitting time after %s', (_, over, ms) => {
	expect(repeatableFor(read, attempt(over), PATIENCE)).toBe(ms);
});

test('A file that the service cannot process is not waited for, whatever the error code', () => {
	const message = 'Key: errors.process.attachment.video.not.supported';
	const failed = attempt({ status: 400, code: 'attachment.not.ready', message });
	expect(repeatableFor(read, failed, PATIENCE)).toBe(-1);
});

test('Pauses grow to five seconds, unless the service asks for longer ones', () => {
	const pauses = [0, 1, 2, 3, 10, 100].map((repetition) => pauseMs(repetition, attempt({})));
	expect(pauses).toEqual([500, 750, 1125, 1687.5, 5000, 5000]);
	expect(pauseMs(0, attempt({ retryAfterMs: 7000 }))).toBe(7000);
	expect(pauseMs(3, attempt({ status: 429 }))).toBe(0);
	expect(pauseMs(3, attempt({ status: 200, code: 'too.many.requests' }))).toBe(0);
	expect(pauseMs(0, attempt({ status: 429, retryAfterMs: 7000 }))).toBe(7000);
});

test('A service that asks for no pause, or for one that is over, is not flooded with repetitions', () => {
	const pauses = [0, 1, 100].map((repetition) => pauseMs(repetition, attempt({ retryAfterMs: 0 })));
	expect(pauses).toEqual([500, 750, 5000]);
});

const BOT_HAS_LEFT = {
	status: 403,
	code: 'chat.denied',
	message: 'Bot is not a member of the chat',
};

describe('A removal that got no answer and is repeated', () => {
	test.each([
		{ status: 404, code: 'not.found', message: 'Message not found' },
		{ status: 404, code: 'not.found', message: '' },
		{ status: 200, message: 'No pinned message in the chat' },
		{ status: 200, message: 'User 7 is not a member of the chat' },
		{ status: 200, message: 'No subscription for url https://a' },
		{ status: 200, code: 'not.found', message: 'Сообщение отсутствует' },
		{ status: 200, code: 'message.not.found', message: 'Сообщение отсутствует' },
	])('was done if the service then answers that nothing is there: %j', (failed) => {
		expect(wasDoneBefore(change('gone'), failed)).toBe(true);
	});

	test.each([
		{ status: 200, message: 'Not your message' },
		{ status: 403, message: 'No rights' },
		{ status: 403, code: 'chat.denied', message: 'no.permission.because.not.admin' },
		{ status: 403, code: 'access.denied', message: 'The bot is not an admin' },
		{ status: 400, code: 'proto.payload', message: 'User 7 is not a member' },
		{ status: 404, code: 'chat.not.found', message: 'Chat not found' },
		{ status: 200, code: 'chat.not.found', message: 'Chat not found' },
		{ status: 200, code: 'access.denied', message: 'No rights' },
		{ status: 404, message: 'default backend - 404' },
		{ status: 404, message: 'The service answered with status 404 and a web page' },
		BOT_HAS_LEFT,
		{ status: 200, message: 'Bot is not a member of the chat' },
		{ status: 200, message: 'The bot is not an administrator of the chat' },
	])('is otherwise reported as failed: %j', (failed) => {
		expect(wasDoneBefore(change('gone'), failed)).toBe(false);
	});

	test.each([
		[BOT_HAS_LEFT, true],
		[{ status: 200, message: 'The bot is not an admin of the chat' }, false],
	])(
		'was done if the bot is no longer in the chat that it was to leave: %j, %j',
		(failed, done) => {
			const leave = { ...change('gone'), path: '/chats/-7/members/me' };
			expect(wasDoneBefore(leave, failed)).toBe(done);
		},
	);
});

test.each([read, change('same'), change('again')])(
	'"Not found" is a failure for requests that remove nothing: $method, twice: $twice',
	(request) => {
		const failed = { status: 404, code: 'not.found', message: '' };
		expect(wasDoneBefore(request, failed)).toBe(false);
	},
);
