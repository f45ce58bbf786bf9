import type { INodeParameters } from 'n8n-workflow';
import { startFileServer, type FileServer } from '../fileServer';
import { PICTURE } from '../mediaFiles';
import { readBinary } from '../support/binary';
import { Stage } from '../support/stage';

const MEGABYTE = 1024 ** 2;

describe('attachments of an event', () => {
	const stage = Stage.forEachTest();
	let chatId: string;
	let files: FileServer;
	beforeAll(async () => {
		// Content comes in chunks without its length, so that only what arrives can be counted.
		const pieces = (count: number) => (response: NodeJS.WritableStream) => {
			for (let piece = 0; piece < count; piece++) response.write(Buffer.alloc(MEGABYTE / 2));
			response.end();
		};
		const waiting: Array<() => void> = [];
		let requests = 0;
		files = await startFileServer({
			// Three are loaded at a time, so a further request tells that another file is dealt with. The first breaks off.
			'/turn': (response) => {
				const turn = requests++ % 6;
				const content = Buffer.alloc(turn < 4 ? MEGABYTE / 2 : MEGABYTE / 8);
				waiting.push(() => {
					if (turn > 0) response.end(content);
					else response.write(content, () => response.destroy());
				});
				const due = turn < 2 ? 0 : turn < 5 ? 1 : 3;
				for (const answer of waiting.splice(0, due)) answer();
			},
			'/small': pieces(1),
			'/large': pieces(5),
			'/huge': (response) => {
				response.writeHead(200, { 'content-length': String(100 * MEGABYTE + 1) });
				response.flushHeaders();
			},
		});
	});
	afterAll(() => files.stop());
	beforeEach(async () => {
		({ chatId } = await stage.dialog());
	});

	const file = (path: string) => ({ type: 'file', payload: { url: `${files.address}${path}` } });

	const active = async (parameters: INodeParameters) =>
		await stage.activeTrigger({ events: ['message_created'], ...parameters });

	/** The item of a message with a picture. */
	const received = async (parameters: INodeParameters) => {
		const host = await active(parameters);
		await stage.control.userWrites(chatId, { text: 'Look', attachments: [PICTURE] });
		return (await host.ended(1))[0]?.items[0];
	};

	/** The items of messages with these contents, whose files are downloaded. */
	const downloaded = async (options: INodeParameters, ...messages: object[]) => {
		const host = await active({ download_attachments: true, options });
		for (const [index, message] of messages.entries()) {
			await stage.control.enqueue(stage.bot.user_id, {
				update_type: 'message_created',
				message: { recipient: { chat_id: -7 }, body: { mid: `mid.${index}` }, ...message },
			});
		}
		return (await host.ended(messages.length)).map(({ items }) => items[0]);
	};

	const fieldsOf = (item: { binary?: object } | undefined) => Object.keys(item?.binary ?? {});

	it('are not downloaded unless the form says so', async () => {
		const item = await received({});
		expect(item).not.toHaveProperty('binary');
		expect(item?.json.attachments).toMatchObject([{ type: 'image' }]);
	});

	it('are downloaded into binary fields', async () => {
		const item = await received({
			download_attachments: true,
			options: { binary_prefix: 'file_' },
		});
		expect(fieldsOf(item)).toEqual(['file_0']);
		expect(String(await readBinary(item!.binary!.file_0!))).toBe('a picture');
		expect(item?.json).toMatchObject({ event: 'message_created', text: 'Look' });
		expect(item?.json).not.toHaveProperty('not_downloaded');
	});

	it('are downloaded before the service is answered, so that it delivers again what n8n loses until then', async () => {
		await stage.fault({ origin: 'upload', method: 'GET' }, { delay_ms: 1000 });
		const item = await received({ download_attachments: true });
		expect(item?.binary).toBeDefined();
		const [answered] = await stage.seen({ kind: 'delivery' });
		const [request] = await stage.control.journal({ kind: 'request', origin: 'upload' });
		const end = Number(answered?.time) + Number(answered?.duration_ms);
		expect(end - Number(request?.time)).toBeGreaterThan(900);
	});

	it('come from a message that is forwarded or replied to as well', async () => {
		const link = (type: string) => ({
			type,
			message: { mid: 'mid.0', attachments: [file('/small')] },
		});
		const items = await downloaded(
			{},
			{ link: link('reply'), body: { mid: 'mid.1', attachments: [file('/small')] } },
			{ link: link('forward'), body: null },
		);
		expect(items.map((item) => fieldsOf(item).length).sort()).toEqual([1, 2]);
	});

	it('that are too large are named, and keep neither the event nor the others from the workflow', async () => {
		const attachments = [file('/large'), file('/small')];
		const body = { mid: 'mid.1', text: 'Look', attachments };
		const [item] = await downloaded({ size_limit_mb: 1 }, { body });
		expect(fieldsOf(item)).toEqual(['attachment_1']);
		expect((await readBinary(item!.binary!.attachment_1!)).length).toBe(MEGABYTE / 2);
		expect(item?.json).toMatchObject({ text: 'Look' });
		const reason = expect.stringMatching(/larger than the limit of 1 MB/);
		expect(item?.json.not_downloaded).toEqual([{ attachment: 0, type: 'file', reason }]);
		expect(await stage.seen({ kind: 'delivery' })).toMatchObject([{ status: 200, attempt: 1 }]);
	});

	it('of more than 100 MB are not downloaded by default', async () => {
		const [item] = await downloaded({}, { body: { mid: 'mid.1', attachments: [file('/huge')] } });
		expect(item?.binary).toEqual({});
		expect(Object(item?.json.not_downloaded)[0].reason).toMatch(/larger than the limit of 100/);
	});

	it('are no more than the size limit of all files together', async () => {
		const attachments = Array.from({ length: 5 }, () => file('/turn'));
		const [item] = await downloaded(
			{ total_size_limit_mb: 1 },
			{ body: { mid: 'mid.1', attachments } },
		);
		const missed = Object(item?.json.not_downloaded);
		expect([fieldsOf(item).length, missed.length]).toEqual([2, 3]);
		expect(missed[0].reason).toMatch(/limit of 1 MB for all files/);
	});
});
