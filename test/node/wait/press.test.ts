import { setTimeout as sleep } from 'node:timers/promises';
import type { ShownUser } from '../../platform';
import { hurry, setClockBack } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { notified, shown } from '../../support/question';
import { nodesOfAnotherProcess } from '../support/anotherProcess';
import { Stage } from '../support/stage';
import { Refusal } from '../support/trigger/exchange';
import type { WaitingHost } from '../support/waiting';
import { ask, asking, atTimes, EXPIRING, expiry, newest, passedOn } from './asked';

const NOT_NOW = 'The answer could not be taken at the moment. Please try again later.';

const HOUR_MS = 3_600_000;

const DOUBLE = { answer_in: 'chat', approvalOptions: { values: { approvalType: 'double' } } };

describe('a press in the chat', () => {
	const stage = Stage.forEachTest();
	let vera: ShownUser;
	let oleg: ShownUser;
	let chatId: string;
	beforeEach(async () => {
		vera = await stage.control.createUser({ first_name: 'Vera' });
		oleg = await stage.control.createUser({ first_name: 'Oleg' });
		chatId = await stage.group({ owner_id: vera.user_id, members: [oleg.user_id] });
		await stage.activeTrigger({ events: ['*'] });
	});

	const press = async (mid: string, text: string, user = vera) =>
		await stage.control.press(mid, { text, user_id: user.user_id });
	const LATE = 'This request no longer needs an answer.';

	/** Sends another message, with a button that has this payload. Resolves to the message's ID. */
	const bait = async (payload: string) => {
		const keyboard_json = JSON.stringify([[{ type: 'callback', text: 'Win', payload }]]);
		const keyboard = { keyboard_source: 'json', keyboard_json };
		await stage.run({ chat_id: chatId, text: 'Win a car!', ...keyboard });
		return (await newest(stage, chatId)).question.body.mid;
	};

	it('that comes before n8n has stored the execution counts as soon as it has', async () => {
		const { host, question } = await ask(stage, chatId, DOUBLE);
		host.status = 'running';
		await press(question.body.mid, 'Approve');
		await waitFor(() => host.early > 0, { what: 'the press to come too early' });
		host.status = 'waiting';
		expect(await passedOn(host)).toMatchObject({ approved: true });
	});

	it("that comes while n8n's database fails counts as soon as it answers", async () => {
		const { database, credentials } = atTimes(stage);
		const { host, question } = await ask(stage, chatId, DOUBLE, { credentials });
		database.failures = 1;
		await press(question.body.mid, 'Approve');
		expect(await passedOn(host)).toMatchObject({ approved: true });
		expect(await stage.control.notifications(vera.user_id)).toEqual([]);
	});

	it('and an opposite one at once: the one that n8n accepts counts, and the message shows it', async () => {
		for (let round = 0; round < 5; round++) {
			const { host, question } = await ask(stage, chatId, DOUBLE);
			await Promise.all([
				press(question.body.mid, 'Approve', vera),
				press(question.body.mid, 'Decline', oleg),
			]);
			const { approved } = await passedOn(host);
			const outcome = approved === true ? '✅ Approved by Vera' : '🚫 Declined by Oleg';
			const expected = `Really?\n\n${outcome}`;
			await shown(stage, question.body.mid, expected);
			// The other person is told.
			expect(await notified(stage, approved === true ? oleg : vera)).toContain(LATE);
			expect((await stage.control.message(question.body.mid)).body.text).toBe(expected);
			expect(host).toMatchObject({ opened: 0 });
			expect(host.passed).toHaveLength(1);
		}
	});

	it.each([
		[
			'that is delivered twice',
			async () => await stage.fault({ origin: 'delivery' }, { duplicate: 1 }),
		],
		[
			'that goes to two triggers of the bot',
			async () => await stage.activeTrigger({ events: ['*'] }),
		],
	])('%s is not reported as too late', async (_, prepare) => {
		await prepare();
		const { host, question } = await ask(stage, chatId, DOUBLE);
		await press(question.body.mid, 'Approve');
		expect(await passedOn(host)).toMatchObject({ approved: true });
		const answered = async () => await stage.control.journal({ kind: 'delivery', status: 200 });
		await waitFor(async () => (await answered()).length === 2, { what: 'both answers' });
		expect(await stage.control.notifications(vera.user_id)).toEqual([]);
	});

	it.each(['people', 'administrators'])(
		'of somebody who is not among the %s who may answer is refused',
		async (who_may_answer) => {
			const allowed = { who_may_answer, allowed_user_ids: String(vera.user_id) };
			const { host, question } = await ask(stage, chatId, { ...DOUBLE, ...allowed });
			await press(question.body.mid, 'Approve', oleg);
			expect(await notified(stage, oleg)).toEqual(['You are not allowed to answer this request.']);
			expect(host).toMatchObject({ status: 'waiting', passed: [] });
			await press(question.body.mid, 'Approve', vera);
			expect(await passedOn(host)).toMatchObject({ approved: true });
		},
	);

	it('of somebody who may not answer, again and again, is judged by n8n once, as it has to load the execution for that', async () => {
		const allowed = { who_may_answer: 'people', allowed_user_ids: String(vera.user_id) };
		const { host, question } = await ask(stage, chatId, { ...DOUBLE, ...allowed });
		await press(question.body.mid, 'Approve', oleg);
		await notified(stage, oleg);
		host.barrier = new Refusal(503, {});
		await press(question.body.mid, 'Approve', oleg);
		await press(question.body.mid, 'Decline', oleg);
		const told = async () => await stage.control.notifications(oleg.user_id);
		await waitFor(async () => (await told()).length === 3, { what: 'the refusals' });
		host.barrier = undefined;
		await press(question.body.mid, 'Approve', vera);
		expect(await passedOn(host)).toMatchObject({ approved: true });
	});

	it('on a button from before the token was replaced is told that it does nothing', async () => {
		// A secret derived from the token would change with it.
		const options = { secret: 'stays-the-same' };
		const trigger = await stage.activeTrigger({ events: ['message_callback'], options });
		const { host, question } = await ask(stage, chatId, DOUBLE);
		await stage.renewToken();
		await press(question.body.mid, 'Approve');
		expect(await notified(stage, vera)).toEqual(['This button no longer works.']);
		expect(trigger.stored.executions).toEqual([]);
		expect(host).toMatchObject({ status: 'waiting', passed: [] });
	});

	it('on a button of a workflow whose payload looks similar starts that workflow', async () => {
		const trigger = await stage.activeTrigger({ events: ['message_callback'] });
		await press(await bait('wait:5'), 'Win');
		await trigger.ended(1);
	});

	it('is asked for once, even if the input has an error and n8n is to retry what fails', async () => {
		const input = [{ json: { error: 'No stock', item: 7 } }];
		const retries = { retryOnFail: true, waitBetweenTries: 1 };
		const host = await stage.asking({ chat_id: String(chatId), message: 'Really?' }, retries);
		await host.run(input);
		expect(await stage.control.messages(chatId)).toHaveLength(1);
		await host.timeOut();
		expect(host.passed).toEqual([[expect.objectContaining(input[0])]]);
	});

	it.each([
		['after the time limit', EXPIRING, expiry],
		[
			'after the answer, where the buttons stay',
			{ after_answer: 'keep' },
			async (mid: string, host: WaitingHost) => {
				await press(mid, 'Approve');
				await passedOn(host);
			},
		],
	])('%s is told so at once, even while the execution goes on', async (_, more, end) => {
		const { host, question } = await ask(stage, chatId, { ...DOUBLE, ...more });
		await end(question.body.mid, host);
		host.status = 'running';
		await press(question.body.mid, 'Decline', oleg);
		expect(await notified(stage, oleg)).toEqual([LATE]);
		expect(host.early).toBe(1);
	});

	it('on a copy of the button in another message answers nothing', async () => {
		const { host, question, buttons } = await ask(stage, chatId, DOUBLE);
		const [{ payload = '' } = {}] = buttons;
		await press(await bait(payload), 'Win');
		expect(await notified(stage, vera)).toEqual([LATE]);
		expect(host.status).toBe('waiting');
		await press(question.body.mid, 'Decline');
		expect(await passedOn(host)).toMatchObject({ approved: false });
	});

	it('on a message that was deleted at the same moment counts', async () => {
		const { host, question } = await ask(stage, chatId, DOUBLE);
		const { mid } = question.body;
		await stage.run({ resource: 'message', operation: 'delete', message_id: mid });
		await press(mid, 'Decline');
		expect(await passedOn(host)).toMatchObject({
			approved: false,
			responder: { user_name: 'Vera' },
			chat_id: chatId,
			message_id: mid,
		});
	});

	it('on a question whose ID the service did not tell counts', async () => {
		await stage.fault({ method: 'POST', path: '/messages' }, { done: true, status: 200, body: {} });
		const { host, question } = await ask(stage, chatId, DOUBLE);
		await press(question.body.mid, 'Approve');
		expect(await passedOn(host)).toMatchObject({ approved: true });
	});

	it('after the end does not hold up later events, even if the person cannot be told', async () => {
		const { host, question } = await ask(stage, chatId, DOUBLE);
		await host.timeOut();
		await stage.fault({ path: '/answers' }, { status: 500 }, { count: -1 });
		await press(question.body.mid, 'Approve');
		const [delivery] = await stage.seen({ kind: 'delivery' });
		expect(delivery).toMatchObject({ status: 200 });
	});
});

