import { waitFor } from '../support/wait';
import { startOwnN8n, type OwnN8n } from './own';
import { Stage } from './stage';
import { ACTION, example, TRIGGER, workflow } from './workflow';

describe('Send and Wait over a restart of n8n', () => {
	let own: OwnN8n;
	let stage: Stage;

	beforeAll(async () => {
		own = await startOwnN8n();
		stage = await Stage.open({}, own.place);
	}, 300_000);
	afterAll(async () => {
		await stage.close();
		await own.close();
	}, 120_000);

	it('takes the press of a button although n8n was killed while the request waited', async () => {
		const active = await stage.createActive(example('approval-in-chat.json', stage.credential));
		await stage.control.userWrites(stage.dialog.chat_id, 'a lamp');
		const question = await stage.answer(({ body }) => body.text === 'Shall I order: a lamp?');
		await waitFor(
			async () => (await stage.n8n.executions.list(active)).some((e) => e.status === 'waiting'),
			{ timeout: 20_000, what: 'the execution to wait' },
		);

		await own.instance.kill();
		await own.instance.restart();
		// The trigger is back when it has looked for its subscription again.
		await waitFor(
			async () => {
				const looks = await stage.control.journal({ method: 'GET', path: '/subscriptions' });
				return looks.length >= 2;
			},
			{ timeout: 60_000, what: 'the trigger to be active again' },
		);
		await stage.control.press(question.body.mid, { text: 'Order' });

		await stage.answer(({ body }) => body.text === 'Ordered.');
		const decided = await stage.control.message(question.body.mid);
		expect(decided.body.text).toBe('Shall I order: a lamp?\n\n✅ Approved by Vera');
	}, 300_000);

	it('takes a reply to a question that was asked before n8n was killed', async () => {
		const active = await stage.createActive(
			workflow('Ask', [
				{
					name: 'Trigger',
					type: TRIGGER,
					credential: stage.credential,
					parameters: { events: ['message_created', 'message_callback'] },
				},
				{
					name: 'Ask',
					type: ACTION,
					credential: stage.credential,
					parameters: {
						...{ operation: 'sendAndWait', chat_id: '={{ $json.chat_id }}' },
						...{ message: 'When?', responseType: 'freeText' },
					},
				},
				{
					name: 'Tell',
					type: ACTION,
					credential: stage.credential,
					parameters: {
						chat_id: "={{ $('Trigger').item.json.chat_id }}",
						text: '=Answer: {{ $json.data.text }}',
					},
				},
			]),
		);
		await stage.control.userWrites(stage.dialog.chat_id, 'a lamp');
		const question = await stage.answer(({ body }) => body.text === 'When?');
		await waitFor(
			async () => (await stage.n8n.executions.list(active)).some((e) => e.status === 'waiting'),
			{ timeout: 20_000, what: 'the execution to wait' },
		);
		await stage.control.clearJournal();
		await own.instance.kill();
		await own.instance.restart();
		await waitFor(
			async () =>
				(await stage.control.journal({ method: 'GET', path: '/subscriptions' })).length > 0,
			{ timeout: 60_000, what: 'the trigger to be active again' },
		);
		await stage.control.userWrites(stage.dialog.chat_id, {
			text: 'At eight',
			link: { type: 'reply', mid: question.body.mid },
		});
		await stage.answer(({ body }) => body.text === 'Answer: At eight');
	}, 300_000);
});
