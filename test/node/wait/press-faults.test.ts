import { setTimeout as sleep } from 'node:timers/promises';
import { hurry } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { notified, shown } from '../../support/question';
import { nodesOfAnotherProcess } from '../support/anotherProcess';
import { Stage } from '../support/stage';
import { Refusal } from '../support/trigger/exchange';
import type { WaitingHost } from '../support/waiting';
import { APPROVAL, ask, passedOn } from './asked';

const NOT_NOW = 'The answer could not be taken at the moment. Please try again later.';

describe("a press that n8n's concurrency limit holds up", () => {
	// Longer than the service waits, which then delivers it again a minute later.
	hurry(20);
	const stage = Stage.forEachTest();

	it('counts once, the message shows it, and nobody is told that it came too late', async () => {
		const { user, chatId } = await stage.dialog();
		await stage.activeTrigger({ events: ['*'] });
		const { host, question } = await ask(stage, chatId, APPROVAL, { loop: true });
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
		const { host, question } = await ask(stage, chatId, APPROVAL);
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
		const { host, question } = await ask(stage, chatId, APPROVAL);
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
			const { host, question } = await ask(stage, chatId, APPROVAL, { loop: true });
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
		const { host, question } = await ask(stage, chatId, APPROVAL);
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
			const { host, question } = await ask(stage, chatId, APPROVAL);
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
		const { host, question } = await ask(stage, chatId, APPROVAL, { node: new BotMessaging() });
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
			const { host, question } = await ask(stage, chatId, APPROVAL);
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
			const { host, question } = await ask(stage, chatId, APPROVAL);
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
			expect(trigger.logged).toContainEqual(
				expect.stringMatching(/check N8N_WEBHOOK_URL .+, whose path no proxy may change/),
			);
		},
		100_000,
	);
});