describe('a press on a question that n8n has lost, having given the ID of its execution to another workflow', () => {
	const stage = Stage.forEachTest();

	it.each(['webhook', 'polling'])(
		'is told at once that it came too late, by %s',
		async (delivery) => {
			const { user, chatId } = await stage.dialog();
			const events = ['message_created', 'message_callback'];
			const trigger = await stage.activeTrigger({ events, delivery });
			const { host, question } = await ask(stage, chatId, DOUBLE);
			// What n8n says when the execution of an address has no such node.
			host.barrier = new Refusal(401, { error: 'Invalid token' });
			await stage.control.press(question.body.mid, { text: 'Approve' });
			expect(await notified(stage, user)).toEqual(['This request no longer needs an answer.']);
			await stage.control.userWrites(chatId, 'Hello?');
			const [execution] = await trigger.ended(1);
			expect(execution?.items).toMatchObject([{ json: { text: 'Hello?' } }]);
		},
	);
});

describe("a press that n8n's concurrency limit holds up", () => {
	// Longer than the service waits, which then delivers it again a minute later.
	hurry(20);
	const stage = Stage.forEachTest();

	it('counts once, the message shows it, and nobody is told that it came too late', async () => {
		const { user, chatId } = await stage.dialog();
		await stage.activeTrigger({ events: ['*'] });
		const { host, question } = await ask(stage, chatId, DOUBLE, { loop: true });
		const admit = host.holdUp();
		await stage.control.press(question.body.mid, { text: 'Approve' });
		await stage.seen({ kind: 'delivery', status: 503 });
		expect(host.passed).toEqual([]);

		admit();
		expect(await passedOn(host)).toMatchObject({ approved: true });
		await shown(stage, question.body.mid, 'Really?\n\n✅ Approved by Vera');
		await stage.seen({ kind: 'delivery', status: 200 });
		const messages = await stage.control.messages(chatId);
		expect(messages.map(({ body }) => body.text)).toEqual([
			'Really?',
			'Really?\n\n✅ Approved by Vera',
		]);
		expect(await stage.control.notifications(user.user_id)).toEqual([]);
	}, 60_000);

	it('does not hold up the start of n8n if it came while the bot had no subscription, and counts', async () => {
		const { chatId } = await stage.dialog();
		const trigger = await stage.activeTrigger({ events: ['*'] });
		const { host, question } = await ask(stage, chatId, DOUBLE);
		await stage.unsubscribe(trigger.webhookUrl());
		const admit = host.holdUp();
		await stage.control.press(question.body.mid, { text: 'Approve' });
		await trigger.restart();
		expect(host.passed).toEqual([]);

		admit();
		expect(await passedOn(host)).toMatchObject({ approved: true });
		await shown(stage, question.body.mid, 'Really?\n\n✅ Approved by Vera');
		const isSubscribed = async () => (await stage.subscriptions()).length > 0;
		await waitFor(isSubscribed, { what: 'the subscription' });
	}, 30_000);
});

