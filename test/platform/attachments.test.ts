import { createHash, createHmac } from 'node:crypto';
import { type BotClient, isBad, refuses, Scene } from './scene';
import type { ControlId } from './control-types';
import { sendForm } from './uploads/testing';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;

beforeAll(async () => {
	bot = await scene.bot();
	({ chatId } = await scene.dialog(bot));
});

type Kind = 'image' | 'video' | 'audio' | 'file';

const NAMES = { image: 'a.png', video: 'a.mp4', audio: 'a.mp3', file: 'a.txt' };

/** Uploads a few bytes and returns the token. */
async function upload(type: Kind): Promise<string> {
	const issued = (await bot.post(`/uploads?type=${type}`)).body;
	const answer = await sendForm(issued.url, NAMES[type], Buffer.from('content'));
	if (issued.token !== undefined) return issued.token;
	const body = JSON.parse(answer.body);
	return body.token ?? Object.values<{ token: string }>(body.photos)[0]?.token;
}

const attach = (...attachments: object[]) =>
	bot.post(`/messages?chat_id=${chatId}`, { attachments });

const media = async (type: Kind) => ({ type, payload: { token: await upload(type) } });

describe('media', () => {
	it('shows each kind with its own fields', async () => {
		const shown = async (type: Kind) =>
			(await attach(await media(type))).body.message.body.attachments[0];
		const common = { token: expect.any(String), url: expect.stringContaining('/media/') };
		expect(await shown('image')).toEqual({
			type: 'image',
			payload: { ...common, photo_id: expect.anything() },
		});
		expect(await shown('audio')).toEqual({ type: 'audio', payload: common });
		expect(await shown('file')).toEqual({
			type: 'file',
			payload: common,
			filename: 'a.txt',
			size: 7,
		});
		expect(await shown('video')).toMatchObject({
			type: 'video',
			payload: common,
			thumbnail: { url: expect.any(String) },
		});
	});

	it('offers a video in several qualities', async () => {
		const token = await upload('video');
		const { body } = await bot.get(`/videos/${encodeURIComponent(token)}`);
		expect(body).toMatchObject({
			token,
			urls: { mp4_720: expect.any(String), hls: expect.any(String) },
			thumbnail: { photo_id: expect.anything(), token: expect.any(String) },
			width: expect.any(Number),
			height: expect.any(Number),
		});
		const bytes = await (await fetch(body.urls.mp4_720)).text();
		expect(bytes).toBe('content');
		await refuses(bot.get('/videos/unknown'), 'not.found');
	});

	it('takes an image by url', async () => {
		const url = 'https://example.org/cat.png';
		const { body } = await attach({ type: 'image', payload: { url } });
		expect(body.message.body.attachments[0].payload).toMatchObject({ url });
	});

	it('refuses an image payload that is not exactly one of url, token and photos', async () => {
		await isBad(
			attach({ type: 'image', payload: {} }),
			'No `photos`, `url` or `token` provided. Check payload.',
		);
		const token = await upload('image');
		const both = { type: 'image', payload: { token, url: 'https://example.org/a.png' } };
		await refuses(attach(both), 'proto.payload');
	});

	it('refuses a token of another kind and one that does not exist', async () => {
		const token = await upload('file');
		await isBad(
			attach({ type: 'image', payload: { token } }),
			`Invalid photo token provided: ${token}`,
		);
		await isBad(
			attach({ type: 'video', payload: { token: 'none' } }),
			'Invalid video token provided: none',
		);
	});

	it('takes a file only on its own', async () => {
		for (const other of ['file', 'image'] as const) {
			const both = attach(await media('file'), await media(other));
			await isBad(both, 'Must be only one file attachment in message');
		}
	});
});

