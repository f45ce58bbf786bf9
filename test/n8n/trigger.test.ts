import { waitFor } from '../support/wait';
import { jsonOf } from './executions';
import type { Workflow } from './rest';
import { WEBHOOK_HOST } from './shared';
import { Stage } from './stage';
import { ACTION, CREDENTIAL, example, TRIGGER, workflow } from './workflow';

const EVENTS = ['message_created', 'message_callback'];

describe('a bot in a real n8n', () => {
	const stage = Stage.forEachTest();

	/** Answers every message. */
	const echo = () =>
		workflow('Echo', [
			{
				name: 'Trigger',
				type: TRIGGER,
				credential: stage.credential,
				parameters: { events: EVENTS },
			},
			{
				name: 'Send',
				type: ACTION,
				credential: stage.credential,
				parameters: { chat_id: '={{ $json.chat_id }}', text: '=You wrote: {{ $json.text }}' },
			},
		]);

	/** The production URL of a workflow's trigger, as the platform knows it. */
	const urlOf = ({ nodes }: Workflow) =>
		`https://${WEBHOOK_HOST}/webhook/${nodes[0]?.webhookId}/bot-messaging`;

	it('answers a message with an execution of its workflow', async () => {
		const active = await stage.createActive(echo());
		const sent = await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');

		const answer = await stage.answer(({ body }) => body.text === 'You wrote: Good morning');
		const [execution] = await stage.n8n.executions.ofWorkflow(active, 1);
		expect(execution).toMatchObject({ status: 'success', mode: 'trigger' });
		expect(jsonOf(execution!, 'Trigger')).toMatchObject([
			{
				event: 'message_created',
				chat_id: String(stage.dialog.chat_id),
				user_id: String(stage.user.user_id),
				message_id: sent.body.mid,
				text: 'Good morning',
			},
		]);
		expect(jsonOf(execution!, 'Send')).toMatchObject([{ message_id: answer.body.mid }]);
		expect(await stage.control.journal({ kind: 'delivery' })).toMatchObject([
			{ update_type: 'message_created', attempt: 1, status: 200, secret_sent: true },
		]);
	});

	it('answers a button press with a changed message and a notification', async () => {
		await stage.createActive(example('echo-with-keyboard.json', stage.credential));
		await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');
		const answer = await stage.answer(({ body }) => body.text === 'You wrote: Good morning');

		await stage.control.press(answer.body.mid, { text: 'Dislike' });

		await stage.answer(({ body }) => body.text === 'You wrote: Good morning\nYou disliked this.');
		expect(await stage.control.notifications(stage.user.user_id)).toMatchObject([
			{ text: 'Noted: disliked' },
		]);
		expect(await stage.control.messages(stage.dialog.chat_id)).toHaveLength(2);
	});

	it('loses exactly its own subscription when its workflow is deactivated', async () => {
		const other = 'https://elsewhere.example/hook';
		await stage.call('POST', '/subscriptions', { body: { url: other } });
		const active = await stage.createActive(echo());
		expect(await stage.subscriptions()).toHaveLength(2);

		await stage.n8n.deactivate(active);

		// It stays for some seconds, in case the workflow is only being changed.
		await waitFor(async () => (await stage.subscriptions()).length === 1, {
			what: 'the end of the subscription',
		});
		expect(await stage.subscriptions()).toMatchObject([{ url: other }]);
		const removals = await stage.control.journal({ method: 'DELETE', path: '/subscriptions' });
		expect(removals).toMatchObject([{ query: { url: urlOf(active) }, status: 200 }]);
	});

	it('keeps its production subscription while the editor listens for a test event', async () => {
		const active = await stage.createActive(echo());
		const production = await stage.subscriptions();

		await stage.n8n.listen(active, 'Trigger');
		const testUrl = urlOf(active).replace('/webhook/', '/webhook-test/');
		expect((await stage.subscriptions()).map(({ url }) => url).sort()).toEqual(
			[urlOf(active), testUrl].sort(),
		);

		await stage.control.userWrites(stage.dialog.chat_id, 'Just a test');
		const executions = await stage.n8n.executions.ofWorkflow(active, 2);
		expect(executions.map(({ mode, status }) => `${mode} ${status}`).sort()).toEqual([
			'manual success',
			'trigger success',
		]);
		await waitFor(async () => (await stage.subscriptions()).length === 1, {
			what: 'the end of the test subscription',
		});
		expect(await stage.subscriptions()).toEqual(production);

		await stage.control.userWrites(stage.dialog.chat_id, 'Still there?');
		await stage.answer(({ body }) => body.text === 'You wrote: Still there?');
	});

	it('leaves the production subscription alone when the test is stopped without an event', async () => {
		const active = await stage.createActive(echo());
		const production = await stage.subscriptions();
		await stage.n8n.listen(active, 'Trigger');
		expect(await stage.subscriptions()).toHaveLength(2);

		await stage.n8n.stopListening(active);

		await waitFor(async () => (await stage.subscriptions()).length === 1, {
			what: 'the end of the test subscription',
		});
		expect(await stage.subscriptions()).toEqual(production);
	});

	it('is tested at once after another test run that could neither begin nor end', async () => {
		const access = { baseUrl: 'nowhere', accessToken: 'unused' };
		const unusable = await stage.n8n.createCredential('Unusable', CREDENTIAL, access);
		const broken = await stage.create(
			workflow('Broken', [{ name: 'Trigger', type: TRIGGER, credential: unusable }]),
		);
		await expect(stage.n8n.listen(broken, 'Trigger')).rejects.toThrow(/Base URL/);

		const echoing = await stage.create(echo());
		await stage.n8n.listen(echoing, 'Trigger');
		expect(await stage.subscriptions()).toHaveLength(1);
		await stage.n8n.stopListening(echoing);
		await stage.n8n.deleteCredential(unusable);
	});

	it('cannot be activated with a token that the service refuses, and says why', async () => {
		await stage.control.revokeToken(stage.bot.user_id);

		await expect(stage.createActive(echo())).rejects.toThrow(/token/i);
	});
});
