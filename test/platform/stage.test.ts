import { keyboard, readAnswer, Scene } from './scene';
import { sendForm } from './uploads/testing';
import { waitFor } from '../support/wait';

const scene = Scene.forAllTests();

/** Collects the live events until `stop`. */
async function listen() {
	const controller = new AbortController();
	const response = await fetch(`${scene.platform.controlUrl}/events`, {
		signal: controller.signal,
	});
	expect(response.headers.get('content-type')).toContain('text/event-stream');
	let text = '';
	const reader = response.body?.getReader();
	const decoder = new TextDecoder();
	const done = (async () => {
		for (;;) {
			const part = await reader?.read();
			if (part === undefined || part.done) return;
			text += decoder.decode(part.value, { stream: true });
		}
	})().catch((error: unknown) => {
		if (!controller.signal.aborted) throw error;
	});
	const types = () => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
	const stop = async () => {
		controller.abort();
		await done;
	};
	return { types, stop };
}

describe('live events', () => {
	it('show everything that happens', async () => {
		const events = await listen();
		const bot = await scene.bot();
		const { chatId } = await scene.dialog(bot);
		const { body } = await scene.control.userWrites(chatId, 'a');
		await scene.control.userEdits(body.mid, { text: 'b' });
		await scene.control.userDeletes(body.mid);
		await bot.post(`/chats/${chatId}/actions`, { action: 'typing_on' });
		const { mid } = (await bot.say(chatId, 'a', { attachments: [keyboard] })).body.message.body;
		const { callback_id } = await scene.control.press(mid);
		await bot.post(`/answers?callback_id=${callback_id}`, { notification: 'c' });
		const group = await scene.group(bot);
		const pinned = (await bot.say(group.chatId, 'a')).body.message.body;
		await bot.put(`/chats/${group.chatId}/pin`, { message_id: pinned.mid });
		const expected = [
			...'action chat message message_edited message_removed notification person'.split(' '),
			...'pinned request update'.split(' '),
		];
		await waitFor(() => expected.every((type) => events.types().includes(type)), {
			what: () => `${expected.join(', ')}; came: ${[...new Set(events.types())].join(', ')}`,
			interval: 10,
		});
		await events.stop();
	});
});

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

	it('shows uploads with size and hash', async () => {
		const bot = await scene.bot();
		const { url } = (await bot.post('/uploads?type=file')).body;
		await sendForm(url, 'a.txt', Buffer.from('content'));
		const [entry] = await scene.control.journal({ origin: 'upload', limit: 1 });
		expect(entry).toMatchObject({
			kind: 'request',
			method: 'POST',
			status: 200,
			sha256: 'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73',
		});
	});

	it('is filtered by path, status, number and time', async () => {
		const bot = await scene.bot();
		await scene.control.clearJournal();
		await bot.get('/me');
		await bot.get('/chats/-1');
		await bot.get('/chats/-2/members');
		const paths = async (filter: object) =>
			(await scene.control.journal<'request'>(filter)).map(({ path }) => path);
		expect(await paths({ path: '/chats/*' })).toEqual(['/chats/-1', '/chats/-2/members']);
		expect(await paths({ status: 200 })).toEqual(['/me']);
		expect(await paths({ limit: 1 })).toEqual(['/chats/-2/members']);
		const [first] = await scene.control.journal();
		expect(await paths({ after: first?.index })).toHaveLength(2);
		expect(await paths({ since: Date.now() + 60_000 })).toEqual([]);
		expect(await paths({ kind: 'delivery' })).toEqual([]);
	});

	it('drops the oldest entries', async () => {
		const small = await Scene.open({ journalCapacity: 10 });
		const bot = await small.bot();
		for (let count = 0; count < 40; count += 1) await bot.get('/me');
		const entries = await small.control.journal();
		await small.close();
		expect(entries.length).toBeGreaterThanOrEqual(10);
		expect(entries.length).toBeLessThanOrEqual(13);
		expect(entries.at(-1)?.index).toBe(40);
	});
});

describe('state', () => {
	it('shows bots with tokens and subscriptions, people, chats and notifications', async () => {
		const bot = await scene.bot();
		const { chatId, userId } = await scene.dialog(bot);
		const url = 'https://bot.example/hook';
		await bot.post('/subscriptions', { url, secret: 'secret-1' });
		const state = await scene.control.state();
		expect(state).toMatchObject({
			base_url: scene.platform.baseUrl,
			upload_url: scene.platform.uploadUrl,
		});
		expect(state.bots.find((each) => each.user_id === bot.id)).toMatchObject({
			token: bot.shown.token,
			subscriptions: [{ url, secret: 'secret-1', failing: false }],
		});
		expect(state.users.map((user) => user.user_id)).toContain(userId);
		expect(state.chats.find((chat) => chat.chat_id === chatId)).toMatchObject({
			type: 'dialog',
			bot_id: bot.id,
			user_id: userId,
		});
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
