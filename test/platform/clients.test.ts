import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import StreamedForm from 'form-data';
import { type ProfileName } from './profiles';
import { type BotClient, Scene, succeeds } from './scene';
import type { ControlId } from './control-types';
import { waitFor } from '../support/wait';

/**
 * Requests of the operator's clients and of others (wire.md), written by hand as those clients send them. Both common
 * kinds of service accept them.
 */
describe.each<ProfileName>(['contract', 'current'])('On a service of profile %s', (profile) => {
	// Nothing listens there: only the attempts count.
	const scene = Scene.forAllTests({ profile, resolve: { 'bot.example:443': '127.0.0.1:9' } });
	let bot: BotClient;
	let chatId: ControlId;

	beforeEach(async () => {
		bot = await scene.bot();
		({ chatId } = await scene.dialog(bot));
	});

	it('the TypeScript client subscribes with an empty list of types, which means all', async () => {
		const url = `https://bot.example/${bot.id}`;
		const body = { url, update_types: [], secret: 'secret-1' };
		await succeeds(bot.post('/subscriptions', body));
		const { subscriptions } = (await bot.get('/subscriptions')).body;
		expect(subscriptions).toEqual([{ url, time: expect.any(Number) }]);
		await scene.control.userWrites(chatId, 'Hello');
		await waitFor(
			async () => (await scene.control.journal({ kind: 'delivery', path: url })).length > 0,
			{ what: 'an attempt to deliver it' },
		);
	});

	it('it drops parameters that are false or 0, so that the defaults hold', async () => {
		const { chatId: group, ownerId } = await scene.group(bot);
		const { user_id } = await scene.control.createUser();
		await scene.control.addMember(group, { user_id, by: ownerId });
		// block=false, marker=0
		await succeeds(bot.delete(`/chats/${group}/members?user_id=${user_id}`));
		const held = bot.get('/updates?limit=100');
		await scene.control.userWrites(chatId, 'Hello');
		expect((await held).body.updates).not.toHaveLength(0);
	});

	it('it sends a stream piece by piece, with headers of its own', async () => {
		const { url, token } = (await bot.post('/uploads?type=video')).body;
		const stored = await streamed(url, bot.shown.token, 3);
		expect(stored).toEqual([
			[201, '0-2/9'],
			[201, '0-5/9'],
			[200, '0-8/9'],
		]);
		const attachments = [{ type: 'video', payload: { token } }];
		expect((await bot.say(chatId, 'Film', { attachments })).status).toBe(200);
	});

	it('it attaches an image by the whole answer of the upload host', async () => {
		const { url } = (await bot.post('/uploads?type=image')).body;
		const form = new FormData();
		form.append('data', new File(['image'], 'b2f5c1d0-9c4e-4b7e-8f0f-3f6f2f7f2c11'));
		const headers = { authorization: bot.shown.token };
		const answer = await fetch(url, { method: 'POST', body: form, headers });
		const attachments = [{ type: 'image', payload: await answer.json() }];
		expect((await bot.say(chatId, 'Image', { attachments })).status).toBe(200);
	});

	it('older clients of Node stream a form, whose length they do not tell', async () => {
		const { url } = (await bot.post('/uploads?type=file')).body;
		const form = new StreamedForm();
		const pieces = [Buffer.from('a,b\n'), Buffer.from('1,2\n')];
		form.append('data', Readable.from(pieces), { filename: 'parcels.csv' });
		const headers = form.getHeaders({ authorization: bot.shown.token });
		const request = form.pipe(httpRequest(url, { method: 'POST', headers }));
		const [response] = await once(request, 'response');
		const answer = await json(response);
		const attachments = [{ type: 'file', payload: answer }];
		const { body } = await bot.say(chatId, 'Table', { attachments });
		expect(body.message.body.attachments).toMatchObject([{ filename: 'parcels.csv', size: 8 }]);
	});

	it('Java deletes every subscription that is listed before it makes its own', async () => {
		for (const path of ['old', 'new']) {
			const { subscriptions } = (await bot.get('/subscriptions')).body;
			for (const { url } of subscriptions) {
				const path = `/subscriptions?url=${encodeURIComponent(url)}`;
				await succeeds(bot.delete(path));
			}
			await bot.post('/subscriptions', { url: `https://bot.example/${bot.id}/${path}` });
		}
		expect((await bot.get('/subscriptions')).body.subscriptions).toMatchObject([
			{ url: `https://bot.example/${bot.id}/new` },
		]);
	});

	it('edits say null for what stays, and write the format in capitals', async () => {
		const { mid } = (await bot.say(chatId, 'One')).body.message.body;
		const changes = { text: '**Two**', format: 'MARKDOWN', attachments: null, link: null };
		await succeeds(bot.put(`/messages?message_id=${mid}`, changes));
		expect((await scene.control.message(mid)).body.text).toBe('Two');
	});
});

it('A stream may come in more than a thousand pieces', async () => {
	const scene = await Scene.open();
	const bot = await scene.bot();
	const { url } = (await bot.post('/uploads?type=audio')).body;
	const stored = await streamed(url, bot.shown.token, 1_100);
	await scene.close();
	expect(stored.at(-1)).toEqual([200, '0-3299/3300']);
}, 120_000);

/** Sends three-byte pieces as the TypeScript client does; returns the answer to each. */
async function streamed(url: string, authorization: string, pieces: number) {
	const answers: [number, string][] = [];
	for (let start = 0; start < 3 * pieces; start += 3) {
		const headers = {
			authorization,
			'content-disposition': 'attachment; filename="file"',
			'content-range': `bytes ${start}-${start + 2}/${3 * pieces}`,
			'content-type': 'application/x-binary; charset=x-user-defined',
			'x-file-name': 'file',
			'x-uploading-mode': 'parallel',
		};
		const answer = await fetch(url, { method: 'POST', headers, body: 'abc' });
		answers.push([answer.status, await answer.text()]);
	}
	return answers;
}
