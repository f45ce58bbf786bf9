import { type BotClient, isBad, keyboard, refuses, Scene, succeeds } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;
let mid: string;
let callbackId: string;

beforeAll(async () => {
	bot = await scene.bot();
	({ chatId } = await scene.dialog(bot));
});

beforeEach(async () => {
	mid = (await bot.say(chatId, 'Pick', { attachments: [keyboard] })).body.message.body.mid;
	callbackId = (await scene.control.press(mid)).callback_id ?? '';
});

const answer = (body: object, id = callbackId) =>
	bot.post(`/answers?callback_id=${encodeURIComponent(id)}`, body);

it('count as writes into their chat', async () => {
	await scene.control.setLimits({ messages_per_second_per_chat: 2 });
	const answers = [];
	for (let count = 0; count < 3; count += 1) answers.push(await answer({ notification: 'a' }));
	await scene.control.setLimits({ messages_per_second_per_chat: 0 });
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
	expect(answers[2]?.body.message).toContain('Limit is: 2 calls per second');
});

it('reach the right person in a group', async () => {
	const group = await scene.group(bot);
	const people = await Promise.all([scene.control.createUser(), scene.control.createUser()]);
	const sent = await bot.say(group.chatId, 'Pick', { attachments: [keyboard] });
	const ids: string[] = [];
	for (const { user_id } of people) {
		await scene.control.addMember(group.chatId, { user_id });
		const pressed = await scene.control.press(sent.body.message.body.mid, { user_id });
		ids.push(pressed.callback_id ?? '');
	}
	await answer({ notification: 'First' }, ids[0]);
	await answer({ notification: 'Second' }, ids[1]);
	for (const [index, text] of ['First', 'Second'].entries()) {
		const seen = await scene.control.notifications(people[index]?.user_id);
		expect(seen.map((notification) => notification.text)).toEqual([text]);
	}
});

it('are refused when they say nothing', async () => {
	for (const body of [{}, { message: null, notification: null }]) {
		await isBad(answer(body), 'Invalid request. `message` or `notification` required');
	}
});

it('are refused without a callback id, with a blank one and with an unknown one', async () => {
	await isBad(
		bot.post('/answers', { notification: 'a' }),
		'Missing required parameter: callback_id',
	);
	await isBad(
		answer({ notification: 'a' }, '  '),
		"Field 'callback_id' does not match required pattern",
	);
	await refuses(answer({ notification: 'a' }, 'unknown'), 'not.found');
});

it('are refused from another bot', async () => {
	const other = await scene.bot();
	await refuses(
		other.post(`/answers?callback_id=${callbackId}`, { notification: 'a' }),
		'not.found',
	);
});

it('check the message like sending does, before anything happens', async () => {
	const count = (await scene.control.notifications()).length;
	await isBad(
		answer({ message: { text: 'a'.repeat(4001) }, notification: 'a' }),
		"Field 'text' size (4001) must be at most 4000",
	);
	expect(await scene.control.notifications()).toHaveLength(count);
});

it('can notify, but not change, when the message was deleted', async () => {
	await bot.delete(`/messages?message_id=${mid}`);
	await succeeds(answer({ notification: 'a' }));
	await refuses(answer({ message: { text: 'a' } }), 'not.found');
});
