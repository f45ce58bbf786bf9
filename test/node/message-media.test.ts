import type { INodeParameters } from 'n8n-workflow';
import { hashOf, itemWith, KINDS, receivedHashes, type Kind } from './mediaFiles';
import { NO_LIMITS } from '../platform';
import { Stage } from './support/stage';
import { delivery } from '../support/delivery';

const kinds = Object.keys(KINDS) as Kind[];
const size = 40_000;

describe('Attachments of a message', () => {
	const stage = Stage.forAllTests({ limits: NO_LIMITS });
	let chatId: string;
	beforeAll(async () => {
		({ chatId } = await stage.dialog());
	});

	const list = (...items: INodeParameters[]): INodeParameters => ({
		attachments_source: 'list',
		attachments: { items },
	});

	const keyboard: INodeParameters = {
		keyboard_source: 'json',
		keyboard_json: '[[{ "type": "callback", "text": "Yes", "payload": "yes" }]]',
	};

	const send = (parameters: INodeParameters): INodeParameters => ({
		resource: 'message',
		operation: 'send',
		chat_id: chatId,
		options: delivery({ messages_per_second_per_chat: 2 }),
		...parameters,
	});

	const newest = async () => {
		const [message] = await stage.control.messages(chatId, 1);
		return message?.body;
	};

	const types = async () => (await newest())?.attachments?.map(({ type }) => type);

	it.each(kinds)('can be an uploaded file of type %s, sent with a keyboard', async (kind) => {
		const file = { size, ...KINDS[kind] };
		const { items, error } = await stage.run(
			send({ text: 'Look', ...list({ kind: 'binary' }), ...keyboard }),
			{ items: [await itemWith({ data: file })] },
		);
		expect(error).toBeUndefined();
		const body = await newest();
		expect(items).toMatchObject([{ json: { message_id: body?.mid, text: 'Look' } }]);
		expect(await types()).toEqual([kind, 'inline_keyboard']);
		expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
	});

	it('are refused if their list is empty, as is a keyboard without buttons', async () => {
		const { error } = await stage.run(send({ text: 'Look', ...list() }));
		expect(error?.message).toBe('Attachment List has no attachment');
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	it('are in the order of the list, whichever is uploaded first', async () => {
		await stage.fault({ origin: 'upload', path: '/upload/video' }, { delay_ms: 300 });
		const items = [
			await itemWith({ clip: { size, ...KINDS.video }, photo: { size, ...KINDS.image } }),
		];
		const { error } = await stage.run(
			send({
				text: '={{ $json.caption }}',
				...list(
					{ kind: 'binary', binary_fields: 'clip' },
					{ kind: 'image_url', image_url: 'https://example.com/a.png' },
					{ kind: 'binary', binary_fields: 'photo' },
				),
				...keyboard,
			}),
			{ items },
		);
		expect(error).toBeUndefined();
		expect(await types()).toEqual(['video', 'image', 'image', 'inline_keyboard']);
	});

	it('are uploaded at the same time', async () => {
		await stage.fault({ origin: 'upload' }, { delay_ms: 60_000 }, { count: 3 });
		const file = { size, ...KINDS.image };
		const items = [await itemWith({ a: file, b: file, c: file })];
		const run = stage.run(send(list({ kind: 'binary' })), { items });
		await stage.faultMet();
		await stage.control.advance(60_000);
		await run;
		expect(await types()).toEqual(['image', 'image', 'image']);
	});

	it('are all files of the item by default', async () => {
		const items = [await itemWith({ a: { size, ...KINDS.image }, b: { size, ...KINDS.video } })];
		await stage.run(send(list({ kind: 'binary' })), { items });
		expect((await types())?.sort()).toEqual(['image', 'video']);
	});

	it.each<[string, INodeParameters, object]>([
		[
			'a contact',
			{ kind: 'contact', contact_name: 'Vera', vcf_phone: '+79990001122' },
			{ type: 'contact', payload: { vcf_info: expect.stringContaining('79990001122') } },
		],
		[
			'a location',
			{ kind: 'location', latitude: 55.75, longitude: 37.61 },
			{ type: 'location', latitude: 55.75, longitude: 37.61 },
		],
		[
			'a link preview',
			{ kind: 'share', share_url: 'https://example.com/' },
			{ type: 'share', payload: { url: 'https://example.com/' } },
		],
		[
			'a sticker',
			{ kind: 'sticker', sticker_code: '57e3' },
			{ type: 'sticker', payload: { code: '57e3' } },
		],
	])('can be %s', async (_, row, expected) => {
		const { error } = await stage.run(send({ ...list(row), ...keyboard }));
		expect(error).toBeUndefined();
		expect((await newest())?.attachments?.[0]).toMatchObject(expected);
	});

	it('can be the result of File → Upload, as token and as JSON', async () => {
		const items = [await itemWith({ data: { size, ...KINDS.video } })];
		const upload = await stage.run({ resource: 'file', operation: 'upload' }, { items });
		const token = String(upload.items[0]?.json.token);
		await stage.run(send(list({ kind: 'token', token_type: 'video', token })));
		expect(await types()).toEqual(['video']);
		await stage.run(send({ attachments_source: 'json', attachments_json: '={{ [$json] }}' }), {
			items: upload.items,
		});
		expect(await types()).toEqual(['video']);
		expect(await receivedHashes(stage)).toHaveLength(1);
	});

	it('can be those of a received message', async () => {
		const photo = { type: 'image', size, seed: 'photo', file_name: 'photo.png' };
		const received = await stage.control.userWrites(chatId, { attachments: [photo] });
		const { error } = await stage.run(
			send({ attachments_source: 'json', attachments_json: '={{ $json.attachments }}' }),
			{ items: [{ json: JSON.parse(JSON.stringify(received.body)) }] },
		);
		expect(error).toBeUndefined();
		expect(await types()).toEqual(['image']);
	});

	it.each<[string, INodeParameters]>([
		['Image URL of attachment 1 is empty', { kind: 'image_url' }],
		['Sticker Code of attachment 1 is empty', { kind: 'sticker', sticker_code: ' ' }],
		['Contact Name of attachment 1 is empty', { kind: 'contact' }],
		['Media Token of attachment 1 is empty', { kind: 'token' }],
		['Page URL of attachment 1 is empty', { kind: 'share' }],
		[
			'Latitude of attachment 1 is not a number between -90 and 90: 151.2',
			{ kind: 'location', latitude: '={{ 151.2 }}', longitude: -33.9 },
		],
		[
			'Longitude of attachment 1 is not a number between -180 and 180: 37617300',
			{ kind: 'location', latitude: 55.7, longitude: '={{ 37617300 }}' },
		],
		[
			'Input Data Field Name of attachment 1 is empty: its expression gave nothing for this item',
			{ kind: 'binary', binary_fields: '={{ $json.nope }}' },
		],
		['Input Data Field Name of attachment 1 finds no file in the item', { kind: 'binary' }],
	])('are refused before anything is sent: %s', async (message, row) => {
		const { error } = await stage.run(send({ text: 'Hi', ...list(row) }));
		expect(error).toMatchObject({ message, description: expect.stringMatching(/./) });
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	const edit = { operation: 'edit', message_id: 'mid.1', attachments_change: 'replace' };
	const answer = { resource: 'callback', operation: 'answer', callback_id: 'c' };
	const replace = { ...answer, replace_message: true };
	const both = { forward_message_id: 'mid.1', reply_to_message_id: 'mid.2' };
	it.each<[string, INodeParameters]>([
		['Chat ID', { chat_id: 'vera' }],
		['Notify', { options: { notify: '={{ "yes" }}' } }],
		['Disable Link Preview', { options: { disable_link_preview: '={{ 1 }}' } }],
		['Split Long Text', { text: '', options: { split_long_text: '={{ 1 }}' } }],
		['Chat ID', { operation: 'sendOrEdit', chat_id: 'vera' }],
		['Notify', { operation: 'sendOrEdit', options: { notify: '={{ "yes" }}' } }],
		['Notify', { ...edit, options: { notify: '={{ "yes" }}' } }],
		['Forward Message ID', { ...edit, options: both }],
		['Chat ID', { ...replace, chat_id: 'vera' }],
		['Notification', { ...replace, notification: '={{ [1] }}' }],
		['Disable Link Preview', { ...replace, options: { disable_link_preview: '={{ 1 }}' } }],
	])('are not uploaded when another field is wrong: %s of %j', async (label, parameters) => {
		await stage.control.clearJournal();
		const items = [await itemWith({ data: { size, ...KINDS.video } })];
		const { error } = await stage.run(
			send({ text: 'Hi', ...list({ kind: 'binary' }), ...parameters }),
			{ items },
		);
		expect(error?.message).toMatch(new RegExp(`^${label} (is|cannot)`));
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});
});
