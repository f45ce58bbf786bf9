import {
	pauseMs,
	repeatableFor,
	wasDoneBefore,
	type Attempt,
} from '../../../nodes/BotMessaging/service/retry';
import type { ServiceRequest } from '../../../nodes/BotMessaging/service/types';

const PATIENCE = { patienceMs: 60_000, attachmentPatienceMs: 90_000 };

const request = (text: string): ServiceRequest => {
	const [method, path] = text.split(' ');
	if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'PATCH') {
		return { method: 'DELETE', path: path ?? '' };
	}
	return { method, path: path ?? '' };
};

const attempt = (over: Partial<Attempt>): Attempt => ({ message: '', ...over });

const mayRepeat = (text: string, over: Partial<Attempt>): boolean =>
	repeatableFor(request(text), attempt(over), PATIENCE) >= 0;

const NEW_EACH_TIME = [
	'POST /messages',
	'POST /answers',
	'POST /messages/mid.1/comments',
	'POST /chats/-1/members',
	'POST /something/new',
];

const SAME_ONCE_OR_TWICE = [
	'GET /me',
	'GET /chats/-1/members/admins',
	'GET /updates',
	'PUT /messages',
	'DELETE /messages',
	'PUT /messages/mid.1/comments',
	'DELETE /messages/mid.1/comments',
	'PATCH /me/commands',
	'PATCH /chats/-1',
	'POST /chats/-1/actions',
	'PUT /chats/-1/pin',
	'DELETE /chats/-1/pin',
	'DELETE /chats/-1/members',
	'DELETE /chats/-1/members/me',
	'POST /chats/-1/members/admins',
	'DELETE /chats/-1/members/admins/5',
	'POST /subscriptions',
	'DELETE /subscriptions',
	'POST /uploads',
];

const NOTHING_DONE: Array<Partial<Attempt>> = [
	{ status: 429 },
	{ status: 503 },
	{ status: 408 },
	{ status: 400, code: 'attachment.not.ready' },
	{ code: 'ECONNREFUSED' },
	{ code: 'ENOTFOUND' },
	{ code: 'EAI_AGAIN' },
	{ code: 'ETIMEDOUT', syscall: 'connect' },
];

const UNCLEAR: Array<Partial<Attempt>> = [
	{ status: 500 },
	{ status: 502 },
	{ status: 504 },
	{ status: 522 },
	{ code: 'ECONNRESET' },
	{ code: 'EPIPE' },
	{ code: 'ETIMEDOUT' },
	{ code: 'ECONNABORTED' },
];

const FINAL: Array<Partial<Attempt>> = [
	{ status: 200 },
	{ status: 302 },
	{ status: 400, code: 'proto.payload' },
	{ status: 401 },
	{ status: 403 },
	{ status: 404 },
	{ status: 405 },
	{ status: 501 },
	{ code: 'CERT_HAS_EXPIRED' },
	{ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' },
	{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
	{ code: 'EPROTO' },
	{ code: 'ERR_CANCELED' },
	{},
];

describe.each([...NEW_EACH_TIME, ...SAME_ONCE_OR_TWICE])('%s', (text) => {
	test.each(NOTHING_DONE)('is repeated when surely nothing was done: %j', (over) => {
		expect(mayRepeat(text, over)).toBe(true);
	});

	test.each(FINAL)('is not repeated when that is no use: %j', (over) => {
		expect(mayRepeat(text, over)).toBe(false);
	});
});

describe.each(UNCLEAR)('When it is unclear what was done: %j', (over) => {
	test.each(NEW_EACH_TIME)('%s is not repeated', (text) => {
		expect(mayRepeat(text, over)).toBe(false);
	});

	test.each(SAME_ONCE_OR_TWICE)('%s is repeated', (text) => {
		expect(mayRepeat(text, over)).toBe(true);
	});
});

test.each([
	['a limit', { status: 429 }, 60_000],
	['an attachment in the works', { status: 400, code: 'attachment.not.ready' }, 90_000],
	['a wrong host name', { code: 'ENOTFOUND' }, 5000],
	['a broken connection', { code: 'ECONNRESET' }, 20_000],
])('The patience with %s', (_, over, ms) => {
	expect(repeatableFor(request('GET /me'), attempt(over), PATIENCE)).toBe(ms);
});

test('Pauses grow to five seconds; what the service asks for goes before', () => {
	const pauses = [0, 1, 2, 3, 10, 100].map((repetition) => pauseMs(repetition, attempt({})));
	expect(pauses).toEqual([500, 750, 1125, 1687.5, 5000, 5000]);
	expect(pauseMs(0, attempt({ retryAfterMs: 7000 }))).toBe(7000);
	expect(pauseMs(3, attempt({ status: 429 }))).toBe(0);
});

describe('A removal that got no answer and is repeated', () => {
	test.each([
		['DELETE /messages', { status: 404, code: 'not.found', message: 'Message not found' }],
		['DELETE /chats/-1/pin', { status: 200, message: 'No pinned message in the chat' }],
		['DELETE /chats/-1/members', { status: 200, message: 'User 7 is not a member of the chat' }],
		['DELETE /subscriptions', { status: 200, message: 'No subscription for url https://a' }],
		['DELETE /messages/mid.1/comments', { status: 404, code: 'not.found', message: '' }],
	])('was done when %s then says that nothing is there: %j', (text, over) => {
		expect(wasDoneBefore(request(text), attempt(over))).toBe(true);
	});

	test.each([
		['DELETE /messages', { status: 200, message: 'Not your message' }],
		['DELETE /chats/-1/pin', { status: 403, message: 'No rights' }],
		['DELETE /chats/-1/pin', { status: 404, code: 'chat.not.found', message: 'Chat not found' }],
		['GET /messages/mid.1', { status: 404, code: 'not.found', message: '' }],
		['PUT /messages', { status: 404, code: 'not.found', message: '' }],
	])('is reported as it is otherwise: %s, %j', (text, over) => {
		expect(wasDoneBefore(request(text), attempt(over))).toBe(false);
	});
});
