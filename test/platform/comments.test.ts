import { type BotClient, isBad, refuses, Scene, succeeds } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;
let ownerId: ControlId;
let postId: string;

const HOUR = 60 * 60 * 1000;

beforeAll(async () => {
	bot = await scene.bot();
});

beforeEach(async () => {
	({ chatId, ownerId } = await scene.group(bot, { type: 'channel' }));
	postId = (await bot.say(chatId, 'News')).body.message.body.mid;
	await bot.updates();
});

const path = (id = '') => `/messages/${postId}/comments${id}`;

const comment = async (body: object = { text: 'Thanks' }) => bot.post(path(), body);

const written = async (): Promise<string> => (await comment()).body.message.body.mid;

it('are created with the post they belong to', async () => {
	const { status, body } = await comment({ text: '**Thanks**', format: 'markdown' });
	expect(status).toBe(200);
	expect(body.message).toMatchObject({
		sender: { user_id: bot.id },
		recipient: { chat_id: chatId, chat_type: 'channel', post_id: postId },
		body: { text: 'Thanks', markup: [{ type: 'strong', from: 0, length: 6 }] },
	});
	expect(body.message.url).toBeUndefined();
	expect(body.message.stat).toBeUndefined();
});

it('are listed newest first, by id or by time, and shown one by one', async () => {
	const mids = [await written(), await written(), await written()];
	const list = async (query: string) =>
		(await bot.get(path(query))).body.messages.map(
			({ body }: { body: { mid: string } }) => body.mid,
		);
	expect(await list('')).toEqual([...mids].reverse());
	expect(await list('?count=1')).toEqual([mids[2]]);
	expect(await list(`?comment_ids=${mids[0]},${mids[1]}`)).toEqual([mids[1], mids[0]]);
	const one = (await bot.get(path(`/${mids[1]}`))).body;
	expect(one.body.mid).toBe(mids[1]);
	expect(await list(`?before=${one.timestamp}`)).toEqual([mids[1], mids[0]]);
	expect(await list(`?after=${one.timestamp}`)).toEqual([mids[2], mids[1]]);
	await refuses(bot.get(path('/mid.0')), 'not.found');
	await refuses(bot.get(path('?count=101')), 'proto.payload');
});

it('can be replies to other comments, and nothing else', async () => {
	const mid = await written();
	const reply = await comment({ text: 'Yes', link: { type: 'reply', mid } });
	expect(reply.body.message.link.message.mid).toBe(mid);
	const forward = { type: 'forward', mid };
	await refuses(comment({ text: 'Yes', link: forward }), 'proto.payload');
	const elsewhere = { type: 'reply', mid: postId };
	await refuses(comment({ text: 'Yes', link: elsewhere }), 'not.found');
});

it.each([
	['an attachment', { text: 'a', attachments: [{ type: 'location', latitude: 1, longitude: 2 }] }],
	['nothing', { text: '' }],
])('are refused with %s', async (_what, body) => {
	await refuses(comment(body), 'proto.payload');
});

it('are edited by their author for 26 hours', async () => {
	const mid = await written();
	const edit = (id: string) => bot.put(path(`?comment_id=${id}`), { text: 'Changed' });
	await succeeds(edit(mid));
	expect((await bot.get(path(`/${mid}`))).body.body.text).toBe('Changed');
	const other = await scene.control.userComments(postId, { user_id: ownerId, text: 'Mine' });
	await refuses(edit(other.body.mid), 'access.denied');
	await isBad(bot.put(path(), { text: 'a' }), 'Missing required parameter: comment_id');
	await scene.control.advance(26 * HOUR + 1_000);
	await refuses(edit(mid), 'comments.timeout_exceeded');
});

it('are deleted', async () => {
	const mid = await written();
	const remove = () => bot.delete(path(`?comment_id=${mid}`));
	await succeeds(remove());
	await refuses(remove(), 'not.found');
});

it('are refused where they are switched off', async () => {
	await scene.control.changeChat(chatId, { comments_disabled: true });
	expect((await comment()).status).toBe(422);
});

it('belong to channel posts only, and are no messages', async () => {
	const group = await scene.group(bot);
	const { mid } = (await bot.say(group.chatId, 'a')).body.message.body;
	await refuses(bot.get(`/messages/${mid}/comments`), 'access.denied');
	await refuses(bot.get(`/messages/${await written()}`), 'not.found');
	await refuses(bot.get('/messages/mid.0/comments'), 'not.found');
});

it.each([
	['reading', 'GET', 'write'],
	['writing', 'POST', 'edit'],
	['editing', 'PUT', 'write'],
	['deleting', 'DELETE', 'write'],
])('need the right for %s', async (_what, method, wrong) => {
	const mid = await written();
	const permissions = method === 'GET' ? [wrong] : ['read_all_messages', wrong];
	await scene.control.changeMember(chatId, bot.id, { permissions });
	const body = method === 'POST' || method === 'PUT' ? { text: 'a' } : undefined;
	await refuses(bot.send(method, path(`?comment_id=${mid}`), body), 'access.denied');
});

it('of people send the bot an event: written, edited and removed', async () => {
	const { body } = await scene.control.userComments(postId, { user_id: ownerId, text: 'Nice' });
	await scene.control.userEdits(body.mid, { text: 'Very nice' });
	await scene.control.userDeletes(body.mid);
	const [created, edited, removed] = await bot.updates();
	expect(created).toMatchObject({
		update_type: 'comment_created',
		message: { recipient: { post_id: postId }, body: { mid: body.mid, text: 'Nice' } },
	});
	expect(edited).toMatchObject({
		update_type: 'comment_edited',
		message: { body: { text: 'Very nice' } },
	});
	expect(removed).toEqual({
		update_type: 'comment_removed',
		timestamp: expect.any(Number),
		message_id: body.mid,
		chat_id: chatId,
		user_id: ownerId,
		post_id: postId,
	});
});

it('of the bot itself send it no event, unless the platform is set to', async () => {
	await written();
	expect(await bot.updates()).toEqual([]);
	await scene.control.setSettings({ own_events: true });
	await written();
	await scene.control.setSettings({ own_events: false });
	expect(await bot.updates()).toMatchObject([{ update_type: 'comment_created' }]);
});
