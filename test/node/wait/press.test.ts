import type { ShownUser } from '../../platform';
import { waitFor } from '../../support/wait';
import { notified, shown } from '../../support/question';
import { Stage } from '../support/stage';
import { Refusal } from '../support/trigger/exchange';
import type { WaitingHost } from '../support/waiting';
import { APPROVAL, ask, atTimes, EXPIRING, expiry, newest, passedOn } from './asked';

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
		const { host, question } = await ask(stage, chatId, APPROVAL);
		host.status = 'running';
		await press(question.body.mid, 'Approve');
		await waitFor(() => host.early > 0, { what: 'the press to come too early' });
		host.status = 'waiting';
		expect(await passedOn(host)).toMatchObject({ approved: true });
	});

	it("that comes while n8n's database fails counts as soon as it answers", async () => {
		const { database, credentials } = atTimes(stage);
		const { host, question } = await ask(stage, chatId, APPROVAL, { credentials });
		database.failures = 1;
		await press(question.body.mid, 'Approve');
		expect(await passedOn(host)).toMatchObject({ approved: true });
		expect(await stage.control.notifications(vera.user_id)).toEqual([]);
	});

	it('and an opposite one at once: the one that n8n accepts counts, and the message shows it', async () => {
		for (let round = 0; round < 5; round++) {
			const { host, question } = await ask(stage, chatId, APPROVAL);
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
		const { host, question } = await ask(stage, chatId, APPROVAL);
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
			const { host, question } = await ask(stage, chatId, { ...APPROVAL, ...allowed });
			await press(question.body.mid, 'Approve', oleg);
			expect(await notified(stage, oleg)).toEqual(['You are not allowed to answer this request.']);
			expect(host).toMatchObject({ status: 'waiting', passed: [] });
			await press(question.body.mid, 'Approve', vera);
			expect(await passedOn(host)).toMatchObject({ approved: true });
		},
	);

	it('of somebody who may not answer, again and again, is judged by n8n once, as it has to load the execution for that', async () => {
		const allowed = { who_may_answer: 'people', allowed_user_ids: String(vera.user_id) };
		const { host, question } = await ask(stage, chatId, { ...APPROVAL, ...allowed });
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
		const { host, question } = await ask(stage, chatId, APPROVAL);
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
		const { host, question } = await ask(stage, chatId, { ...APPROVAL, ...more });
		await end(question.body.mid, host);
		host.status = 'running';
		await press(question.body.mid, 'Decline', oleg);
		expect(await notified(stage, oleg)).toEqual([LATE]);
		expect(host.early).toBe(1);
	});

	it('on a copy of the button in another message answers nothing', async () => {
		const { host, question, buttons } = await ask(stage, chatId, APPROVAL);
		const [{ payload = '' } = {}] = buttons;
		await press(await bait(payload), 'Win');
		expect(await notified(stage, vera)).toEqual([LATE]);
		expect(host.status).toBe('waiting');
		await press(question.body.mid, 'Decline');
		expect(await passedOn(host)).toMatchObject({ approved: false });
	});

	it('on a message that was deleted at the same moment counts', async () => {
		const { host, question } = await ask(stage, chatId, APPROVAL);
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

	it('on a question whose ID the service did not tell counts, and tells it', async () => {
		await stage.fault({ method: 'POST', path: '/messages' }, { done: true, status: 200, body: {} });
		const { host, question } = await ask(stage, chatId, APPROVAL);
		const { mid } = question.body;
		await press(mid, 'Approve');
		const place = { chat_id: chatId, message_id: mid };
		expect(await passedOn(host)).toMatchObject({ approved: true, ...place });
	});

	it('after the end does not hold up later events, even if the person cannot be told', async () => {
		const { host, question } = await ask(stage, chatId, APPROVAL);
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
			const { host, question } = await ask(stage, chatId, APPROVAL);
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
