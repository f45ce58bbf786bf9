import { type BotClient, isBad, readAnswer, refuses, Scene } from './scene';

const scene = Scene.forAllTests();
let bot: BotClient;

beforeAll(async () => {
	bot = await scene.bot({ first_name: 'Clerk', username: 'clerk_bot', description: 'Answers' });
});

describe('authentication', () => {
	const withToken = async (authorization: string | undefined, path = '/me') => {
		const headers = authorization === undefined ? undefined : { authorization };
		return readAnswer(await fetch(scene.platform.baseUrl + path, { headers }));
	};

	it('refuses a request without a token', async () => {
		await refuses(withToken(undefined), 'verify.token', 'Invalid access_token');
	});

	it('refuses a token that belongs to no bot', async () => {
		await refuses(withToken('nonsense'), 'verify.token', 'Invalid access_token');
	});

	it('refuses a token after the word Bearer', async () => {
		await refuses(withToken(`Bearer ${bot.shown.token}`), 'verify.token', 'Malformed access token');
	});

	it('refuses a token in the query, with and without the header', async () => {
		const path = `/me?access_token=${bot.shown.token}`;
		await refuses(withToken(undefined, path), 'verify.token');
		await refuses(withToken(bot.shown.token, path), 'verify.token');
	});

	it('takes a new token and refuses the old one after it was rotated or revoked', async () => {
		const other = await scene.bot();
		const { token } = await scene.control.rotateToken(other.id);
		expect((await withToken(other.shown.token)).status).toBe(401);
		expect((await withToken(token)).status).toBe(200);
		await scene.control.revokeToken(other.id);
		expect((await withToken(token)).status).toBe(401);
	});
});

describe('paths, methods and bodies', () => {
	it('answers 404 for an unknown path', async () => {
		await refuses(bot.get('/nowhere'), 'not.found');
		await refuses(bot.get('/me/nothing'), 'not.found');
		await refuses(bot.get('/chats/%E0%A4%A'), 'not.found');
	});

	it('answers 405 for a known path with another method and names the right ones', async () => {
		const answer = await bot.put('/answers', {});
		await refuses(answer, 'method.not.allowed');
		expect(answer.headers.get('allow')).toBe('POST');
	});

	it('refuses the withdrawn operations', async () => {
		await refuses(bot.get('/chats'), 'not.found');
		await refuses(bot.get('/chats/some_link'), 'not.found');
		await refuses(bot.post('/uploads?type=photo'), 'proto.payload');
	});

	it('answers 415 for a body that does not say it is JSON', async () => {
		const answer = await bot.send('POST', '/messages?chat_id=1', '{"text":"a"}', {
			'content-type': 'text/plain',
		});
		await refuses(answer, 'unsupported.media.type');
	});

	it.each(['{"text":', '[]', '"text"', '7', 'null'])('refuses the body %s', async (body) => {
		await isBad(bot.post('/messages?chat_id=1', body), "Can't deserialize body");
	});

	it('tolerates query parameters and body fields that it does not know', async () => {
		expect((await bot.get('/me?v=1.2.5')).status).toBe(200);
		expect((await bot.patch('/me/commands', { commands: [], other: 1 })).status).toBe(200);
	});
});

describe('the bot itself', () => {
	it('is shown without keys that have no value', async () => {
		const { body } = await bot.get('/me');
		expect(body).toEqual({
			user_id: bot.id,
			first_name: 'Clerk',
			username: 'clerk_bot',
			is_bot: true,
			last_activity_time: expect.any(Number),
			name: 'Clerk',
			description: 'Answers',
		});
	});

	it('sets, shows and clears its commands', async () => {
		const commands = [{ name: 'help', description: 'Show help' }, { name: 'stop' }];
		expect((await bot.patch('/me/commands', { commands })).body).toEqual({ commands });
		expect((await bot.get('/me')).body.commands).toEqual(commands);
		expect((await bot.patch('/me/commands', { commands: [] })).body).toEqual({ commands: [] });
		expect((await bot.get('/me')).body.commands).toBeUndefined();
	});

	it.each([
		['a bare list', [{ name: 'a' }], "Can't deserialize body"],
		['no list', {}, 'Missing required parameter: commands'],
		[
			'a long name',
			{ commands: [{ name: 'a'.repeat(65) }] },
			"Field 'name' size (65) must be at most 64",
		],
		['no name', { commands: [{ description: 'a' }] }, "Field 'name' cannot be null"],
		[
			'a long description',
			{ commands: [{ name: 'a', description: 'a'.repeat(129) }] },
			"Field 'description' size (129) must be at most 128",
		],
	])('refuses commands with %s', async (_what, body, message) => {
		await isBad(bot.patch('/me/commands', body), message);
	});
});
