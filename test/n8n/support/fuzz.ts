import { randomNumbers } from './random';

/** A request from somebody who tries things out. */
interface FuzzedRequest {
	headers: Record<string, string>;
	body: string | Buffer;
}

// Malformed XML is missing here: n8n never answers it, whatever node the webhook belongs to.
const TYPES = [
	'application/json',
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=x',
	'application/octet-stream',
	'no/such; charset=klingon',
];

const VALUES = [
	'null',
	'[]',
	'{}',
	'"text"',
	'-1',
	'1e999',
	'9007199254740993',
	'{"__proto__":{"polluted":true}}',
	'{"constructor":{"prototype":{"polluted":true}}}',
	'"\\ud800"',
	`${'['.repeat(300)}${']'.repeat(300)}`,
	`"${'x'.repeat(5000)}"`,
];

/** Values that are no timestamp, so that no body with one is an event. */
const NO_TIMES = VALUES.filter((value) => value !== '-1');

const KEYS = ['update_type', 'timestamp', 'message', 'callback', 'chat_id', 'user', '__proto__'];

/** Chooses one of a list at random. */
type Pick = <T>(list: readonly T[]) => T;

/** Bodies that more or less resemble events. */
const BODIES: Array<(pick: Pick, random: () => number) => string | Buffer> = [
	() => '',
	(_, random) => Buffer.from(Array.from({ length: random() * 500 }, () => random() * 256)),
	(pick) => pick(VALUES),
	(pick) => `{"update_type":${pick(VALUES)},"timestamp":${pick(NO_TIMES)}}`,
	(pick) => `{${KEYS.map((key) => `"${key}":${pick(NO_TIMES)}`).join(',')}}`,
	() => `[${'{"update_type":"bot_started","timestamp":1},'.repeat(20)}null]`,
	() => '{"update_type":"bot_started","timestamp":1785000000000,"chat_id":1',
	() => `{"a":${'{"a":'.repeat(2000)}1${'}'.repeat(2001)}`,
	() => `{"update_type":"bot_started","timestamp":1785000000000,"payload":"${'p'.repeat(20_000)}"}`,
];

/** Returns a function that makes requests that must start nothing: the secret is wrong, or it is no event, or both. */
export function fuzzer(secret: string): () => FuzzedRequest {
	const random = randomNumbers('fuzzed requests');
	const pick: Pick = (list) => {
		const chosen = list[Math.floor(random() * list.length)];
		if (chosen === undefined) throw new RangeError('Nothing to pick from');
		return chosen;
	};
	return () => {
		const authentic = random() < 0.5;
		const body = pick(BODIES)(pick, random);
		const type = pick(TYPES);
		// The secret only goes with bodies that cannot be events; the last body is one.
		const isEvent = body.length > 20_000;
		const value = authentic && !isEvent ? secret : pick(['', 'x', `${secret}x`, 'é'.repeat(9)]);
		const header = pick(['x-service-bot-api-secret', 'x-other-bot-api-secret', 'authorization']);
		return {
			headers: { 'content-type': type, [header]: Buffer.from(value).toString('latin1') },
			body,
		};
	};
}
