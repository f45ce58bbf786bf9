import { setTimeout as sleep } from 'node:timers/promises';
import type { ShownChat } from '../platform/control';
import { waitFor } from '../support/wait';
import { jsonOf } from './executions';
import type { Stage } from './stage';
import { happen, payloadsOf, useSteps, type Steps } from './steps';
import { ACTION, TRIGGER, workflow } from './workflow';

const CHATS = 50;
const MESSAGES = 5;

/** Longer than the pause between two signs of typing. */
const SIGN_MS = 4500;

describe('what people write in quick succession', () => {
	const played = useSteps();

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

	it('is collected: one execution with an item for each message, and all texts in order', async () => {
		const { stage, steps } = played;
		const options = { collect_seconds: 2 };
		const active = await stage.createActive(steps.workflow(stage, { options }));
		const other = await dialogOf('Oleg');
		for (const text of ['I would like', 'a lamp', 'and a table']) {
			await stage.control.userWrites(stage.dialog.chat_id, text);
			await stage.control.userWrites(other.chat_id, `${text}!`);
		}
		const executions = await stage.n8n.executions.ofWorkflow(active, 2);
		const items = executions.map((execution) =>
			jsonOf(execution, 'Trigger').map(({ text, collected_text }) => ({ text, collected_text })),
		);
		const collected = (mark: string) => {
			const texts = ['I would like', 'a lamp', 'and a table'].map((text) => `${text}${mark}`);
			return texts.map((text) => ({ text, collected_text: texts.join('\n') }));
		};
		expect(items).toHaveLength(2);
		expect(items).toEqual(expect.arrayContaining([collected(''), collected('!')]));
		expect(steps.repeated).toEqual([]);
	});

	it('is grouped into few executions when one may take several events', async () => {
		const { stage, steps } = played;
		const active = await stage.createActive(
			steps.workflow(stage, { options: { several_events: true } }),
		);
		const payloads = payloadsOf('together', 60);
		await Promise.all(payloads.map(async (payload) => await happen(stage, payload)));
		await steps.all(payloads);
		const executions = await stage.n8n.executions.list(active);
		expect(executions.length).toBeLessThanOrEqual(payloads.length / 2);
		expect(steps.repeated).toEqual([]);
	});

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
					parameters: { chat_id, text: "={{ $('Trigger').item.json.text.replace('silent', '') }}" },
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
