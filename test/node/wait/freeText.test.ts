import type { ShownUser } from '../../platform';
import { hurryTimeouts } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { notified, shown } from '../../support/question';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import {
	APPROVAL,
	ask,
	asking,
	atTimes,
	EXPIRING,
	expiry,
	newest,
	passedOn,
	press,
	TEXT,
} from './asked';

const LOCATION = { type: 'location', latitude: 55.75, longitude: 37.61 };
const PLACE = { type: 'location', latitude: 55.75 };

describe('a question that is answered in words', () => {
	const stage = Stage.forEachTest();
	let vera: ShownUser;
	let chatId: string;
	let trigger: TriggerHost;
	beforeEach(async () => {
		({ user: vera, chatId } = await stage.dialog());
		trigger = await stage.activeTrigger({ events: ['*'] });
	});

	const write = async (message: Parameters<typeof stage.control.userWrites>[1]) =>
		await stage.control.userWrites(chatId, message);

	it("a text is the person's next message in the dialog, with its files", async () => {
		const { host, question } = await ask(stage, chatId, TEXT);
		await write({ text: 'Here I am', attachments: [LOCATION] });
		expect(await passedOn(host)).toMatchObject({
			text: 'Here I am',
			attachments: [PLACE],
			responder: { user_name: 'Vera' },
			message_id: question.body.mid,
		});
		await shown(stage, question.body.mid, 'Really?\n\n✅ Here I am (Vera)');
	});

	it('a text is waited for even if the service tells no readable time of the question', async () => {
		const recipient = { chat_id: chatId };
		const message = { timestamp: { toString: 1 }, recipient, body: { mid: 'mid.1' } };
		await stage.fault({ method: 'POST', path: '/messages' }, { status: 200, body: { message } });
		expect(await asking(stage, chatId, TEXT)).toMatchObject({ status: 'waiting' });
	});

	it('a text may be what a further button sends for the person', async () => {
		const keyboard_json = '[[{ "type": "message", "text": "As soon as possible" }]]';
		const parameters = { ...TEXT, keyboard_source: 'json', keyboard_json };
		const asked = await ask(stage, chatId, parameters);
		await press(stage, asked, 'As soon as possible');
		expect(await passedOn(asked.host)).toMatchObject({ text: 'As soon as possible' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it.each([
		['with a body', false, undefined, 'Broken here'],
		['without a body', true, undefined, 'Broken here'],
		['with a text of its own', false, 'This', 'This'],
	])(
		'a text may be a forwarded message, with its files, which the service gives %s',
		async (_, null_bodies, said, text) => {
			await stage.control.setSettings({ null_bodies });
			const original = await write({ text: 'Broken here', attachments: [LOCATION] });
			await trigger.ended(1);
			const { host, question } = await ask(stage, chatId, TEXT);
			await write({ text: said, link: { type: 'forward', mid: original.body.mid } });
			const responder = { user_name: 'Vera' };
			expect(await passedOn(host)).toMatchObject({ text, attachments: [PLACE], responder });
			await shown(stage, question.body.mid, `Really?\n\n✅ ${text} (Vera)`);
			expect(trigger.stored.executions).toHaveLength(1);
		},
	);

	const answers = async () => await stage.control.journal({ kind: 'delivery', status: 200 });

	it.each([
		['at once', { duplicate: 1 }, 0],
		['a minute later', { cut: 'after' }, 61_000],
	] as const)(
		'a text that is delivered again %s answers once, and starts no workflow',
		async (_, effect, laterMs) => {
			const { host } = await ask(stage, chatId, TEXT);
			await stage.fault({ origin: 'delivery' }, effect);
			await write('Seven');
			expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
			await stage.seen({ kind: 'delivery' });
			await stage.control.advance(laterMs);
			await stage.seen({ kind: 'delivery' }, 2);
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it("a text that comes while n8n's database fails answers as soon as it can, and starts no workflow", async () => {
		const { database, credentials } = atTimes(stage);
		const { host } = await ask(stage, chatId, TEXT, { credentials });
		database.failures = 1;
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it('a text is nothing that was written before the question, even if it is delivered again after it', async () => {
		await stage.fault({ origin: 'delivery' }, { cut: 'after' });
		await write('Hello');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.advance(61_000);
		await waitFor(async () => (await answers()).length === 1, { what: 'the second delivery' });
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toHaveLength(1);
	});

	it.each(['chat', 'user'])(
		'a text may come before the service has said that the question to a %s was sent',
		async (send_to) => {
			await stage.fault({ method: 'POST', path: '/messages' }, { slow_body_ms: 1000 });
			const to = { send_to, user_id: String(vera.user_id) };
			const asked = asking(stage, chatId, { ...TEXT, ...to });
			const isSent = async () => (await stage.control.messages(chatId)).length > 0;
			await waitFor(isSent, { what: 'the question', interval: 5 });
			await write('Seven');
			expect(await passedOn(await asked)).toMatchObject({ text: 'Seven' });
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it('a text is a reply in a group, and other messages there answer nothing', async () => {
		const group = await stage.group({ owner_id: vera.user_id });
		const { host, question } = await ask(stage, group, TEXT);
		const said = async (text: string, link?: { type: 'reply'; mid: string }) =>
			await stage.control.userWrites(group, { user_id: vera.user_id, text, link });
		await said('Hello all');
		await stage.seen({ kind: 'delivery' });
		expect(host.status).toBe('waiting');
		await said('Seven', { type: 'reply', mid: question.body.mid });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it('a reply of somebody who may not answer starts the workflow, and those who may still can', async () => {
		const oleg = await stage.control.createUser({ first_name: 'Oleg' });
		const members = [oleg.user_id];
		const group = await stage.group({ owner_id: vera.user_id, members, silent: true });
		const allowed = { who_may_answer: 'people', allowed_user_ids: String(vera.user_id) };
		const { host, question } = await ask(stage, group, { ...TEXT, ...allowed });
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(group, { user_id: oleg.user_id, text: 'Six', link });
		const [execution] = await trigger.ended(1);
		expect(execution?.items).toMatchObject([{ json: { text: 'Six' } }]);
		await stage.control.userWrites(group, { user_id: vera.user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toHaveLength(1);
	});

	it.each([true, false])(
		'a text is a reply in a channel as well, where the posts are signed: %s',
		async (signatures) => {
			const place = { type: 'channel', signatures, silent: true } as const;
			const channel = await stage.group({ ...place, owner_id: vera.user_id });
			const { host, question } = await ask(stage, channel, TEXT);
			const { mid } = question.body;
			const link = { type: 'reply', mid } as const;
			await stage.control.userWrites(channel, { user_id: vera.user_id, text: 'Seven', link });
			expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
			await shown(stage, mid, `Really?\n\n✅ Seven (${signatures ? 'Vera' : '–'})`);
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it.each([
		['refuses requests', { status: 429 }, 1, 2],
		['takes five seconds', { delay_ms: 1250 }, -1, 1],
	])(
		'a text in a group may reply to any of its questions, even while the service %s',
		async (_, fault, count, times) => {
			const group = await stage.group({ owner_id: vera.user_id });
			const asked = [];
			for (let count = 0; count < 6; count++) asked.push(await ask(stage, group, TEXT));
			const reads = { method: 'GET', path: '/messages' };
			const patience = hurryTimeouts(4);
			try {
				for (const { host, question } of asked.slice(0, 2)) {
					await stage.fault(reads, fault, { count });
					const link = { type: 'reply', mid: question.body.mid } as const;
					await stage.control.userWrites(group, { user_id: vera.user_id, text: 'Seven', link });
					expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
				}
			} finally {
				patience.mockRestore();
			}
			// Only the oldest question has to be looked up.
			expect(await stage.control.journal({ kind: 'request', ...reads })).toHaveLength(times);
		},
	);

	it('a message that asks nothing is looked up for the first reply to it only', async () => {
		await stage.run({ operation: 'send', chat_id: chatId, text: 'By the way' });
		const link = { type: 'reply', mid: (await newest(stage, chatId)).question.body.mid } as const;
		for (let count = 1; count <= 3; count++) {
			await write({ text: 'Yes', link });
			await trigger.ended(count);
		}
		const reads = { kind: 'request', method: 'GET', path: '/messages' } as const;
		expect(await stage.control.journal(reads)).toHaveLength(1);
	});

	it('a message does not overtake a reply that is still looked up', async () => {
		await stage.run({ operation: 'send', chat_id: chatId, text: 'By the way' });
		const link = { type: 'reply', mid: (await newest(stage, chatId)).question.body.mid } as const;
		await stage.fault({ method: 'GET', path: '/messages' }, { delay_ms: 1000 });
		await write({ text: 'One', link });
		await stage.faultMet();
		await write('Two');
		const executions = await trigger.ended(2);
		expect(executions.map(({ items }) => items[0]?.json.text)).toEqual(['One', 'Two']);
	});

	it('a text is no earlier message that is changed', async () => {
		const earlier = await write('Eight');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.userEdits(earlier.body.mid, { text: 'Nine' });
		await trigger.ended(2);
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it('a reply to a question that is answered by a button is a message like any other', async () => {
		const { host, question } = await ask(stage, chatId, APPROVAL);
		await write({ text: 'Yes', link: { type: 'reply', mid: question.body.mid } });
		await trigger.ended(1);
		expect(host.status).toBe('waiting');
	});

	it('a reply to a question from before the token was replaced is a message like any other', async () => {
		// A secret derived from the token would change with it.
		const renewed = await stage.activeTrigger({ events: ['*'], options: { secret: 'the-same' } });
		const { host, question } = await ask(stage, chatId, TEXT);
		await stage.renewToken();
		await write({ text: 'Seven', link: { type: 'reply', mid: question.body.mid } });
		await renewed.ended(1);
		expect(host.status).toBe('waiting');
	});

	it('a text in a dialog is no reply to another message', async () => {
		const earlier = await write('Look at this');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await write({ text: 'Do you see it?', link: { type: 'reply', mid: earlier.body.mid } });
		await trigger.ended(2);
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it("a text is what a person writes, even if the service also reports the bot's own messages", async () => {
		await stage.control.setSettings({ own_events: true });
		const { host } = await ask(stage, chatId, TEXT);
		await stage.run({ operation: 'send', chat_id: chatId, text: 'By the way' });
		const isAnswered = async () =>
			(await stage.control.journal({ kind: 'delivery', status: 200 })).length === 2;
		await waitFor(isAnswered, { what: 'the question and the own message to be answered' });
		expect(host.status).toBe('waiting');
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it('the button below such a question says how to answer, and the text may follow at once', async () => {
		const texts = { howTo: 'Écrivez votre réponse', howToLabel: 'Comment ?' };
		const asked = await ask(stage, chatId, { ...TEXT, texts });
		await press(stage, asked, 'Comment ?');
		expect(await notified(stage, vera)).toEqual(['Écrivez votre réponse']);
		expect(asked.host.status).toBe('waiting');
		await stage.control.userWrites(chatId, 'Blue');
		expect(await passedOn(asked.host)).toMatchObject({ text: 'Blue' });
	});

	it('with several questions in a dialog, the next message answers the last one, then those before it', async () => {
		const first = await ask(stage, chatId, TEXT);
		const second = await ask(stage, chatId, TEXT);
		await write('Two');
		expect(await passedOn(second.host)).toMatchObject({ text: 'Two' });
		await write('One');
		expect(await passedOn(first.host)).toMatchObject({ text: 'One' });
	});

	it('an expired question does not take a message from one that still waits', async () => {
		const first = await ask(stage, chatId, TEXT);
		const second = await ask(stage, chatId, TEXT);
		await second.host.timeOut();
		await write('One');
		expect(await passedOn(first.host)).toMatchObject({ text: 'One' });
	});

	it('after the end of the wait, messages start the workflow at once and in order, even while the execution goes on', async () => {
		const { host } = await ask(stage, chatId, { ...TEXT, ...EXPIRING });
		await expiry();
		host.status = 'running';
		await write('One');
		await write('Two');
		const executions = await trigger.ended(2);
		expect(executions.map(({ items }) => items[0]?.json.text)).toEqual(['One', 'Two']);
		expect(host.early).toBe(0);
	});

	it('a message after the answer is an ordinary one again', async () => {
		const { host } = await ask(stage, chatId, TEXT);
		await write('One');
		await passedOn(host);
		await write('Two');
		await stage.seen({ kind: 'delivery' }, 2);
		expect(host.passed).toHaveLength(1);
	});
});

describe('a service that has only what the interface states', () => {
	const stage = Stage.forEachTest({ profile: 'contract' });

	it('says enough to find the question that a text in a group answers', async () => {
		const { user_id } = await stage.control.createUser({ first_name: 'Vera' });
		const group = await stage.group({ owner_id: user_id });
		await stage.activeTrigger({ events: ['*'] });
		const { host, question } = await ask(stage, group, TEXT);
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(group, { user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});
});

describe('a group with two bots of this n8n', () => {
	const stage = Stage.forEachTest();

	it('a text that is delivered again answers once, and starts no workflow of the bot that asked', async () => {
		const other = await stage.control.createBot();
		const { user } = await stage.dialog();
		const group = await stage.group({
			owner_id: user.user_id,
			admins: [{ user_id: stage.bot.user_id }, { user_id: other.user_id }],
		});
		const { baseUrl } = stage.platform;
		const credentials = { botMessagingApi: { baseUrl, accessToken: other.token } };
		const events = ['message_created'];
		const trigger = await stage.activeTrigger({ events });
		const neighbour = await stage.activeTrigger({ events }, { credentials });
		const { host, question } = await ask(stage, group, TEXT);
		await stage.fault({ origin: 'delivery', path: trigger.webhookUrl() }, { cut: 'after' });
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(group, { user_id: user.user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		// The question and the answer.
		await neighbour.ended(2);
		await stage.control.advance(61_000);
		const answered = async () => await stage.control.journal({ kind: 'delivery', status: 200 });
		await waitFor(async () => (await answered()).length === 3, { what: 'the second delivery' });
		expect(trigger.stored.executions).toEqual([]);
	});
});

describe('two services of this n8n whose dialogs have the same ID', () => {
	const stage = Stage.forEachTest();
	const other = Stage.forEachTest();

	it('each have five questions for which a text need not be a reply', async () => {
		const { user, chatId } = await stage.dialog();
		expect((await other.dialog()).chatId).toBe(chatId);
		await stage.activeTrigger({ events: ['*'] });
		const { host } = await ask(stage, chatId, TEXT);
		for (let more = 0; more < 5; more++) await ask(other, chatId, TEXT);
		await stage.control.userWrites(chatId, { user_id: user.user_id, text: 'Seven' });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});
});
