import { setTimeout as sleep } from 'node:timers/promises';
import type { ShownChat } from '../platform';
import { botStarted } from '../support/botStarted';
import { waitFor } from '../support/wait';
import { importWorkflow } from './support/commandLine';
import { jsonOf } from './support/executions';
import type { Workflow } from './support/rest';
import { rob, type Robbed } from './support/robbed';
import { WEBHOOK_HOST } from './support/shared';
import { Stage } from './support/stage';
import { happen, payloadsOf, useSteps, type Steps } from './support/steps';
import { ACTION, CREDENTIAL, TRIGGER, withNode, workflow } from './support/workflow';

const EVENTS = ['message_created', 'message_callback'];

/** Longer than the watchdog waits between two checks. */
const HEALING_MS = 150_000;

const CHATS = 50;
const MESSAGES = 5;

/** Longer than the pause between two signs of typing. */
const SIGN_MS = 4500;

let robbed: Robbed;
// The watchdog takes its time, so the other tests run meanwhile.
beforeAll(async () => {
	robbed = await rob();
}, 120_000);
afterAll(async () => {
	for (const stage of [robbed.deleted, robbed.expired, robbed.usurped]) await stage.close();
	await robbed.steps.close();
}, 120_000);

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

	it('answers with a credential that n8n keeps from its HTTP Request node, which could send the token anywhere', async () => {
		const kept = { ...stage.access, allowedHttpRequestDomains: 'none' };
		const credential = await stage.n8n.createCredential('Kept', CREDENTIAL, kept);
		const active = await stage.createActive(
			workflow('Echo', [
				{ name: 'Trigger', type: TRIGGER, credential, parameters: { events: EVENTS } },
				{
					name: 'Request',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					credential,
					onError: 'continueRegularOutput',
					parameters: {
						url: stage.access.baseUrl,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: CREDENTIAL,
					},
				},
				{
					name: 'Send',
					type: ACTION,
					credential,
					parameters: { chat_id: String(stage.dialog.chat_id), text: 'Kept' },
				},
			]),
		);
		await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');
		await stage.answer(({ body }) => body.text === 'Kept');
		const [execution] = await stage.n8n.executions.ofWorkflow(active, 1);
		expect(jsonOf(execution!, 'Request')).toMatchObject([
			{ error: expect.stringContaining('prevent use within an HTTP Request') },
		]);
		await stage.n8n.deleteCredential(credential);
	});

	it('answers when n8n has made its address of a name with a blank, as for a workflow that the command line has imported', async () => {
		const id = `imported${stage.bot.user_id}`;
		const { credential } = stage;
		const draft = workflow('Imported', [
			{ name: 'On message', type: TRIGGER, credential, parameters: { events: EVENTS } },
			{
				name: 'Send',
				type: ACTION,
				credential,
				parameters: { chat_id: '={{ $json.chat_id }}', text: 'Imported' },
			},
		]);
		await importWorkflow(withNode(draft, 'On message', { webhookId: undefined }), id);
		const active = await stage.n8n.activate(await stage.n8n.getWorkflow(id));
		try {
			expect(active.nodes[0]?.webhookId).toBeUndefined();
			await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');
			await stage.answer(({ body }) => body.text === 'Imported');
		} finally {
			await stage.n8n.deleteWorkflow(active);
		}
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

	it('cannot be activated while the service refuses each subscription, and says why', async () => {
		await stage.control.setFaults([
			{
				match: { method: 'POST', path: '/subscriptions' },
				then: { status: 500, body: { code: 'internal', message: 'Out of order' } },
				count: -1,
			},
		]);

		await expect(stage.createActive(echo())).rejects.toThrow('Out of order');
	});
});