describe('a press that came while the bot had no subscription', () => {
	const stage = Stage.forEachTest();

	it('does not keep it from being subscribed again while n8n cannot reach itself', async () => {
		const { chatId } = await stage.dialog();
		const trigger = await stage.activeTrigger({ events: ['*'] });
		const { host, question } = await ask(stage, chatId, DOUBLE);
		await host.stop();
		await stage.unsubscribe(trigger.webhookUrl());
		await stage.control.press(question.body.mid, { text: 'Approve' });
		await trigger.restart();
		const isSubscribed = async () => (await stage.subscriptions()).length > 0;
		await waitFor(isSubscribed, { timeout: 80_000, what: 'the subscription' });
		expect(trigger.logged.filter((line) => line.includes('passed over'))).toEqual([]);
		await stage.control.userWrites(chatId, 'Hello?');
		await stage.seen({ kind: 'delivery', status: 200 });
	}, 100_000);
});

describe('a press that a gateway cuts off before n8n has answered', () => {
	const stage = Stage.forEachTest();

	it.each(['webhook', 'polling'])(
		'counts once, and the message shows it, by %s',
		async (delivery) => {
			const { user, chatId } = await stage.dialog();
			const trigger = await stage.activeTrigger({ events: ['*'], delivery });
			const { host, question } = await ask(stage, chatId, DOUBLE, { loop: true });
			host.admission = async () => {
				host.cutOff();
				await sleep(100);
			};
			await stage.control.press(question.body.mid, { text: 'Approve' });
			expect(await passedOn(host)).toMatchObject({ approved: true });
			await shown(stage, question.body.mid, 'Really?\n\n✅ Approved by Vera');
			await stage.control.userWrites(chatId, 'Thanks');
			await trigger.ended(1);
			expect(host.passed).toHaveLength(1);
			expect(await stage.control.notifications(user.user_id)).toEqual([]);
		},
	);
});

