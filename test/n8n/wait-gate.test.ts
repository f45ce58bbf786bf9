import { createServer } from 'node:https';
import type { INodeParameters } from 'n8n-workflow';
import type { RequestInit } from 'undici';
import { openTicket, sealTicket, signPress } from '../../nodes/BotMessaging/wait/ticket';
import { BROWSER, buttonsOf, notified, shown } from '../support/question';
import { close, listen } from '../support/server';
import { waitFor } from '../support/wait';
import { N8nError } from './support/session';
import { shared } from './support/shared';
import { Stage } from './support/stage';
import { Asking, dataOf, signed, useAsking, type Asked } from './support/waiting';

const DOUBLE: INodeParameters = { approvalOptions: { values: { approvalType: 'double' } } };
const LATE = 'This request no longer needs an answer.';
const JSON_TYPE = 'application/json';

/** A request that is not an answer: how it changes the address, and how it is sent. */
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
	change,
	forged,
});

const field = (name: string, value: string) =>
	`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const multipart = (...parts: string[]) =>
	post(`--x\r\n${parts.join('\r\n--x\r\n')}\r\n--x--\r\n`, 'multipart/form-data; boundary=x');

/** Requests that answer no question, wherever they are sent. */
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

/** Concurrent requests. */
const ABREAST = 8;

/** A question that expires after three seconds, but waits when it is asked again. */
const EXPIRES_ONCE = {
	limitWaitTime: {
		values: {
			limitType: 'afterTimeInterval',
			resumeAmount: '={{ $runIndex === 0 ? 0.05 : 600 }}',
			resumeUnit: 'minutes',
		},
	},
};

describe('the gate of Send and Wait', () => {
	// n8n looks for waiting executions once a minute; the other tests run until it has asked again.
	let askedAgain: Promise<Array<Awaited<ReturnType<typeof again>>>>;
	beforeAll(() => {
		askedAgain = Promise.all(['chat', 'page'].map(again));
		// Only the last test awaits it: until then, its rejection must not count as unhandled.
		askedAgain.catch(() => {});
	});
	afterAll(async () => {
		for (const { stage, asking } of await askedAgain) {
			await asking.close();
			await stage.close();
		}
	}, 60_000);

	const played = useAsking();

	/** The address that a press in the chat is reported to; only the bot's token reveals it. */
	const ticketOf = ({ question }: Pick<Asked, 'question'>) => {
		const [button] = buttonsOf(question);
		const ticket = openTicket(played.stage.access.accessToken, button?.payload);
		if (!ticket) throw new Error('The button carries no ticket');
		return ticket;
	};

	const press = async (
		{ question }: Pick<Asked, 'question'>,
		text: string,
		{ control }: Pick<Stage, 'control'> = played.stage,
	) => await control.press(question.body.mid, { text });

	/** Puts a button below the question again that leads to n8n at another origin than its public one. */
	const leadTo = async (asked: Asked, origin: string) => {
		const { stage } = played;
		const ticket = ticketOf(asked);
		const { pathname, search } = new URL(ticket.url);
		const url = `${origin}${pathname}${search}`;
		const payload = sealTicket(stage.access.accessToken, { ...ticket, url });
		const buttons = [[{ type: 'callback', text: 'Approve', payload }]];
		const edit = async () =>
			await stage.call('PUT', '/messages', {
				query: { message_id: asked.question.body.mid },
				body: { attachments: [{ type: 'inline_keyboard', payload: { buttons } }] },
			});
		// The service accepts few calls per second for one chat, and n8n has just edited the message.
		const isTaken = async () =>
			await edit().then(
				() => true,
				(error: unknown) => {
					if (error instanceof N8nError && error.status === 429) return false;
					throw error;
				},
			);
		await waitFor(isTaken, { interval: 600, what: 'the service to take the edit' });
	};

	/** Makes these attempts, some at a time; the step behind the gate must not run. */
	async function withstands({ active }: Asked, url: string | undefined, attempts: Attempt[]) {
		const { asking } = played;
		const attempt = async ({ change = () => {}, forged = false, ...init }: Attempt) => {
			const changed = new URL(url ?? '');
			change(changed.searchParams);
			const address = forged ? changed.toString() : signed(changed.toString(), () => {});
			const { status } = await asking.request(address, init);
			return { ...init, query: changed.search, status };
		};
		for (let first = 0; first < attempts.length; first += ABREAST) {
			const tried = await Promise.all(attempts.slice(first, first + ABREAST).map(attempt));
			expect(tried.filter(({ status }) => status >= 500)).toEqual([]);
			const after = { is: await asking.statuses(active), told: await asking.allTold() };
			expect({ tried, ...after }).toEqual({ tried, is: ['waiting'], told: [] });
		}
	}

	/** Expects that this answer was accepted, and nothing before it. */
	async function opensOnceWith({ active }: Asked, answer: object) {
		const { asking, stage } = played;
		expect(dataOf(await asking.told())).toMatchObject(answer);
		await stage.n8n.executions.ofWorkflow(active, 1);
		expect(await asking.statuses(active)).toEqual(['success']);
		expect(await asking.allTold()).toHaveLength(1);
	}

	it('of approval links withstands everything that is not an answer, and then opens', async () => {
		const { asking } = played;
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
		'of a page for %s withstands everything that is not an answer, and then opens',
		async (_, parameters, answer) => {
			const { asking } = played;
			const asked = await asking.ask(parameters);
			const [button] = buttonsOf(asked.question);
			await withstands(asked, button?.url, [...GARBAGE, ...FIELDS]);
			const page = await asking.open(button?.url, { form: { 'field-0': 'Rice' } });
			expect(page.text).toContain('Got it, thanks');
			await opensOnceWith(asked, answer);
		},
		240_000,
	);

	it('of buttons in the chat withstands everything that is not a press, and then opens', async () => {
		const { stage, asking } = played;
		const asked = await asking.ask({ ...DOUBLE, answer_in: 'chat' });
		const { url, question } = ticketOf(asked);
		const own = {
			question,
			choice: 0,
			time: 1785000130000,
			callback_id: 'x',
			user_id: String(stage.user.user_id),
			user_name: 'Vera',
			chat_id: String(stage.dialog.chat_id),
			message_id: asked.question.body.mid,
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
		].map((body) => post(JSON.stringify(body)));
		// It carries a decision, where a press is asked for.
		const link = query((search) => {
			search.set('question', question);
			search.set('choice', '0');
		});
		await withstands(asked, url, [...GARBAGE, ...presses, link]);
		await press(asked, 'Approve');
		await opensOnceWith(asked, { approved: true });
	}, 240_000);

	it('opens once for two opposite presses, and the message shows the one that n8n accepted', async () => {
		const { stage, asking } = played;
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
			// The other press has been handled once the person is told.
			await waitFor(
				async () => (await stage.control.notifications(stage.user.user_id)).length > before,
				{ timeout: 30_000, what: 'the notification' },
			);
			await shown(stage, question.body.mid, `Really: ${round}?\n\n${outcome}`);
		}
		await stage.n8n.executions.ofWorkflow(active, 3);
		expect((await asking.statuses(active)).toSorted()).toEqual([
			'success',
			'success',
			'success',
			'waiting',
		]);
		expect(await asking.allTold()).toHaveLength(3);
	}, 240_000);

	it.each([
		['a redirect to a login page', 302],
		['a login page', 200],
	])('opens behind %s, which n8n need not pass to reach itself', async (_, status) => {
		const { asking } = played;
		const asked = await asking.ask({ ...DOUBLE, answer_in: 'chat' });
		const front = createServer(shared().platformTls, (_request, response) => {
			response.writeHead(status, { location: '/login' }).end('<html>Log in</html>');
		});
		await leadTo(asked, `https://localhost:${await listen(front)}`);
		await press(asked, 'Approve');
		expect(dataOf(await asking.told())).toMatchObject({ approved: true });
		await close(front);
	});

	it('opens with long polling, and is not held up by a press that cannot be answered', async () => {
		const { asking, stage } = played;
		const asked = await asking.ask({ ...DOUBLE, answer_in: 'chat' }, { delivery: 'polling' });

		// Nothing answers at n8n's public name.
		const leadHome = async () => await leadTo(asked, shared().url);
		await leadHome();
		await press(asked, 'Approve');
		expect(dataOf(await asking.told())).toMatchObject({ approved: true });

		await stage.answer(({ body }) => body.text?.endsWith('✅ Approved by Vera') === true);

		// The execution is over, and the person cannot be told so.
		await leadHome();
		await stage.control.setFaults([
			{ match: { method: 'POST', path: '/answers' }, count: -1, then: { status: 500 } },
		]);
		await press(asked, 'Approve');
		await asking.write('breakfast');
		expect(await asking.allTold()).toHaveLength(1);
		const isTried = async () =>
			(await stage.control.journal({ method: 'POST', path: '/answers', status: 500 })).length > 0;
		await waitFor(isTried, { what: 'a try to answer the press' });
	});

	it('of a question that is asked again does not open for the buttons and links of the first', async () => {
		const both = await askedAgain;
		const [chat, page] = both;
		await press(chat!.first, 'Approve', chat!.stage);
		expect(await notified(chat!.stage, chat!.stage.user)).toEqual([LATE]);
		const late = await page!.asking.open(buttonsOf(page!.first.question)[0]?.url);
		expect(late).toMatchObject({ status: 410, text: expect.stringContaining(LATE) });
		for (const { asking, first } of both) {
			// The step ran once, with the input of the question that expired.
			expect((await asking.allTold()).map(({ body }) => body.text)).toEqual(['Answer: ']);
			expect(await asking.statuses(first.active)).toEqual(['waiting']);
		}
		const { executions } = page!.stage.n8n;
		const [{ id } = { id: '' }] = await executions.list(page!.first.active);
		const { resultData } = (await executions.get(id)).data;
		const [expired] = resultData.runData.Ask?.[0]?.data?.main?.[0] ?? [];
		expect(expired?.json).toMatchObject({ event: 'message_created', text: 'dinner' });

		await press(chat!.second, 'Decline', chat!.stage);
		await page!.asking.open(buttonsOf(page!.second.question)[1]?.url);
		for (const { asking } of both) {
			expect(dataOf(await asking.told())).toMatchObject({ approved: false });
		}
	}, 300_000);
});

/** Asks twice in one execution, on a stage of its own: the first question has expired, the second waits. */
async function again(answer_in: string) {
	const stage = await Stage.open();
	const asking = new Asking(stage);
	const parameters = { ...DOUBLE, answer_in, options: EXPIRES_ONCE };
	const first = await asking.ask(parameters, { loop: true });
	const question = await waitFor(
		async () => {
			const messages = await stage.control.messages(stage.dialog.chat_id);
			const asked = messages.filter(({ body }) => body.text?.startsWith('Really') === true);
			return asked.length > 1 && asked[0];
		},
		{ timeout: 120_000, what: 'the second question' },
	);
	await asking.waits(first.active);
	return { stage, asking, first, second: { active: first.active, question } };
}