describe('the trigger in a real n8n', () => {
	const played = useSteps();

	it('loses no event and runs none twice while its workflow is published again and again', async () => {
		const { stage, steps } = played;
		let active = await stage.createActive(steps.workflow(stage));
		const sent: string[] = [];
		let isOver = false;
		const stream = async () => {
			while (!isOver) {
				const payload = `published-${sent.length}`;
				sent.push(payload);
				await happen(stage, payload);
				await sleep(100);
				// A slow machine is given time to process them.
				const isShort = () => steps.missing(sent).length < 20;
				await waitFor(isShort, { timeout: 60_000, what: 'the events under way' });
			}
		};
		const streaming = stream();
		for (let time = 0; time < 4; time++) {
			const events = time % 2 === 0 ? ['bot_started', 'message_created'] : ['*'];
			const { nodes } = withNode(active, 'Trigger', { parameters: { events } });
			active = await stage.n8n.updateWorkflow(active, { nodes });
			active = await stage.n8n.activate(active);
		}
		isOver = true;
		await streaming;
		const answered = async () => {
			const deliveries = await stage.control.journal({ kind: 'delivery' });
			return deliveries.filter(({ attempt }) => attempt === 1).length;
		};
		// Advancing the clock would cut off a delivery in flight.
		await waitFor(async () => (await answered()) === sent.length, {
			timeout: 60_000,
			what: 'answers',
		});
		// Events that found no webhook in n8n are delivered again.
		await stage.control.advance(61_000);
		await steps.all(sent, 60_000);
		expect(steps.repeated).toEqual([]);
	});

	describe('what people write in quick succession', () => {
		/** Another person with a dialog. */
		const dialogOf = async (name: string): Promise<ShownChat> => {
			const { control, bot } = played.stage;
			const { user_id } = await control.createUser({ first_name: name });
			return await control.createDialog(bot.user_id, user_id);
		};

		it('in 50 chats is run in the order of each chat, once each, and no chat waits for another', async () => {
			const { stage, steps } = played;
			await stage.createActive(steps.workflow(stage));
			steps.hold((payload) => payload === '0-0');
			const written = await writeEverywhere(stage);
			const [slow = [], ...others] = written;
			await steps.all([...others.flat(), '0-0'], 200_000);
			expect(slow.filter((payload) => steps.of(payload) > 0)).toEqual(['0-0']);

			steps.release();
			await steps.all(slow, 60_000);
			expect(arrivalsByChat(steps, written)).toEqual(written);
			expect(steps.repeated).toEqual([]);
		}, 300_000);

		it('shows people that the bot is typing, until it has written or the execution has ended', async () => {
			const { stage, steps } = played;
			const { credential } = stage;
			const chat_id = "={{ $('Trigger').item.json.chat_id }}";
			const active = await stage.createActive(
				workflow('Typing', [
					{
						name: 'Trigger',
						type: TRIGGER,
						credential,
						parameters: { events: ['message_created'], options: { typing: true } },
					},
					steps.node('Before', "'before-' + $json.text"),
					{
						name: 'Send',
						type: ACTION,
						credential,
						onError: 'continueRegularOutput',
						// The text for the person who is to get nothing is empty: the step fails and the workflow goes on.
						parameters: {
							chat_id,
							text: "={{ $('Trigger').item.json.text.replace('silent', '') }}",
						},
					},
					steps.node('After', "'after-' + $('Trigger').item.json.text"),
				]),
			);
			const silent = await dialogOf('Oleg');
			const signs = async ({ chat_id: chat }: ShownChat) =>
				(await stage.control.journal({ method: 'POST', path: `/chats/${chat}/actions` })).length;
			steps.hold((payload) => payload !== 'after-silent');
			await stage.control.userWrites(stage.dialog.chat_id, 'answered');
			await stage.control.userWrites(silent.chat_id, 'silent');
			await waitFor(async () => (await signs(stage.dialog)) >= 2 && (await signs(silent)) >= 2, {
				timeout: 60_000,
				what: 'the second sign of typing',
			});

			// One execution has written and is still running, the other one ends without writing.
			steps.hold((payload) => payload === 'after-answered');
			steps.release((payload) => payload.startsWith('before-'));
			await steps.all(['after-answered', 'after-silent']);
			await stage.n8n.executions.ofWorkflow(active, 1);
			const seen = [await signs(stage.dialog), await signs(silent)];
			await sleep(SIGN_MS);
			expect([await signs(stage.dialog), await signs(silent)]).toEqual(seen);
			const all = await stage.control.journal({ kind: 'request', path: '/chats/*/actions' });
			expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
		});
	});

	it(
		'is subscribed again within minutes, however it lost its subscription, and gets what was missed',
		async () => {
			const { deleted, expired, usurped, lost, steps } = robbed;
			const healed = async () => {
				const kept = [await deleted.subscriptions(), await expired.subscriptions()];
				const [owned] = await usurped.subscriptions();
				return kept.every(({ length }) => length === 1) && owned?.secret === lost?.secret;
			};
			await waitFor(healed, { timeout: HEALING_MS, interval: 1000, what: 'the subscriptions' });
			// The event has been refused more than once, and is delivered again after ever longer pauses.
			await usurped.control.advance(1_800_000);
			await happen(deleted, 'healed');
			await happen(expired, 'healed-too');
			await steps.all(['missed', 'refused', 'healed', 'healed-too']);
			expect(steps.repeated).toEqual([]);
		},
		HEALING_MS + 60_000,
	);
});

/** Each chat gets its messages without a pause, all chats at the same time. Returns them by chat. */
async function writeEverywhere({ control, bot }: Stage): Promise<string[][]> {
	const written = Array.from({ length: CHATS }, (_, chat) => payloadsOf(String(chat), MESSAGES));
	await Promise.all(
		written.map(async (payloads, chat) => {
			let timestamp = 0;
			for (const payload of payloads) {
				timestamp = Math.max(timestamp + 1, Date.now());
				const event = { ...botStarted(payload, 1000 + chat), timestamp };
				await control.enqueue(bot.user_id, event);
			}
		}),
	);
	return written;
}

const arrivalsByChat = (steps: Steps, written: string[][]): string[][] =>
	written.map((payloads) => steps.arrivals.filter((each) => payloads.includes(each)));