describe('a press that n8n holds up until the time limit has passed', () => {
	const stage = Stage.forEachTest();

	it.each([
		['webhook', 'gets an answer in the end', () => {}],
		['webhook', 'is cut off meanwhile', (host: WaitingHost) => host.cutOff()],
		['polling', 'gets an answer in the end', () => {}],
		['polling', 'is cut off meanwhile', (host: WaitingHost) => host.cutOff()],
	])('does not count, and the person is told, by %s, if it %s', async (delivery, _, hinder) => {
		const { user, chatId } = await stage.dialog();
		await stage.activeTrigger({ events: ['*'], delivery });
		const { host, question } = await ask(stage, chatId, DOUBLE);
		host.admission = async () => {
			hinder(host);
			await sleep(500);
			await host.timeOut();
		};
		await stage.control.press(question.body.mid, { text: 'Approve' });
		expect(await notified(stage, user)).toEqual(['This request no longer needs an answer.']);
		expect(host.passed).toEqual([[expect.objectContaining({ json: {} })]]);
		expect((await stage.control.message(question.body.mid)).body.text).toBe('Really?');
	});
});

describe('a press while n8n is slow', () => {
	// A request to the waiting execution is given up after five seconds, all of them after ten.
	hurry(5);
	const stage = Stage.forEachTest();

	/** Whether the trigger is done with the press: it has answered it, or polls for what comes after it. */
	const isOver = {
		webhook: async () =>
			(await stage.control.journal({ kind: 'delivery', status: 200 })).length > 0,
		polling: async () => {
			const polls = await stage.control.journal({ kind: 'request', path: '/updates' });
			return new Set(polls.map(({ query }) => query.marker)).size > 2;
		},
	};

	const RUNNING = new Refusal(409, { code: 409, message: 'The execution "1" is running already.' });

	it.each([
		['a request is given up, by webhook', 'webhook', 6000],
		['all requests are given up, by polling', 'polling', 11_000],
	] as const)(
		'counts, and nobody is told that it came too late, if n8n takes it after %s',
		async (_, delivery, readingMs) => {
			const { user, chatId } = await stage.dialog();
			await stage.activeTrigger({ events: ['*'], delivery });
			const { host, question } = await ask(stage, chatId, DOUBLE);
			host.readingMs = readingMs;
			// The execution goes on for long.
			host.admission = async () => {
				host.barrier = RUNNING;
			};
			await stage.control.press(question.body.mid, { text: 'Approve' });
			expect(await passedOn(host)).toMatchObject({ approved: true });
			await waitFor(isOver[delivery], { what: 'the press to be dealt with' });
			expect(await stage.control.notifications(user.user_id)).toEqual([]);
		},
		60_000,
	);

	it('counts, and nobody is told that it came too late, if another process takes it, held up by its concurrency limit', async () => {
		const { user, chatId } = await stage.dialog();
		await stage.activeTrigger({ events: ['*'], delivery: 'polling' });
		const { BotMessaging } = await nodesOfAnotherProcess();
		const { host, question } = await ask(stage, chatId, DOUBLE, { node: new BotMessaging() });
		const admit = host.holdUp();
		let requests = 0;
		Object.defineProperty(host, 'barrier', { get: () => void (++requests === 2 && admit()) });
		await stage.control.press(question.body.mid, { text: 'Approve' });
		expect(await passedOn(host)).toMatchObject({ approved: true });
		await waitFor(isOver.polling, { what: 'the press to be dealt with' });
		expect(await stage.control.notifications(user.user_id)).toEqual([]);
	}, 60_000);
});

