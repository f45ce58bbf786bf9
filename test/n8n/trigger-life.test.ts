import { setTimeout as sleep } from 'node:timers/promises';
import type { ShownChat } from '../platform/control';
import { waitFor } from '../support/wait';
import { Stage } from './stage';
import { happen, payloadsOf, Steps, useSteps } from './steps';
import { ACTION, TRIGGER, withNode, workflow } from './workflow';

/** Longer than the watchdog waits between two checks. */
const HEALING_MS = 150_000;

const CHATS = 50;
const MESSAGES = 5;

/** Longer than the pause between two signs of typing. */
const SIGN_MS = 4500;

/** Three bots that lost their subscriptions, each in another way, and the steps after their triggers. */
interface Robbed {
	deleted: Stage;
	expired: Stage;
	usurped: Stage;
	/** The subscription that somebody else has now. */
	lost: Awaited<ReturnType<Stage['subscriptions']>>[number] | undefined;
	steps: Steps;
}

describe('the trigger in a real n8n', () => {
	let robbed: Robbed;
	// The watchdog takes its time, so the other tests run meanwhile.
	beforeAll(async () => {
		robbed = await rob();
	}, 120_000);
	afterAll(async () => {
		for (const stage of [robbed.deleted, robbed.expired, robbed.usurped]) await stage.close();
		await robbed.steps.close();
	}, 120_000);

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
			await stage.createActive(
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

async function rob(): Promise<Robbed> {
	const steps = await Steps.open();
	const [deleted, expired, usurped] = [await Stage.open(), await Stage.open(), await Stage.open()];
	for (const each of [deleted, expired, usurped]) await each.createActive(steps.workflow(each));

	const [own] = await deleted.subscriptions();
	await deleted.call('DELETE', '/subscriptions', { query: { url: own?.url ?? '' } });
	await happen(deleted, 'missed');

	await expired.control.setFaults([
		{ match: { origin: 'delivery' }, count: -1, then: { status: 502 } },
	]);
	await happen(expired, 'lost');
	await expired.control.advance(9 * 3_600_000);
	await expired.control.setFaults([]);
	expect([await deleted.subscriptions(), await expired.subscriptions()]).toEqual([[], []]);

	const [lost] = await usurped.subscriptions();
	const theirs = { url: lost?.url, secret: 'somebody-elses' };
	await usurped.call('POST', '/subscriptions', { body: theirs });
	await happen(usurped, 'refused');
	return { deleted, expired, usurped, lost, steps };
}

/** Each chat gets its messages without a pause, all chats at the same time. Returns them by chat. */
async function writeEverywhere({ control, bot }: Stage): Promise<string[][]> {
	const written = Array.from({ length: CHATS }, (_, chat) => payloadsOf(String(chat), MESSAGES));
	await Promise.all(
		written.map(async (payloads, chat) => {
			let timestamp = 0;
			for (const payload of payloads) {
				timestamp = Math.max(timestamp + 1, Date.now());
				await control.enqueue(bot.user_id, {
					update_type: 'bot_started',
					chat_id: 1000 + chat,
					payload,
					timestamp,
					user: { user_id: 110022334, first_name: 'Vera', is_bot: false },
				});
			}
		}),
	);
	return written;
}

const arrivalsByChat = (steps: Steps, written: string[][]): string[][] =>
	written.map((payloads) => steps.arrivals.filter((each) => payloads.includes(each)));