describe('everything else', () => {
	it('shows a location without payload', async () => {
		const location = { type: 'location', latitude: 55.75, longitude: 37.61 };
		const { body } = await attach(location);
		expect(body.message.body.attachments).toEqual([location]);
		await isBad(attach({ type: 'location', latitude: 1 }), "Field 'longitude' cannot be null");
	});

	it('shows a sticker with code, url and size, and takes it only on its own', async () => {
		const sticker = { type: 'sticker', payload: { code: 'cat' } };
		expect((await attach(sticker)).body.message.body.attachments[0]).toMatchObject({
			type: 'sticker',
			payload: { code: 'cat', url: expect.any(String) },
			width: expect.any(Number),
			height: expect.any(Number),
		});
		await isBad(
			attach(sticker, await media('image')),
			'Must be only one sticker attachment in message',
		);
	});

	it('shows a share, which needs a url or a token', async () => {
		const share = { type: 'share', payload: { url: 'https://example.org' } };
		expect((await attach(share)).body.message.body.attachments).toEqual([share]);
		await refuses(attach({ type: 'share', payload: {} }), 'proto.payload');
	});

	it('writes a contact as a card and signs it with the token', async () => {
		const payload = { name: 'Vera', vcf_phone: '+79990001122' };
		const { body } = await attach({ type: 'contact', payload });
		const card = body.message.body.attachments[0].payload;
		expect(card.vcf_info).toContain('FN:Vera\r\n');
		expect(card.vcf_info).toContain('TEL;TYPE=cell:79990001122\r\n');
		const hash = createHmac('sha256', bot.shown.token).update(card.vcf_info).digest('hex');
		expect(card.hash).toBe(hash);
		await refuses(attach({ type: 'contact', payload: {} }), 'proto.payload');
	});

	it.each([
		['no payload', { type: 'image' }],
		['a text as payload', { type: 'image', payload: 'a' }],
		['an unknown type', { type: 'photo', payload: { token: 'a' } }],
		['a type of every object', { type: 'constructor', payload: { token: 'a' } }],
		['no type', { payload: { token: 'a' } }],
		['a number as token', { type: 'file', payload: { token: 7 } }],
	])('refuses an attachment with %s', async (_what, attachment) => {
		await isBad(attach(attachment), "Can't deserialize body");
	});

	it('refuses attachments that are not a list', async () => {
		await isBad(bot.say(chatId, 'a', { attachments: {} }), "Can't deserialize body");
	});
});

describe('what people send', () => {
	const receive = async (attachment: Record<string, unknown>) => {
		const { body } = await scene.control.userWrites(chatId, { attachments: [attachment] });
		const update = (await bot.updates()).at(-1);
		expect(update.message.body.mid).toBe(body.mid);
		return update.message.body.attachments[0];
	};

	it('can be an audio whose words the service knows', async () => {
		const spoken = { type: 'audio', size: 9, transcription: 'Two parcels, please' };
		expect(await receive(spoken)).toMatchObject({ transcription: 'Two parcels, please' });
		expect(await receive({ type: 'audio', size: 9 })).not.toHaveProperty('transcription');
	});

	it('can be made up in any size, with bytes that are the same for the same seed', async () => {
		const hashes = await Promise.all(
			['one', 'one', 'two'].map(async (seed) => {
				const { body } = await scene.control.userWrites(chatId, {
					attachments: [{ type: 'file', size: 2_000_000, seed, file_name: 'big.bin' }],
				});
				const url = body.attachments?.[0]?.payload?.url ?? '';
				const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
				expect(bytes.length).toBe(2_000_000);
				return createHash('sha256').update(bytes).digest('hex');
			}),
		);
		expect(hashes[0]).toBe(hashes[1]);
		expect(hashes[0]).not.toBe(hashes[2]);
		await bot.updates();
	});

	it('includes the own contact', async () => {
		const contact = await receive({ type: 'contact' });
		expect(contact.payload.service_info).toMatchObject({ first_name: 'Vera', is_bot: false });
	});

	it('names the brand of the service in the key of a contact’s user', async () => {
		await scene.control.setSettings({ brand: 'Acme' });
		const contact = await receive({ type: 'contact' });
		await scene.control.setSettings({ brand: 'Service' });
		expect(Object.keys(contact.payload)).toEqual(['vcf_info', 'hash', 'acme_info']);
	});
});