describe('an answer for an execution that n8n was killed with while it continued', () => {
	// It is retried for ten seconds, and delivered again a minute later.
	hurry(20);
	const stage = Stage.forEachTest();

	const LOST = new Refusal(500, { code: 0, message: 'Cannot read properties of undefined' });

	it.each(['webhook', 'polling'])(
		'by a button is given up, by %s, and the person is told',
		async (delivery) => {
			const { user, chatId } = await stage.dialog();
			await stage.activeTrigger({ events: ['*'], delivery });
			const { host, question } = await ask(stage, chatId, DOUBLE);
			host.barrier = LOST;
			await stage.control.press(question.body.mid, { text: 'Approve' });
			expect(await notified(stage, user)).toEqual([NOT_NOW]);
			if (delivery === 'webhook') await stage.seen({ kind: 'delivery', status: 200 });
		},
		60_000,
	);

	it.each(['webhook', 'polling'])(
		'in words becomes, by %s, a message like any other, as the next ones do',
		async (delivery) => {
			const { chatId } = await stage.dialog();
			const trigger = await stage.activeTrigger({ events: ['message_created'], delivery });
			const { host } = await ask(stage, chatId, { answer_in: 'chat', responseType: 'freeText' });
			host.barrier = LOST;
			for (const [before, text] of ['Blue', 'Hello?'].entries()) {
				await stage.control.userWrites(chatId, text);
				const executions = await trigger.ended(before + 1);
				expect(executions.at(-1)?.items).toMatchObject([{ json: { text } }]);
			}
		},
		90_000,
	);
});

describe('a text that n8n cannot take at first', () => {
	hurry(20);
	const stage = Stage.forEachTest();

	it('answers when it is delivered again', async () => {
		const { chatId } = await stage.dialog();
		const trigger = await stage.activeTrigger({ events: ['message_created'] });
		const { host } = await ask(stage, chatId, { answer_in: 'chat', responseType: 'freeText' });
		host.barrier = new Refusal(503, { message: 'Starting' });
		await stage.control.userWrites(chatId, 'Blue');
		await stage.seen({ kind: 'delivery', status: 503 });
		host.barrier = undefined;
		await stage.control.advance(61_000);
		expect(await passedOn(host)).toMatchObject({ text: 'Blue' });
		expect(trigger.stored.executions).toEqual([]);
	});
});

