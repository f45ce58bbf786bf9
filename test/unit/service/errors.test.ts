import { brokenWords, systemWords } from '../../../nodes/BotMessaging/service/hints/system';
import { explain, isLasting, toNodeError } from '../../../nodes/BotMessaging/service/errors';
import type { Failure } from '../../../nodes/BotMessaging/service/failure';
import { readAnswer } from '../../../nodes/BotMessaging/service/answer';
import { nodeOf } from '../../support/node';
import { KNOWN, answered, denied, failed, refused, unreachable, unsuccessful } from './failures';

const node = nodeOf();

test.each(KNOWN)('%j gets its own advice', (failure, words) => {
	expect(explain(failure).advice).toMatch(words);
});

test.each<[string, Failure, RegExp]>([
	['refused event types', refused('Unknown update type: message_eaten'), /'Events'/],
	['a refused address', unsuccessful('Only https:// urls are supported'), /N8N_WEBHOOK_URL/],
	['too many requests', failed(429, 'Too many requests'), /in a minute/],
	['a fault', failed(503, 'Unavailable'), /Try again later\./],
	['a refusal', failed(403, 'Forbidden'), /'Access Token'/],
	['what is not found', failed(404, 'Nothing there', 'not.found'), /'Access Token'/],
	['no reason', answered(200, '{"success":false}'), /'Base URL'/],
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
	['a gateway', answered(502)],
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

const ANSWERED = 'The service answered with ';

test.each(KNOWN.filter(([{ message }]) => message.startsWith(ANSWERED)))(
	'The advice on %j does not say again how the service answered',
	(failure) => {
		expect(explain(failure).advice).not.toContain(ANSWERED);
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

test.each([
	['aborted', 'ECONNRESET', 'the connection broke (ECONNRESET)'],
	['incorrect header check', 'Z_DATA_ERROR', 'its answer cannot be read (Z_DATA_ERROR)'],
	['no such file', 'ENOENT', 'no such file'],
	['nothing came any more', undefined, 'nothing came any more'],
])(
	'Why something broke off is said in plain words where its code is known: %s',
	(words, code, said) => {
		expect(brokenWords(Object.assign(new Error(words), { code }))).toBe(said);
	},
);
