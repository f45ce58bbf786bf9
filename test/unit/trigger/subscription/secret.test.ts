import { publicAddress } from '../../../../nodes/BotMessaging/trigger/subscription/subscription';
import {
	carriesSecret,
	deriveSecret,
	markOf,
} from '../../../../nodes/BotMessaging/trigger/subscription/secret';
import type { IncomingHttpHeaders } from 'node:http';
import { nodeOf } from '../../../support/node';

describe('the derived secret', () => {
	const secret = deriveSecret('token', 'w1', 'n1');

	it('is accepted by the service and unguessable', () => {
		expect(secret).toMatch(/^[a-zA-Z0-9_-]{64}$/);
	});

	it('is the same in every process', () => {
		expect(deriveSecret('token', 'w1', 'n1')).toBe(secret);
	});

	it.each([
		['token', deriveSecret('other', 'w1', 'n1')],
		['workflow', deriveSecret('token', 'w2', 'n1')],
		['node', deriveSecret('token', 'w1', 'n2')],
	])('is different for another %s', (_, other) => {
		expect(other).not.toBe(secret);
	});

	it('is remembered by a mark that reveals nothing of it', () => {
		const mark = markOf('https://bot.example/', secret);
		for (let at = 0; at + 6 <= secret.length; at++) {
			expect(mark).not.toContain(secret.slice(at, at + 6));
		}
		expect(mark).not.toBe(markOf('https://bot.example/other', secret));
	});
});

describe('a request', () => {
	const NAME = 'x-service-bot-api-secret';

	it.each([NAME, 'x-brand-bot-api-secret', 'x-two-words-bot-api-secret'])(
		'carries the secret in %s',
		(name) => {
			expect(carriesSecret({ [name]: 'right' }, 'right')).toBe(true);
		},
	);

	it.each<[string, IncomingHttpHeaders]>([
		['no header', {}],
		['another value', { [NAME]: 'wrong' }],
		['a part of the secret', { [NAME]: 'righ' }],
		['more than the secret', { [NAME]: 'right ' }],
		['an empty value', { [NAME]: '' }],
		['two such headers', { [NAME]: 'right', 'x-brand-bot-api-secret': 'right' }],
		['another header', { 'bot-api-secret': 'right' }],
		['a header that only ends so', { 'x.x-service-bot-api-secret': 'right' }],
		['a longer header name', { 'x-service-bot-api-secret-2': 'right' }],
		['a list', { [NAME]: ['right', 'right'] }],
	])('with %s does not carry the secret', (_, headers) => {
		expect(carriesSecret(headers, 'right')).toBe(false);
	});
});

/** Hosts inside of a network, at the edges of the ranges that are kept for that, and others that only look like it. */
const PRIVATE = [
	...'localhost n8n n8n.local n8n.internal. 127.0.0.1 10.1.2.3 172.20.0.5 192.168.1.10'.split(' '),
	...'169.254.1.1 172.31.0.1 100.64.0.1 100.119.0.1 100.127.0.1'.split(' '),
	...'[::1] [::] [fd00::1] [fe80::1] 2130706433'.split(' '),
];
const PUBLIC = [
	...'172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 8.169.254.1 8.192.168.1 8.172.16.1'.split(' '),
	...'8.100.64.1 [2001:db8::1] local.example bot.local.example mylocal.example'.split(' '),
];

describe('the address of the webhook', () => {
	const node = nodeOf();

	it.each([
		['https://bot.example/webhook/7f/webhook', 'https://bot.example/webhook/7f/webhook'],
		['https://bot.example:443/webhook', 'https://bot.example/webhook'],
		['https://бот.рф/webhook', 'https://xn--90a0am.xn--p1ai/webhook'],
		['https://203.0.113.7/webhook', 'https://203.0.113.7/webhook'],
		[
			'https://flow.example.org/n8n/webhook-test/7f',
			'https://flow.example.org/n8n/webhook-test/7f',
		],
	])('%s is given to the service as %s', (address, url) => {
		expect(publicAddress(node, address)).toBe(url);
	});

	it.each<[string | undefined, RegExp]>([
		['http://bot.example/webhook', /is not https/],
		['https://bot.example:8443/webhook', /names a port/],
		['http://localhost:5678/webhook', /only known inside/],
		...PRIVATE.map((host): [string, RegExp] => [`https://${host}/webhook`, /only known inside/]),
		['nonsense', /has no webhook address/],
		[undefined, /has no webhook address/],
	])('%s is refused, with advice on what to set', (address, message) => {
		expect(() => publicAddress(node, address)).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(message),
				description: expect.stringMatching(/^Set N8N_WEBHOOK_URL.*Long Polling.* called at /),
			}),
		);
	});

	it.each(PUBLIC.map((host) => `https://${host}/`))(
		'%s is not mistaken for a private address',
		(address) => {
			expect(publicAddress(node, address)).toBe(address);
		},
	);
});