describe('a press that a polling trigger cannot pass on', () => {
	// It is retried for ten seconds, several times.
	hurry(10);
	const stage = Stage.forEachTest();

	const OBSTACLES: Array<[string, (host: WaitingHost) => Promise<void> | void]> = [
		['nothing listens there', async (host) => await host.stop()],
		[
			'something in front of n8n wants a login',
			(host) => {
				host.barrier = new Refusal(403, { message: 'Log in' });
			},
		],
		[
			'a login page in front of n8n comes with status 200',
			(host) => {
				host.barrier = new Refusal(200, { message: 'Log in' });
			},
		],
		[
			'a proxy has changed the path of its address',
			(host) => {
				host.barrier = new Refusal(404, { error: 'Cannot POST /n8n/webhook-waiting/1' });
			},
		],
	];

	it.each(OBSTACLES)(
		'does not keep the bot from later events when %s',
		async (_, obstruct) => {
			const { user, chatId } = await stage.dialog();
			const { host, question } = await ask(stage, chatId, DOUBLE);
			await obstruct(host);
			await stage.control.press(question.body.mid, { text: 'Approve' });

			const trigger = await stage.activeTrigger({
				events: ['message_created', 'message_callback'],
				delivery: 'polling',
			});
			await stage.seen({ kind: 'request', path: '/updates' });
			await stage.control.userWrites(chatId, 'Hello?');

			await waitFor(() => trigger.stored.executions.length > 0, {
				what: 'the execution for the later event',
				timeout: 75_000,
			});
			const [execution] = await trigger.ended(1);
			expect(execution?.items).toMatchObject([{ json: { text: 'Hello?' } }]);
			expect(trigger.memory.failures).toEqual([]);
			expect(await notified(stage, user)).toEqual([NOT_NOW]);
			expect(trigger.logged).toContainEqual(expect.stringContaining('check N8N_WEBHOOK_URL'));
		},
		100_000,
	);
});

describe('who may answer', () => {
	const stage = Stage.forAllTests();
	let chatId: string;
	beforeAll(async () => {
		({ chatId } = await stage.dialog());
	});

	const sent = async () => await stage.control.journal({ method: 'POST', path: '/messages' });

	it.each([
		['a missing property', '={{ $json.nobody }}'],
		['a property of a missing one', '={{ $json.a.b.c }}'],
		['null', '={{ null }}'],
		['an empty list', '={{ [] }}'],
		['a list of empty values', '={{ [null, ""] }}'],
		['an empty text', '={{ "" }}'],
		['commas', ' , '],
		['a name', 'Vera'],
		['an object', '={{ ({ user_id: 5 }) }}'],
		['a chat', '-71234567890123'],
		['zero', '0'],
		['part of an ID', '12.5'],
		['an ID and a name', '110022334, Vera'],
		['a blank', ' '],
		['an expression without content', '='],
	])('is refused before the question is sent when the field gives %s', async (_, value) => {
		const host = await asking(stage, chatId, {
			answer_in: 'chat',
			who_may_answer: 'people',
			allowed_user_ids: value,
		});
		expect(host.status).toBe('error');
		expect(host.error?.message).toMatch(/^Allowed User IDs/);
		expect(await sent()).toEqual([]);
	});

	it('has to be filled in when certain people may answer', async () => {
		const host = await asking(stage, chatId, { who_may_answer: 'people', allowed_user_ids: '' });
		expect(host.error?.message).toContain('Allowed User IDs');
		expect(await sent()).toEqual([]);
	});

	it('cannot be administrators in a dialog, and nothing is sent', async () => {
		const host = await asking(stage, chatId, { who_may_answer: 'administrators' });
		expect(host.error).toMatchObject({
			message: expect.stringMatching(/^Who May Answer needs a group chat/),
			description: expect.stringContaining("Choose 'Everyone'"),
		});
		expect(await sent()).toEqual([]);
	});

	it('is fixed when the question is sent', async () => {
		const { user, chatId } = await stage.dialog();
		await stage.activeTrigger({ events: ['*'] });
		const until = Date.now() + HOUR_MS;
		const host = await asking(stage, chatId, {
			answer_in: 'chat',
			who_may_answer: 'people',
			allowed_user_ids: `={{ $now.toMillis() < ${until} ? "5" : "${user.user_id}" }}`,
		});
		expect(host.status).toBe('waiting');
		const { question } = await newest(stage, chatId);
		const restoreClock = setClockBack(-HOUR_MS);
		await stage.control.press(question.body.mid, { text: 'Approve' });
		await notified(stage, user).finally(restoreClock);
		expect(host).toMatchObject({ status: 'waiting', passed: [] });
	});
});
