import { createHash } from 'node:crypto';
import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startFileServer } from './fileServer';
import { readBinary } from './support/binary';
import type { BinaryMode } from './support/scope';
import { Stage } from './support/stage';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const content = (text: string) => Buffer.from(text).toString('base64');

const SENT = [
	{
		type: 'image',
		content_base64: content('a picture'),
		file_name: 'sea.png',
		mime_type: 'image/png',
	},
	{
		type: 'video',
		content_base64: content('a clip'),
		file_name: 'clip.mp4',
		mime_type: 'video/mp4',
	},
	{
		type: 'audio',
		content_base64: content('a song'),
		file_name: 'song.mp3',
		mime_type: 'audio/mpeg',
	},
];

const FILE = {
	type: 'file',
	content_base64: content('a report'),
	file_name: '../Отчёт "1".pdf',
	mime_type: 'application/pdf',
};

describe('Message → Download Attachments', () => {
	const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });
	let chatId: string;
	beforeAll(async () => {
		({ chatId } = await stage.dialog());
	});

	const download = async (
		parameters: INodeParameters,
		items?: INodeExecutionData[],
		binaryMode?: BinaryMode,
	) =>
		await stage.run(
			{ resource: 'message', operation: 'downloadAttachments', ...parameters },
			{ items, binaryMode },
		);

	const receive = async (...attachments: Array<Record<string, unknown>>) =>
		await stage.control.userWrites(chatId, { attachments });

	/** Name, type and content of the files, by field. */
	const files = async (item: INodeExecutionData | undefined) =>
		Object.fromEntries(
			await Promise.all(
				Object.entries(item?.binary ?? {}).map(async ([field, binary]: [string, IBinaryData]) => [
					field,
					[binary.fileName, binary.mimeType, String(await readBinary(binary))],
				]),
			),
		);

	const all = {
		attachment_0: ['sea.png', 'image/png', 'a picture'],
		attachment_1: ['clip.mp4', 'video/mp4', 'a clip'],
		attachment_2: ['song.mp3', 'audio/mpeg', 'a song'],
	};

	it.each<BinaryMode>(['filesystem', 'memory'])(
		'stores images, videos and audio of a message in %s mode, without the token',
		async (mode) => {
			const { body } = await receive(...SENT);
			const { items, error } = await download(
				{ message_source: 'id', message_id: body.mid },
				undefined,
				mode,
			);
			expect(error).toBeUndefined();
			expect(items[0]?.json).toMatchObject({ message_id: body.mid, chat_id: chatId });
			expect(await files(items[0])).toEqual(all);
			const requests = await stage.control.journal({ kind: 'request', origin: 'upload' });
			expect(requests).toHaveLength(3);
			expect(JSON.stringify(requests)).not.toContain('"authorization":true');
		},
	);

	it('says so when the bot cannot see the message', async () => {
		const { error } = await download({ message_source: 'id', message_id: 'mid.1' });
		expect(error?.message).toBe('Message ID names no message that the bot can see');
	});

	it.each([
		['the name of a file, made safe', FILE.file_name, '.._Отчёт "1".pdf', 'application/pdf'],
		[
			"the host's type of a file whose name tells none",
			'report',
			'report',
			'application/octet-stream',
		],
	])('keeps %s', async (_, file_name, name, type) => {
		const { body } = await receive({ ...FILE, file_name });
		const { items } = await download({ message_source: 'id', message_id: body.mid });
		expect(await files(items[0])).toEqual({ attachment_0: [name, type, 'a report'] });
	});

	it.each<[string, (body: IDataObject) => IDataObject]>([
		['a raw event', (body) => ({ update_type: 'message_created', message: { body } })],
		['a raw message', (body) => ({ body })],
		['a simplified item', ({ attachments }) => ({ chat_id: '1', attachments })],
		['a raw forward', (message) => ({ message: { body: null, link: { message } } })],
		[
			'a raw message that replies to it',
			(message) => ({ body: { text: 'Yes' }, link: { message } }),
		],
		['a simplified reply', ({ attachments }) => ({ text: 'Yes', reply_to: { attachments } })],
		['a simplified forward', ({ attachments }) => ({ forwarded: { attachments } })],
		['an answer to Send and Wait', ({ attachments }) => ({ data: { text: '', attachments } })],
	])('downloads the attachments of %s and keeps the item with its files', async (_, itemOf) => {
		const { body } = await receive(...SENT);
		const json = itemOf(JSON.parse(JSON.stringify(body)));
		const note = { fileName: 'note.txt', mimeType: 'text/plain', data: content('a note') };
		const { items } = await download({}, [{ json, binary: { note } }]);
		expect(items).toMatchObject([{ json, pairedItem: { item: 0 } }]);
		expect(await files(items[0])).toEqual({ note: ['note.txt', 'text/plain', 'a note'], ...all });
	});

	it('downloads only the chosen types, under the chosen prefix', async () => {
		const { body } = await receive(...SENT);
		const { items } = await download({
			message_source: 'id',
			message_id: body.mid,
			options: { attachment_types: ['audio', 'video'], binary_prefix: 'media' },
		});
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['media0', 'media1']);
	});

	it('returns the item without files if nothing is attached', async () => {
		const { items, error } = await download({}, [{ json: { text: 'Hi' } }]);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { text: 'Hi' } }]);
	});

	it.each([
		['best', '720'],
		['480', '480'],
		['144', '144'],
	])('asks for a video in the quality %s', async (video_quality, height) => {
		const { body } = await receive(SENT[1] ?? {});
		await download({ message_source: 'id', message_id: body.mid, options: { video_quality } });
		const [request] = await stage.control.journal({ kind: 'request', origin: 'upload' });
		expect(request).toMatchObject({ query: { height } });
	});

	describe('of a video that is streamed as well', () => {
		const offered = async (...keys: string[]) => {
			const host = await startFileServer({
				'/hls': (response) => response.end('a playlist'),
				'/mp4_480': (response) => response.end('a clip'),
			});
			const urls = Object.fromEntries(keys.map((key) => [key, `${host.address}/${key}`]));
			await stage.fault({ path: '/videos/x' }, { status: 200, body: { urls } });
			const attachments = [{ type: 'video', payload: { token: 'x' } }];
			const run = await download({}, [{ json: { attachments } }]);
			await host.stop();
			return run;
		};

		it('downloads the file, not the stream', async () => {
			const { items } = await offered('hls', 'mp4_480');
			const [binary] = Object.values(items[0]?.binary ?? {});
			expect(String(await readBinary(binary!))).toBe('a clip');
		});

		it('says that there is no file if there is only the stream', async () => {
			const { error } = await offered('hls');
			expect(error?.message).toBe('The video has no address to download it from');
		});
	});

	it('refuses a file beyond the size limit, and says so', async () => {
		const { body } = await receive({ type: 'file', size: 300_000, seed: 'big' });
		const form = { message_source: 'id', message_id: body.mid };
		const { error } = await download({ ...form, options: { size_limit_mb: 0.1 } });
		expect(error).toMatchObject({
			message: 'The file file.bin is larger than the limit of 102.4 KB',
			description: expect.stringContaining('Raise the limit'),
		});
	});

	it('downloads a large file byte for byte', async () => {
		const { body } = await receive({ type: 'file', size: 3_000_000, seed: 'large' });
		const { items } = await download({ message_source: 'id', message_id: body.mid });
		const [binary] = Object.values(items[0]?.binary ?? {});
		const again = await fetch(String(body.attachments?.[0]?.payload?.url));
		const expected = Buffer.from(await again.arrayBuffer());
		expect(sha256(await readBinary(binary!))).toBe(sha256(expected));
	});
});
