import { ROUTES } from './api/routes';
import { type ProfileName, PROFILES } from './profiles';
import { type BotClient, isBad, refuses, Scene } from './scene';

let scene: Scene;
let bot: BotClient;

/** A platform of this kind with one bot. */
async function play(profile: ProfileName): Promise<void> {
	scene = await Scene.open({ profile });
	bot = await scene.bot({ first_name: 'Clerk', description: 'Answers' });
}

afterEach(() => scene.close());

it('every operation that a profile has is played, and none other', async () => {
	await play('current');
	const played = Object.keys(ROUTES).sort();
	expect(Object.keys(PROFILES.current.operations).sort()).toEqual(played);
	expect(played).toEqual(expect.arrayContaining(Object.keys(PROFILES.contract.operations)));
});

describe('a service that knows only the contract', () => {
	beforeEach(() => play('contract'));

	it('ignores unknown parameters: before and after change nothing', async () => {
		const { chatId } = await scene.dialog(bot);
		for (const text of ['One', 'Two']) await bot.say(chatId, text);
		const all = await bot.get(`/messages?chat_id=${chatId}`);
		const [, first] = all.body.messages;
		const asked = await bot.get(`/messages?chat_id=${chatId}&before=1&after=${Date.now() * 2}`);
		expect(asked.body).toEqual(all.body);
		const upTo = await bot.get(`/messages?chat_id=${chatId}&from=${first.timestamp}`);
		expect(upTo.body.messages).toEqual([first]);
	});

	it('leaves out optional fields, and shows nullable ones as null', async () => {
		const { chatId } = await scene.dialog(bot);
		const { body } = await bot.post(`/messages?chat_id=${chatId}`, {
			attachments: [{ type: 'location', latitude: 1, longitude: 2 }],
		});
		expect(body.message).toEqual({
			sender: { user_id: bot.id, first_name: 'Clerk', username: expect.any(String), is_bot: true },
			recipient: expect.objectContaining({ chat_id: chatId }),
			timestamp: expect.any(Number),
			link: null,
			body: {
				mid: expect.any(String),
				seq: expect.anything(),
				text: null,
				attachments: [{ type: 'location', latitude: 1, longitude: 2 }],
			},
		});
		await scene.control.userWrites(chatId, 'Hello');
		const [update] = await bot.updates();
		expect(update).not.toHaveProperty('user_locale');
		expect(update.message.body).toMatchObject({ text: 'Hello', attachments: null });
	});

	it('shows a membership without its optional fields', async () => {
		const { chatId } = await scene.group(bot, { permissions: ['read_all_messages'] });
		const { body } = await bot.get(`/chats/${chatId}/members/me`);
		expect(Object.keys(body).sort()).toEqual(
			[
				'user_id',
				'first_name',
				'username',
				'is_bot',
				'last_access_time',
				'join_time',
				'is_owner',
				'is_admin',
				'permissions',
			].sort(),
		);
	});

	it('gives the latest update to a poll without marker', async () => {
		const { chatId } = await scene.dialog(bot);
		for (const text of ['One', 'Two']) await scene.control.userWrites(chatId, text);
		const { body } = await bot.get('/updates?timeout=0');
		expect(body.updates).toMatchObject([{ message: { body: { text: 'Two' } } }]);
	});

	it('lets a second subscription take the place of the first', async () => {
		for (const path of ['a', 'b']) {
			await bot.post('/subscriptions', { url: `https://bot.example/${path}` });
		}
		const { body } = await bot.get('/subscriptions');
		expect(body.subscriptions).toMatchObject([{ url: 'https://bot.example/b' }]);
	});

	it('takes files with the token alone, and answers with the token of an image', async () => {
		const { body } = await bot.post('/uploads?type=image');
		const form = new FormData();
		form.append('data', new File(['image'], 'a.png'), 'a.png');
		const upload = (headers = {}) => fetch(body.url, { method: 'POST', body: form, headers });
		expect((await upload()).status).toBe(401);
		const answer = await upload({ authorization: bot.shown.token });
		expect(await answer.json()).toEqual({ token: expect.any(String) });
	});
});

