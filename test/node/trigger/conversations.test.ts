import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { hurry } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { PassThrough } from '../support/nodeTypes';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import { carrying, post } from './post';

const SECRET = 'a-secret-of-our-own';

/** The workflow behind the trigger: it takes as long as the test wants. */
class Step implements INodeType {
	description: INodeTypeDescription = {
		...new PassThrough().description,
		displayName: 'Step',
		name: 'step',
		inputs: ['main'],
	};

	/** The items of the executions that have reached this step, in order. */
	readonly seen: INodeExecutionData[][] = [];

	private readonly releases: Array<() => void> = [];

	readonly execute: NonNullable<INodeType['execute']>;

	constructor(waits: boolean) {
		const { seen, releases } = this;
		this.execute = async function (this: IExecuteFunctions) {
			const items = this.getInputData();
			seen.push(items);
			if (waits) await new Promise<void>((release) => releases.push(release));
			return [items];
		};
	}

	/** Lets the oldest waiting execution go on. */
	release(): void {
		this.releases.shift()?.();
	}

	get payloads(): unknown[] {
		return this.seen.flatMap((items) => items.map(({ json }) => json.text ?? json.payload));
	}
}

describe('a trigger and the chats of its bot', () => {
	let step: Step;
	let events = 0;
	beforeEach(() => {
		step = new Step(true);
	});
	afterEach(() => {
		for (let left = 20; left > 0; left--) step.release();
	});
	const stage = Stage.forEachTest();

	const active = async (options: INodeParameters = {}, more: INodeParameters = {}) =>
		await stage.activeTrigger(
			{ events: ['*'], options: { secret: SECRET, ...options }, ...more },
			{ next: { node: step } },
		);

	const message = (chat: number | string, text: string, person = 110022334) => ({
		update_type: 'message_created',
		timestamp: 1785000120000 + ++events,
		message: {
			sender: { user_id: person, first_name: 'Vera', is_bot: false },
			recipient: { chat_id: chat, chat_type: 'dialog' },
			timestamp: 1785000120000 + events,
			body: { mid: `mid.${events}`, text },
		},
	});

	const send = async (host: TriggerHost, event: object) =>
		(await post(host, JSON.stringify(event), carrying(SECRET))).status;

	const steps = async (count: number) =>
		await waitFor(() => step.seen.length >= count, { what: `${count} steps` });

	/** The events a and b of one chat: a has reached its step, b waits for it. */
	const twoOfOneChat = async () => {
		const host = await active();
		const first = send(host, message(1, 'a'));
		await steps(1);
		const second = send(host, message(1, 'b'));
		// This one is answered at once, so the one before has arrived.
		expect(await send(host, {})).toBe(400);
		return { host, first, second };
	};

	it('starts the next event of a chat after the previous execution has ended, and those of other chats at once', async () => {
		const host = await active();
		// The chats of another trigger change nothing.
		await active();
		const first = send(host, message(1, 'a'));
		await steps(1);
		const others = [message(1, 'b'), message(2, 'c'), message(1, 'd')].map(
			async (event) => await send(host, event),
		);
		await steps(2);
		expect(step.payloads).toEqual(['a', 'c']);
		step.release();
		step.release();
		await steps(3);
		step.release();
		await steps(4);
		expect(step.payloads.slice(2)).toEqual(['b', 'd']);
		expect(await Promise.all([first, ...others])).toEqual([200, 200, 200, 200]);
	});

	it('starts an earlier event first even if it arrives while n8n prepares a later one', async () => {
		const host = await active({}, { download_attachments: true });
		const user = await stage.control.createUser({ first_name: 'Vera' });
		const { chat_id } = await stage.control.createDialog(stage.bot.user_id, user.user_id);
		const first = send(host, message(chat_id, 'first'));
		await steps(1);
		step.release();
		expect(await first).toBe(200);

		const before = message(chat_id, 'before');
		await stage.fault({ origin: 'upload', method: 'GET' }, { delay_ms: 20_000 });
		const picture = { type: 'image', content_base64: 'cGljdHVyZQ==', file_name: 'sea.png' };
		await stage.control.userWrites(chat_id, { text: 'behind', attachments: [picture] });
		await stage.faultMet();
		expect(await send(host, before)).toBe(200);
		await steps(2);
		step.release();
		await stage.control.advance(20_000);
		await steps(3);
		expect(step.payloads).toEqual(['first', 'before', 'behind']);
		expect(host.stored.executions).toHaveLength(3);
	});

	it('keeps the order while it looks up whether a reply to the bot answers a question', async () => {
		step = new Step(false);
		const host = await active();
		await stage.fault({ method: 'GET', path: '/messages*' }, { delay_ms: 500 });
		const reply = message(1, 'reply');
		const link = { type: 'reply', sender: { is_bot: true }, message: { mid: 'mid.0' } };
		const first = send(host, { ...reply, message: { ...reply.message, link } });
		await stage.faultMet();
		const second = send(host, message(1, 'next'));
		expect(await Promise.all([first, second])).toEqual([200, 200]);
		expect(step.payloads).toEqual(['reply', 'next']);
	});

	it.each([
		['at once, if their order does not matter', { order: 'at_once' }],
		['after the longest wait, if the execution before never ends', { longest_wait: 0.02 }],
	])('starts the next event of a chat %s', async (_, options) => {
		const host = await active(options);
		const all = ['a', 'b'].map(async (text) => await send(host, message(1, text)));
		expect(await Promise.all(all)).toEqual([200, 200]);
		await steps(2);
	});

	it('keeps the order when the workflow is published again meanwhile', async () => {
		const { host, first, second } = await twoOfOneChat();
		await host.republish({ events: ['*'], options: { secret: SECRET, longest_wait: 4 } });
		const third = send(host, message(1, 'c'));
		step.release();
		await steps(2);
		step.release();
		await steps(3);
		expect(step.payloads).toEqual(['a', 'b', 'c']);
		expect(await Promise.all([first, second, third])).toEqual([200, 200, 200]);
	});

	it('starts an event at once that comes after another process of n8n has taken the trigger over', async () => {
		const host = await active();
		await host.memory.stop();
		expect(await send(host, message(1, 'a'))).toBe(200);
		await steps(1);
	});

	it('answers every delivery of a waiting event with 200, and runs it once', async () => {
		const host = await active();
		const first = send(host, message(1, 'a'));
		await steps(1);
		const event = message(1, 'b');
		const repeated = Promise.all([1, 2, 3].map(async () => await send(host, event)));
		step.release();
		expect(await Promise.all([first, repeated])).toEqual([200, [200, 200, 200]]);
		await steps(2);
		expect(step.payloads).toEqual(['a', 'b']);
	});

	it('groups events that wait while an execution is being stored into the next one', async () => {
		step = new Step(false);
		const host = await active({ several_events: true, order: 'at_once' });
		// The workflow is loaded for the address of each event, and again when it arrives.
		const loading = jest.spyOn(host.stored, 'load');
		const haveArrived = () => loading.mock.calls.length >= 40;
		host.memory.storing = async () => void (await waitFor(haveArrived, { what: 'all events' }));
		const events20 = Array.from({ length: 20 }, (_, index) => message(index, `${index}`));
		const answers = await Promise.all(events20.map(async (event) => await send(host, event)));
		expect(answers).toEqual(Array(20).fill(200));
		await waitFor(() => step.payloads.length === 20, { what: 'all items' });
		expect(step.seen.length).toBeLessThan(15);
		expect(new Set(step.payloads).size).toBe(20);
	});

	describe('where nobody waits for long', () => {
		hurry(20);

		it('starts nothing any more once the workflow is unpublished: what waits is refused', async () => {
			const { host, first, second } = await twoOfOneChat();
			await host.deactivate();
			step.release();
			expect(await Promise.all([first, second])).toEqual([200, 503]);
			expect(step.payloads).toEqual(['a']);
		});
	});

	describe('where people and workflows are quick', () => {
		// A busy machine has the more time for it.
		hurry(0.25);

		it('collects what a person writes into one execution, with all texts in one field', async () => {
			step = new Step(false);
			const host = await active({ collect_seconds: 1 });
			const texts = ['one', '', 'three'];
			const answers = texts.map(async (text) => await send(host, message(1, text)));
			const other = send(host, message(1, 'somebody else', 7));
			expect(await Promise.all([...answers, other])).toEqual([200, 200, 200, 200]);
			await steps(2);
			expect(step.seen.toSorted((one, two) => two.length - one.length)).toMatchObject([
				texts.map((text) => ({ json: { text, collected_text: 'one\nthree' } })),
				[{ json: { text: 'somebody else', collected_text: 'somebody else' } }],
			]);
		});

		it('shows no typing for a quick workflow, nor where the bot answers at once, in the chat or to the person', async () => {
			const shown = async () =>
				await stage.control.journal({ kind: 'request', path: '/chats/*/actions' });
			const dialog = async () => {
				const { user_id } = await stage.control.createUser();
				const { chat_id } = await stage.control.createDialog(stage.bot.user_id, user_id);
				return { chat_id, user_id };
			};
			// Not for the bot's arrival in the group, after which the message would have to wait.
			const host = await active({ typing: true }, { events: ['message_created'] });
			await send(host, message((await dialog()).chat_id, 'a'));
			await steps(1);
			step.release();
			await host.ended(1);
			const answered = await dialog();
			await send(host, message(answered.chat_id, 'b'));
			const text = 'Here I am';
			await stage.run({ operation: 'send', chat_id: String(answered.chat_id), text });
			const { chat_id, user_id } = await dialog();
			const group = await stage.group({ owner_id: user_id });
			await send(host, message(chat_id, 'c', Number(user_id)));
			await send(host, message(group, 'd', Number(user_id)));
			await stage.run({ operation: 'send', send_to: 'user', user_id: String(user_id), text });
			await waitFor(async () => (await shown()).length > 0, { what: 'typing' });
			expect(await shown()).toMatchObject([{ path: `/chats/${group}/actions` }]);
		});

		it('runs the workflow although the service refuses to show typing, and logs why', async () => {
			const host = await active({ typing: true });
			expect(await send(host, message(1, 'a'))).toBe(200);
			const isLogged = () => host.logged.some((line) => /^Typing .*not found/i.test(line));
			await waitFor(isLogged, { what: 'the refusal in the log' });
			step.release();
			await host.ended(1);
			expect(host.memory.failures).toEqual([]);
		});
	});
});
