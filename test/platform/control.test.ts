import { readAnswer, Scene } from './scene';

const scene = Scene.forAllTests();

describe('journal', () => {
	it('shows every request without the token', async () => {
		const bot = await scene.bot();
		const { chatId } = await scene.dialog(bot);
		await scene.control.clearJournal();
		await bot.post(`/messages?chat_id=${chatId}&disable_link_preview=true`, { text: 'a' });
		const entries = await scene.control.journal({ method: 'POST' });
		expect(entries).toEqual([
			{
				index: expect.any(Number),
				kind: 'request',
				time: expect.any(Number),
				origin: 'api',
				method: 'POST',
				path: '/messages',
				query: { chat_id: String(chatId), disable_link_preview: 'true' },
				headers: expect.objectContaining({
					authorization: true,
					'content-type': 'application/json',
				}),
				bytes: 12,
				body: { text: 'a' },
				status: 200,
				duration_ms: expect.any(Number),
				bot_id: bot.id,
			},
		]);
		expect(JSON.stringify(entries)).not.toContain(bot.shown.token);
	});
});

describe('requests', () => {
	const call = async (method: string, path: string, body?: string) =>
		readAnswer(await fetch(scene.platform.controlUrl + path, { method, body }));

	it('are refused with a reason', async () => {
		expect(await call('GET', '/nowhere')).toMatchObject({ status: 404 });
		expect(await call('PUT', '/bots')).toMatchObject({ status: 405 });
		expect(await call('POST', '/bots', '{')).toMatchObject({
			status: 400,
			body: { message: 'The body is not JSON' },
		});
		expect(await call('POST', '/users', '{"user_id":-1}')).toMatchObject({ status: 400 });
		expect(await call('PATCH', '/settings', '{"speed":1}')).toMatchObject({
			status: 400,
			body: { message: 'Unknown setting: speed' },
		});
		expect(await call('POST', '/clock/advance', '{"ms":-1}')).toMatchObject({ status: 400 });
		expect(await call('GET', '/messenger/nothing.js')).toMatchObject({ status: 404 });
		expect(await call('GET', '/messenger/..%2Fcli.ts')).toMatchObject({ status: 404 });
	});

	it('get the libraries of the messenger window, and nothing else that is installed', async () => {
		const fetched = await fetch(`${scene.platform.controlUrl}/messenger/library/preact.js`);
		expect(fetched.headers.get('content-type')).toContain('javascript');
		expect(await fetched.text()).toContain('createElement');
		for (const path of [
			'preact/package.json',
			'..%2Fpackage.json',
			'constructor',
			'preact.mjs',
			'',
		]) {
			expect(await call('GET', `/messenger/library/${path}`)).toMatchObject({ status: 404 });
		}
	});

	it('take ids beyond 2^53 as integers and as strings, and answer with strings', async () => {
		for (const written of ['9007199254740995', '"9007199254740997"']) {
			const { text } = await call('POST', '/users', `{"user_id":${written}}`);
			expect(text).toContain(`"user_id":"${written.replaceAll('"', '')}"`);
		}
	});

	it('do not take an id twice', async () => {
		const { user_id } = await scene.control.createUser();
		await expect(scene.control.createUser({ user_id })).rejects.toThrow('exists already');
	});
});