describe('a strict service', () => {
	beforeEach(() => play('strict'));

	it('refuses parameters that an operation does not have', async () => {
		await isBad(bot.get('/me?v=1'), 'Unknown parameter: v');
		await isBad(bot.get('/updates?timeout=0&count=5'), 'Unknown parameter: count');
	});

	it('refuses parameters without a value or with several', async () => {
		const none = await bot.get('/updates?timeout=0&marker=');
		await isBad(none, "Field 'marker' must have one value");
		const two = await bot.get('/updates?timeout=0&types=bot_added&types=bot_removed');
		await isBad(two, "Field 'types' must have one value");
	});

	it('refuses a body where an operation takes none', async () => {
		await isBad(bot.post('/uploads?type=image', {}), 'No body expected');
	});

	it('shows what is missing as null', async () => {
		const { chatId } = await scene.dialog(bot);
		await scene.control.userWrites(chatId, 'Hello');
		const update = (await bot.updates()).at(-1);
		expect(update.message).toMatchObject({ link: null, body: { attachments: null } });
	});

	it('shows as null what a member lacks, but no rights in a sender, who cannot have any', async () => {
		const { chatId } = await scene.group(bot);
		const { user_id } = await scene.control.createUser();
		await scene.control.addMember(chatId, { user_id });
		const { body } = await bot.get(`/chats/${chatId}/members?user_ids=${user_id}`);
		const lacking = { last_name: null, avatar_url: null, permissions: null, alias: null };
		expect(body.members).toMatchObject([lacking]);
		const { sender } = (await bot.say(chatId, 'a')).body.message;
		expect(sender).toHaveProperty('last_name', null);
		expect(sender).not.toHaveProperty('permissions');
		expect(sender).not.toHaveProperty('avatar_url');
	});

	it('refuses null, but where it means something', async () => {
		const { chatId } = await scene.dialog(bot);
		const buttons = [[{ type: 'callback', text: 'A', payload: null }]];
		const attachments = [{ type: 'inline_keyboard', payload: { buttons } }];
		await isBad(bot.say(chatId, 'a', { attachments }), "Field 'payload' cannot be null");
		const nothing = { attachments: null, link: null, format: null };
		expect((await bot.say(chatId, 'a', nothing)).status).toBe(200);
	});

	it('takes null for a field only in the operations that allow it there', async () => {
		const { chatId } = await scene.group(bot);
		const { body } = await bot.say(chatId, 'a');
		const pin = { message_id: body.message.body.mid, notify: null };
		expect((await bot.put(`/chats/${chatId}/pin`, pin)).status).toBe(200);
		expect((await bot.patch(`/chats/${chatId}`, { description: null })).status).toBe(200);
		await isBad(bot.say(chatId, 'a', { notify: null }), "Field 'notify' cannot be null");
		const commands = [{ name: 'help', description: null }];
		await isBad(bot.patch('/me/commands', { commands }), "Field 'description' cannot be null");
	});

	it.each([
		['disable_link_preview', { text: 'a', disable_link_preview: true }],
		['id', { link: { type: 'reply', mid: 'mid.1', id: 1 } }],
		['token', { attachments: [{ type: 'image', token: 'abc' }] }],
		['id', { attachments: [{ type: 'image', payload: { id: 1 } }] }],
		['payload', { text: 'a', attachments: keyboard({ type: 'link', url: '', payload: 'a' }) }],
	])('refuses the unknown field %s of a message, wherever it stands', async (name, message) => {
		const { chatId } = await scene.dialog(bot);
		const answer = await bot.post(`/messages?chat_id=${chatId}`, message);
		await isBad(answer, `Unknown field: ${name}`);
	});

	it('takes buttons as they were received', async () => {
		const { chatId } = await scene.dialog(bot);
		const button = { type: 'callback', text: 'A', payload: 'a' };
		const { body } = await bot.post(`/messages?chat_id=${chatId}`, {
			text: 'Choose',
			attachments: keyboard(button),
		});
		const [{ payload }] = body.message.body.attachments;
		const again = { text: 'Again', attachments: [{ type: 'inline_keyboard', payload }] };
		expect((await bot.post(`/messages?chat_id=${chatId}`, again)).status).toBe(200);
	});

	it('checks the token before it refuses unknown parameters', async () => {
		const answer = await bot.send('GET', '/me?v=1', undefined, { authorization: 'no' });
		await refuses(answer, 'verify.token');
	});
});

describe('a service that refuses with codes', () => {
	beforeEach(() => play('coded'));

	it('refuses with status 200 where the answer is nothing but a status', async () => {
		const { chatId } = await scene.group(bot);
		const answer = await bot.put(`/chats/${chatId}/pin`, { message_id: 'mid.7' });
		const message = 'Message mid.7 not found';
		expect(answer).toMatchObject({
			status: 200,
			body: { success: false, code: 'not.found', message },
		});
		await refuses(bot.get('/messages/mid.7'), 'not.found', message);
	});

	it('does not tell who added the bot, but who removed it', async () => {
		const { chatId, ownerId } = await scene.group(bot, { silent: false });
		await scene.control.removeMember(chatId, bot.id, ownerId);
		const [added, removed] = await bot.updates();
		expect(added).toMatchObject({ update_type: 'bot_added', chat_id: chatId });
		expect(added).not.toHaveProperty('user');
		expect(removed).toMatchObject({ update_type: 'bot_removed', user: { user_id: ownerId } });
	});
});

function keyboard(button: object): object[] {
	return [{ type: 'inline_keyboard', payload: { buttons: [[{ text: 'A', ...button }]] } }];
}
