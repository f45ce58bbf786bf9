import type { INodeParameters } from 'n8n-workflow';
import type { RequestInit } from 'undici';
import { openTicket, sealTicket, signPress } from '../../nodes/BotMessaging/wait/ticket';
import { waitFor } from '../support/wait';
import { errorOf } from './executions';
import { Session } from './session';
import { shared } from './shared';
import { Stage } from './stage';
import { Asking, BROWSER, buttonsOf, dataOf, signed, type Asked } from './waiting';

const DOUBLE: INodeParameters = { approvalOptions: { values: { approvalType: 'double' } } };
const LATE = 'This request has already been answered.';
const JSON_TYPE = 'application/json';

/** A request that is no answer: what it changes of the address, and how it is sent. */
interface Attempt extends RequestInit {
	change?: (query: URLSearchParams) => void;
	/** Whether the changed address is signed as n8n would sign it. */
	forged?: boolean;
}

const post = (body?: string, type = JSON_TYPE): Attempt => ({
	method: 'POST',
	headers: { 'user-agent': BROWSER, 'content-type': type },
	...(body !== undefined && { body }),
});

const visit = (headers: Record<string, string>): Attempt => ({ headers });

const query = (change: (query: URLSearchParams) => void, forged = false): Attempt => ({
	...visit({ 'user-agent': BROWSER }),
	...{ change, forged },
});

