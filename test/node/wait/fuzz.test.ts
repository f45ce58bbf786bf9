import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { Agent, request } from 'undici';
import { BROWSER } from '../../support/question';
import { scaled } from '../../support/scale';
import { Stage } from '../support/stage';
import type { WaitingHost } from '../support/waiting';
import { ask } from './asked';

const RUNS = scaled(10_000, 2000);
/** Concurrent requests. */
const ABREAST = 20;

const key = fc.oneof(
	fc.constantFrom('data', 'field-0', 'field-1', 'press', 'signature', '__proto__', 'constructor'),
	fc.string(),
);
const json = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom(null, true, 0, -1, 1e308, '', 'true', 'Pasta'),
		fc.string(),
		fc.array(tie('value'), { maxLength: 4 }),
		fc.dictionary(key, tie('value'), { maxKeys: 5 }),
	),
})).value;

/** What a stranger can send, with arbitrary bodies and content types. */
const hostile = fc.record({
	method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'HEAD', 'DELETE', 'PATCH'),
	type: fc.constantFrom(
		...['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/xml'],
		...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/octet-stream', 'x'],
	),
	body: fc.oneof(
		json.map((value) => JSON.stringify(value) ?? ''),
		fc.string(),
		fc.array(fc.tuple(key, fc.string()), { maxLength: 4 }).map((fields) => {
			const form = new URLSearchParams();
			for (const [name, value] of fields) form.append(name, value);
			return form.toString();
		}),
		fc
			.array(fc.tuple(fc.constantFrom('field-0', 'data', 'x'), fc.base64String()), { maxLength: 3 })
			.map(
				(fields) =>
					fields
						.map(
							([name, value]) =>
								`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
						)
						.join('') + '--x--\r\n',
			),
	),
	query: fc.array(
		fc.tuple(fc.constantFrom('question', 'choice', 'approved', '__proto__', 'a[b]'), fc.string()),
		{ maxLength: 3 },
	),
	agent: fc.constantFrom(BROWSER, '', 'curl/8', 'Slackbot'),
	isItsOwn: fc.boolean(),
});

type Hostile = typeof hostile extends fc.Arbitrary<infer T> ? T : never;

describe('a waiting execution among strangers', () => {
	const stage = Stage.forEachTest();
	const dispatcher = new Agent({ connections: ABREAST });
	afterAll(async () => await dispatcher.close());

	it(`accepts none of ${RUNS} generated requests as an answer, responds to each, and to none with 5xx`, async () => {
		const { chatId } = await stage.dialog();
		const kinds: INodeParameters[] = [
			{ answer_in: 'page' },
			{ answer_in: 'chat' },
			{ responseType: 'choices', choices: 'A, B' },
			{ responseType: 'freeText' },
			{ responseType: 'customForm', formFields: { values: FIELDS } },
		];
		const hosts: Array<{ host: WaitingHost; url: string }> = [];
		for (const kind of kinds) {
			const { host, buttons } = await ask(stage, chatId, kind);
			hosts.push({ host, url: buttons[0]?.url ?? host.resumeUrl() });
		}
		const seen = new Map<number, number>();
		const samples = fc.sample(hostile, RUNS);
		const next = samples.entries();
		const work = async (): Promise<void> => {
			for (const [index, sample] of next) {
				const { host, url } = hosts[index % hosts.length]!;
				const status = await send(addressOf(sample, host, url), sample);
				seen.set(status, (seen.get(status) ?? 0) + 1);
			}
		};
		await Promise.all(Array.from({ length: ABREAST }, work));
		expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(RUNS);
		expect([...seen.keys()].filter((status) => status >= 500)).toEqual([]);
		for (const { host } of hosts) {
			expect(host).toMatchObject({ status: 'waiting', opened: 0, passed: [] });
		}
	}, 240_000);

	/** A signed address or, for a POST now and then, the question's own: the form is invalid all the same. */
	function addressOf({ query, isItsOwn, method }: Hostile, host: WaitingHost, url: string): string {
		// A browser's GET of a complete link is a valid answer, which is not tested here.
		const own = isItsOwn && method === 'POST';
		return own
			? url
			: host.resumeUrl((search) => query.forEach(([name, value]) => search.append(name, value)));
	}

	async function send(url: string, { method, type, body, agent }: Hostile): Promise<number> {
		const answer = await request(url, {
			dispatcher,
			method: method as 'POST',
			headers: { 'content-type': type, 'user-agent': agent },
			body: method === 'GET' || method === 'HEAD' ? undefined : body,
		});
		await answer.body.dump();
		return answer.statusCode;
	}
});

/** Required fields, not all of which are ever generated, so that no form is complete by chance. */
const FIELDS = [
	{ fieldLabel: 'Dish', fieldType: 'text', requiredField: true },
	{ fieldLabel: 'Unseen', fieldType: 'number', requiredField: true },
	{ fieldLabel: 'Day', fieldType: 'date', requiredField: true },
];
