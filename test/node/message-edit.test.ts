import type { INodeParameters } from 'n8n-workflow';
import { itemWith, KINDS, receivedHashes } from './mediaFiles';
import { NO_LIMITS } from '../platform';
import { Stage } from './support/stage';

const size = 30_000;

describe('A message', () => {
	const stage = Stage.forEachTest({ limits: NO_LIMITS });
	let chatId: string;
	beforeEach(async () => {
		({ chatId } = await stage.dialog());
	});

	const keyboard = (payload: string): INodeParameters => ({
		keyboard_source: 'json',
		keyboard_json: JSON.stringify([[{ type: 'callback', text: 'Press', payload }]]),
	});

	const photoList: INodeParameters = {
		attachments_source: 'list',
		attachments: { items: [{ kind: 'binary' }] },
	};

	/** Sends text, photo and keyboard. Resolves to the message's ID. */
	const sendAll = async () => {
		const { items } = await stage.run(
			{
				resource: 'message',
				chat_id: chatId,
				text: 'Old',
				...photoList,
				...keyboard('old'),
			},
			{ items: [await itemWith({ data: { size, ...KINDS.image } })] },
		);
		return String(items[0]?.json.message_id);
	};

	const edit = async (message_id: string, parameters: INodeParameters) =>
		await stage.run(
			{ resource: 'message', operation: 'edit', message_id, ...parameters },
			{ items: [await itemWith({ data: { size, ...KINDS.video } })] },
		);

	const shown = async (mid: string) => {
		const { body } = await stage.control.message(mid);
		const rows = body.attachments?.find(({ type }) => type === 'inline_keyboard')?.payload;
		return {
			text: body.text,
			types: (body.attachments ?? []).map(({ type }) => type),
			buttons: JSON.stringify(rows ?? ''),
		};
	};

	it.each(['edit', 'sendOrEdit'])(
		'that is edited gives what the service says to it: %s',
		async (operation) => {
			const mid = await sendAll();
			const said = { success: true, message: 'Edited without its preview' };
			await stage.fault({ method: 'PUT', path: '/messages' }, { status: 200, body: said });
			const { items } = await edit(mid, { operation, chat_id: chatId, text: 'New' });
			expect(items.map(({ json }) => json)).toEqual([{ ...said, message_id: mid }]);
		},
	);

	it('keeps its attachments and keyboard when its text is edited', async () => {
		const mid = await sendAll();
		const { items } = await edit(mid, { text: 'New' });
		expect(items).toMatchObject([{ json: { success: true, message_id: mid } }]);
		expect(await shown(mid)).toMatchObject({ text: 'New', types: ['image', 'inline_keyboard'] });
	});

	it('keeps its attachments when its text is removed', async () => {
		const mid = await sendAll();
		const { error } = await edit(mid, { options: { remove_text: true } });
		expect(error).toBeUndefined();
		const { text, types } = await shown(mid);
		expect([text, types]).toEqual([undefined, ['image', 'inline_keyboard']]);
	});

	it('is not edited with a new text when the text is to be removed', async () => {
		const { error } = await edit('mid.1', { text: 'New', options: { remove_text: true } });
		expect(error?.message).toBe("Remove Text cannot be combined with 'Text'");
	});

	it.each([
		['an empty form', {}, 'Text is empty'],
		[
			'an expression that gives nothing',
			{ text: '={{ $json.nope }}' },
			'Text is empty: its expression gave nothing for this item',
		],
		[
			'attachments whose expression gives nothing: they would all be removed',
			{
				attachments_change: 'replace',
				attachments_source: 'json',
				attachments_json: '={{ $json.nope }}',
			},
			'Attachments JSON is empty: its expression gave nothing for this item',
		],
	])('is not edited by %s', async (_what, form, message) => {
		await stage.control.clearJournal();
		expect((await edit('mid.1', form)).error?.message).toBe(message);
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	it('is not sent with a text whose expression gives nothing', async () => {
		const form = { resource: 'message', chat_id: chatId, text: '={{ $json.nope }}' };
		const { error } = await stage.run(form);
		expect(error?.message).toBe('Text is empty: its expression gave nothing for this item');
	});

	it('gets the keyboard of the form instead of one among the attachments', async () => {
		const mid = await sendAll();
		const rows = [[{ type: 'callback', text: 'Old', payload: 'old' }]];
		const received = [{ type: 'inline_keyboard', payload: { buttons: rows } }];
		const given = { attachments_source: 'json', attachments_json: JSON.stringify(received) };
		await edit(mid, { attachments_change: 'replace', ...given, ...keyboard('new') });
		const edited = await shown(mid);
		expect(edited.types).toEqual(['inline_keyboard']);
		expect(edited.buttons).toContain('"new"');
	});

	it.each<[string, INodeParameters]>([
		['when the form says so', { attachments_change: 'remove' }],
		[
			'if the expression for their source gives None, whatever the JSON field holds',
			{
				attachments_change: 'replace',
				attachments_source: "={{ $json.files ? 'json' : 'none' }}",
				attachments_json: '={{ $json.files }}',
			},
		],
	])('has all its attachments removed %s', async (_, form) => {
		const mid = await sendAll();
		const { error } = await edit(mid, form);
		expect(error).toBeUndefined();
		expect(await shown(mid)).toMatchObject({ text: 'Old', types: [] });
	});

	it('can have all its attachments replaced with an uploaded file', async () => {
		const mid = await sendAll();
		await edit(mid, { attachments_change: 'replace', ...photoList, ...keyboard('new') });
		expect(await shown(mid)).toMatchObject({
			text: 'Old',
			types: ['video', 'inline_keyboard'],
			buttons: expect.stringContaining('new'),
		});
		expect(await receivedHashes(stage)).toHaveLength(2);
	});

	it('can get another keyboard below the same photo', async () => {
		const mid = await sendAll();
		await edit(mid, { attachments_change: 'replace_keyboard', ...keyboard('new') });
		expect(await shown(mid)).toMatchObject({
			types: ['image', 'inline_keyboard'],
			buttons: expect.stringContaining('new'),
		});
		await edit(mid, { attachments_change: 'replace_keyboard' });
		expect(await shown(mid)).toMatchObject({ types: ['image'] });
	});

	it('can get a keyboard below a contact card, which still leads to its user', async () => {
		const person = await stage.control.createUser({ phone: '+79990001122' });
		const payload = { contact_id: person.user_id };
		const { items } = await stage.run({
			resource: 'message',
			operation: 'send',
			chat_id: chatId,
			attachments_source: 'json',
			attachments_json: JSON.stringify([{ type: 'contact', payload }]),
		});
		const mid = String(items[0]?.json.message_id);
		const card = async () => (await stage.control.message(mid)).body.attachments?.[0];
		const sent = await card();
		await edit(mid, { attachments_change: 'replace_keyboard', ...keyboard('new') });
		expect(sent).toMatchObject({ payload: { service_info: { user_id: person.user_id } } });
		expect(await card()).toEqual(sent);
	});

	it.each(['mid.1', '..', 'mid.\ud83d', 'mid.1,mid.2'])(
		'that does not exist gets no other keyboard: %j',
		async (mid) => {
			const { error } = await edit(mid, { attachments_change: 'replace_keyboard' });
			expect(error?.message).toBe('Message ID names no message that the bot can see');
			expect(await stage.control.journal({ method: 'PUT' })).toEqual([]);
		},
	);

	it.each([
		[
			'the file is processed',
			'Key: errors.process.attachment.video.not.processed',
			{ attachments_change: 'replace', ...photoList },
			{ types: ['video'] },
		],
		[
			'all of the service is available again',
			'EJB service unavailable',
			{ text: 'Done', attachments_change: 'keep' },
			{ text: 'Done' },
		],
	])(
		'is edited once %s, where the service says so in words alone',
		async (_, message, fields, then) => {
			const mid = await sendAll();
			await stage.fault(
				{ method: 'PUT', path: '/messages' },
				{ status: 200, body: { success: false, message } },
				{ count: 2 },
			);
			const { error } = await edit(mid, fields);
			expect(error).toBeUndefined();
			expect(await shown(mid)).toMatchObject(then);
		},
	);

	it('is edited once the service has processed the new file', async () => {
		const mid = await sendAll();
		await stage.control.setSettings({ ready_after_ms: 1200 });
		const { error } = await edit(mid, { attachments_change: 'replace', ...photoList });
		expect(error).toBeUndefined();
		expect(await shown(mid)).toMatchObject({ types: ['video'] });
	});

	it.each<[string, INodeParameters, object]>([
		[
			'replaced with text alone, without the keyboard,',
			{ text: 'Done' },
			{ text: 'Done', types: [] },
		],
		[
			'changed only in its text',
			{ text: 'Done', attachments_change: 'keep' },
			{ text: 'Done', types: ['image', 'inline_keyboard'] },
		],
		[
			'replaced with a file and a keyboard',
			{ ...photoList, ...keyboard('new') },
			{ text: 'Old', types: ['video', 'inline_keyboard'] },
		],
		['cleared of attachments', { attachments_change: 'remove' }, { text: 'Old', types: [] }],
	])('is %s by the answer to a press', async (_, parameters, expected) => {
		const mid = await sendAll();
		const { callback_id } = await stage.control.press(mid, { text: 'Press' });
		const { error } = await stage.run(
			{
				resource: 'callback',
				operation: 'answer',
				callback_id: String(callback_id),
				replace_message: true,
				options: { disable_link_preview: true },
				...parameters,
			},
			{ items: [await itemWith({ data: { size, ...KINDS.video } })] },
		);
		expect(error).toBeUndefined();
		expect(await shown(mid)).toMatchObject(expected);
		expect(await stage.control.notifications()).toEqual([]);
		const [request] = await stage.control.journal({ path: '/answers' });
		expect(request).toMatchObject({ query: { disable_link_preview: 'true' } });
	});

	it('stays unchanged when a press is only acknowledged', async () => {
		const mid = await sendAll();
		const { callback_id } = await stage.control.press(mid, { text: 'Press' });
		const { items, error } = await stage.run({
			resource: 'callback',
			callback_id: String(callback_id),
		});
		expect([error, items.map(({ json }) => json)]).toEqual([undefined, [{ success: true }]]);
		expect(await shown(mid)).toMatchObject({ text: 'Old', types: ['image', 'inline_keyboard'] });
		expect(await stage.control.journal({ path: '/answers' })).toMatchObject([
			{ body: { notification: ' ' } },
		]);
	});
});