const field = (name: string, value: string) =>
	`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const multipart = (...parts: string[]) =>
	post(`--x\r\n${parts.join('\r\n--x\r\n')}\r\n--x--\r\n`, 'multipart/form-data; boundary=x');

/** What answers no question, wherever it is sent. */
const GARBAGE: Attempt[] = [
	{ method: 'POST' },
	{ method: 'HEAD', headers: { 'user-agent': BROWSER } },
	{ ...post('{}'), method: 'PUT' },
	post('null'),
	post('[1]'),
	post('{'),
	post('{"data":{"field-0":{"toString":1}}}'),
	post('{"__proto__":{"field-0":"x"},"constructor":1}'),
	post('{"approved":true,"data":{"approved":true}}'),
	post('{"press":"{}","signature":"x"}'),
	post('{"press":{"choice":0},"signature":{}}'),
	post('\u0000\u0001', 'application/octet-stream'),
	post('x', 'multipart/form-data'),
	multipart(field('other', 'x')),
	multipart(field('__proto__', 'x')),
	visit({ 'user-agent': '' }),
	visit({ 'user-agent': 'Slackbot-LinkExpanding 1.0' }),
	visit({ 'user-agent': 'TelegramBot (like TwitterBot)' }),
	visit({ 'user-agent': 'WhatsApp/2.23.20.0' }),
	visit({ 'user-agent': BROWSER, 'sec-purpose': 'prefetch;prerender' }),
	query((search) => search.set('question', 'x')),
	query((search) => search.delete('question')),
	query((search) => search.append('question', 'x')),
	query((search) => search.set('other', 'x'), true),
];

const DECISIONS: Attempt[] = [
	...['', '2', '-1', 'x', '0x0', '1e0', ' 0', '__proto__'].map((choice) =>
		query((search) => search.set('choice', choice)),
	),
	query((search) => search.append('choice', '1')),
	query((search) => search.delete('choice')),
	query((search) => search.set('choice', '1'), true),
];

const FIELDS: Attempt[] = [
	multipart(field('field-0', ' ')),
	multipart(field('field-0', 'a'), field('field-0', 'b')),
];

describe('the gate of Send and Wait', () => {
	let stage: Stage;
	let asking: Asking;

	beforeEach(async () => {
		stage = await Stage.open();
		asking = new Asking(stage);
	});
	afterEach(async () => {
		await asking.close();
		await stage.close();
	});

	/** The address that a press in the chat is reported to; only the bot's token reveals it. */
	const ticketOf = ({ question }: Pick<Asked, 'question'>) => {
		const [button] = buttonsOf(question);
		const ticket = openTicket(stage.access.accessToken, button?.payload);
		if (!ticket) throw new Error('The button carries no ticket');
		return ticket;
	};

	const press = async ({ question }: Pick<Asked, 'question'>, text: string) =>
		await stage.control.press(question.body.mid, { text });

	const notified = async () =>
		await waitFor(
			async () => {
				const shown = await stage.control.notifications(stage.user.user_id);
				return shown.length > 0 && shown.map(({ text }) => text);
			},
			{ timeout: 30_000, what: 'the notification' },
		);

	/** Tries everything that is no answer; the step behind the gate must not run. */
	async function withstands({ active }: Asked, url: string | undefined, attempts: Attempt[]) {
		for (const { change = () => {}, forged = false, ...init } of attempts) {
			const changed = new URL(url ?? '');
			change(changed.searchParams);
			const address = forged ? changed.toString() : signed(changed.toString(), () => {});
			const { status } = await asking.request(address, init);
			const after = { status, is: await asking.statuses(active), told: await asking.allTold() };
			expect([init, changed.search, after]).toEqual([
				init,
				changed.search,
				{ status: expect.any(Number), is: ['waiting'], told: [] },
			]);
			expect(status).toBeLessThan(500);
		}
	}

	/** The right answer was taken, and nothing before it. */
	async function opensOnceWith({ active }: Asked, answer: object) {
		expect(dataOf(await asking.told())).toMatchObject(answer);
		await stage.n8n.executions.ofWorkflow(active, 1);
		expect(await asking.statuses(active)).toEqual(['success']);
		expect(await asking.allTold()).toHaveLength(1);
	}

	it('of approval links withstands everything that is no answer, and then opens', async () => {
		const asked = await asking.ask({ ...DOUBLE, answer_in: 'page' });
		const [approve, decline] = buttonsOf(asked.question);
		await withstands(asked, approve?.url, [...GARBAGE, ...DECISIONS]);
		expect((await asking.open(decline?.url)).text).toContain('Got it, thanks');
		await opensOnceWith(asked, { approved: false });
	}, 240_000);

	it.each<[string, INodeParameters, object]>([
		['a text', { responseType: 'freeText', answer_in: 'page' }, { text: 'Rice' }],
		[
			'a form',
			{
				responseType: 'customForm',
				formFields: { values: [{ fieldLabel: 'Dish', requiredField: true }] },
			},
			{ Dish: 'Rice' },
		],
	])(
		'of a page for %s withstands everything that is no answer, and then opens',
		async (_, parameters, answer) => {
			const asked = await asking.ask(parameters);
			const [button] = buttonsOf(asked.question);
			await withstands(asked, button?.url, [...GARBAGE, ...FIELDS]);
			const page = await asking.open(button?.url, { form: { 'field-0': 'Rice' } });
			expect(page.text).toContain('Got it, thanks');
			await opensOnceWith(asked, answer);
		},
		240_000,
	);

	it('of buttons in the chat withstands everything that is no press, and then opens', async () => {
		const asked = await asking.ask({ ...DOUBLE, answer_in: 'chat' });
		const { url, question } = ticketOf(asked);
		const own = {
			...{ question, choice: 0, callback_id: 'x', written: null },
			...{ user_id: String(stage.user.user_id), user_name: 'Vera' },
			...{ chat_id: String(stage.dialog.chat_id), message_id: asked.question.body.mid },
		};
		const { accessToken } = stage.access;
		const presses = [
			{ press: JSON.stringify(own) },
			{ press: JSON.stringify(own), signature: '' },
			signPress('the token of another bot', own),
			{ ...signPress(accessToken, { ...own, choice: 1 }), press: JSON.stringify(own) },
			signPress(accessToken, { ...own, choice: 7 }),
			signPress(accessToken, { ...own, question: 'another' }),
			signPress(accessToken, { ...own, message_id: 'another' }),
			// A link with the decision, where a press is asked for.
		].map((body) => post(JSON.stringify(body)));
		const link = query((search) => {
			search.set('question', question);
			search.set('choice', '0');
		});
		await withstands(asked, url, [...GARBAGE, ...presses, link]);
		await press(asked, 'Approve');
		await opensOnceWith(asked, { approved: true });
	}, 240_000);

	describe('of a question that is asked again', () => {
		/** The first question expires after three seconds, the second waits. */
		const again = async (parameters: INodeParameters) => {
			const limit = {
				limitType: 'afterTimeInterval',
				resumeAmount: '={{ $runIndex === 0 ? 0.05 : 600 }}',
				resumeUnit: 'minutes',
			};
			const options = { limitWaitTime: { values: limit } };
			const first = await asking.ask({ ...DOUBLE, ...parameters, options }, { loop: true });
			const second = await waitFor(
				async () => {
					const messages = await stage.control.messages(stage.dialog.chat_id);
					const asked = messages.filter(({ body }) => body.text?.startsWith('Really') === true);
					return asked.length > 1 && asked[0];
				},
				// n8n looks for waiting executions once a minute.
				{ timeout: 120_000, what: 'the second question' },
			);
			await asking.waits(first.active);
			return { first, second: { active: first.active, question: second } };
		};

		const stillWaits = async ({ active }: Asked) => {
			expect(await asking.statuses(active)).toEqual(['waiting']);
			// The step ran once, with the input of the question that expired.
			expect((await asking.allTold()).map(({ body }) => body.text)).toEqual(['Answer: ']);
		};

		it('does not open for the buttons of the first question', async () => {
			const { first, second } = await again({ answer_in: 'chat' });
			await press(first, 'Approve');
			expect(await notified()).toEqual([LATE]);
			await stillWaits(second);
			await press(second, 'Decline');
			expect(dataOf(await asking.told())).toMatchObject({ approved: false });
		}, 300_000);

		it('does not open for the links of the first question', async () => {
			const { first, second } = await again({ answer_in: 'page' });
			const late = await asking.open(buttonsOf(first.question)[0]?.url);
			expect(late).toMatchObject({ status: 410, text: expect.stringContaining(LATE) });
			await stillWaits(second);
			await asking.open(buttonsOf(second.question)[1]?.url);
			expect(dataOf(await asking.told())).toMatchObject({ approved: false });
		}, 300_000);
	});

	it('opens once for two opposite presses, and the message shows the decision that n8n took', async () => {
		const { active } = await asking.ask({ ...DOUBLE, answer_in: 'chat' });
		for (const round of ['first', 'second', 'third']) {
			const question = await asking.write(round);
			const before = (await stage.control.notifications(stage.user.user_id)).length;
			await Promise.all([press({ question }, 'Approve'), press({ question }, 'Decline')]);
			const [told] = await waitFor(
				async () => {
					const all = await asking.allTold();
					return all.length > ['first', 'second', 'third'].indexOf(round) && all;
				},
				{ timeout: 30_000, what: 'the step after the question' },
			);
			const { approved } = dataOf(told!);
			const outcome = approved === true ? '✅ Approved by Vera' : '🚫 Declined by Vera';
			// The other press is done with when the person is told.
			await waitFor(
				async () => (await stage.control.notifications(stage.user.user_id)).length > before,
				{ timeout: 30_000, what: 'the notification' },
			);
			const shown = await waitFor(
				async () => {
					const { body } = await stage.control.message(question.body.mid);
					return body.text !== question.body.text && body.text;
				},
				{ timeout: 30_000, what: 'the outcome in the message' },
			);
			expect(shown).toBe(`Really: ${round}?\n\n${outcome}`);
		}
		expect((await asking.statuses(active)).toSorted()).toEqual([
			...['success', 'success', 'success', 'waiting'],
		]);
		expect(await asking.allTold()).toHaveLength(3);
	}, 240_000);

	it.each([
		['a property that is missing', '={{ $json.nobody }}'],
		['null', '={{ null }}'],
		['an empty list', '={{ [] }}'],
		['a property of what is missing', '={{ $json.a.b.c }}'],
	])('is not set up when the people who may answer are %s', async (_, value) => {
		const active = await stage.createActive(
			asking.workflow({ who_may_answer: 'people', allowed_user_ids: value }),
		);
		await stage.control.userWrites(stage.dialog.chat_id, 'dinner');
		const [execution] = await stage.n8n.executions.ofWorkflow(active, 1);
		expect(execution).toMatchObject({ status: 'error' });
		expect(errorOf(execution!)?.message).toMatch(/^Allowed User IDs/);
		expect(await stage.control.journal({ method: 'POST', path: '/messages' })).toEqual([]);
	});

	describe('with long polling', () => {
		/** Puts buttons below the question again, with the resume address at this origin. */
		const leadTo = async (asked: Asked, origin: string) => {
			const { baseUrl, accessToken } = stage.access;
			const ticket = ticketOf(asked);
			const { pathname, search } = new URL(ticket.url);
			const url = `${origin}${pathname}${search}`;
			const payload = sealTicket(accessToken, { ...ticket, url });
			const buttons = [[{ type: 'callback', text: 'Approve', payload }]];
			const service = new Session(baseUrl, shared().ca, { authorization: accessToken });
			await service.request('PUT', '/messages', {
				query: { message_id: asked.question.body.mid },
				body: { attachments: [{ type: 'inline_keyboard', payload: { buttons } }] },
			});
			await service.close();
		};

		const markers = async () => {
			const polls = await stage.control.journal({ kind: 'request', path: '/updates' });
			return new Set(polls.map((poll) => ('query' in poll ? poll.query.marker : undefined)));
		};

		it('goes on after presses that cannot be passed on, or whose person cannot be told', async () => {
			// What the test itself does to the question is none of the bot's two changes per second.
			await stage.control.setLimits({ messages_per_second_per_chat: 50 });
			const asked = await asking.ask({ ...DOUBLE, answer_in: 'chat' }, { delivery: 'polling' });

			// Nothing answers at the public name of this n8n: the press is tried again, and others go on meanwhile.
			await press(asked, 'Approve');
			await asking.write('lunch');
			await asking.write('supper');
			const seen = await markers();
			await waitFor(async () => (await markers()).size > seen.size, {
				timeout: 150_000,
				what: 'the marker to pass the press',
			});
			expect(await asking.statuses(asked.active)).toEqual(['waiting', 'waiting', 'waiting']);

			// The question itself is as good as before.
			await leadTo(asked, shared().url);
			await press(asked, 'Approve');
			expect(dataOf(await asking.told())).toMatchObject({ approved: true });

			// The execution is over, and the person cannot be told so.
			await leadTo(asked, shared().url);
			await stage.control.setFaults([
				{ match: { method: 'POST', path: '/answers' }, count: -1, then: { status: 500 } },
			]);
			await press(asked, 'Approve');
			await asking.write('breakfast');
			expect(await asking.allTold()).toHaveLength(1);
			const tries = await stage.control.journal({ method: 'POST', path: '/answers' });
			expect(tries.at(-1)).toMatchObject({ status: 500 });
		}, 400_000);
	});
});
