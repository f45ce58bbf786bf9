import type { INodeParameters } from 'n8n-workflow';
import { startFileServer } from './fileServer';
import type { NodeRun } from './support/engine';
import { Stage } from './support/stage';
import {
	hashOf,
	itemWith,
	KINDS,
	receivedHashes,
	uploadForm,
	uploadRequests,
	type Kind,
} from './mediaFiles';
import { delivery } from '../support/delivery';

const kinds = Object.keys(KINDS) as Kind[];
const ways = ['multipart', 'resumable'] as const;
const PART_MB = 0.05;
const size = 300_000;

describe('File → Upload', () => {
	const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });

	/** Uploads these files of one item. */
	const uploaded = async (
		files: Parameters<typeof itemWith>[0],
		parameters: INodeParameters = {},
		more: Partial<NodeRun> = {},
	) => await stage.run(uploadForm(parameters), { items: [await itemWith(files)], ...more });

	const upload = async (kind: Kind, options: INodeParameters = {}) => {
		const data = { size, ...KINDS[kind] };
		const given = delivery({ part_size_mb: PART_MB, ...options });
		return { ...(await uploaded({ data }, { options: given })), file: data };
	};

	it('encodes the file name in the header of a part strictly and leaves out quotes, which some hosts keep in the name', async () => {
		const data = { size: 2_000, fileName: "it's (1)*!.pdf", mimeType: 'application/pdf' };
		await uploaded({ data }, { options: delivery({ upload_method: 'resumable' }) });
		const [{ headers } = { headers: {} }] = await uploadRequests(stage);
		expect(headers).toMatchObject({
			'content-disposition': 'attachment; filename=it%27s%20%281%29%2A%21.pdf',
		});
	});

	describe.each(ways)('with the upload method %s', (upload_method) => {
		it.each(kinds)('uploads a complete file of type %s and returns its token', async (kind) => {
			const { items, error, hints, file } = await upload(kind, { upload_method });
			expect(error).toBeUndefined();
			expect(hints).toEqual([]);
			expect(items).toMatchObject([
				{
					json: {
						type: kind,
						token: expect.stringMatching(/./),
						size,
						file_name: file.fileName,
						mime_type: file.mimeType,
						// Only its host numbers them.
						...(kind === 'file' && { file_id: expect.stringMatching(/^\d+$/) }),
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
			const requests = await uploadRequests(stage);
			expect(requests).toHaveLength(upload_method === 'multipart' ? 1 : 6);
			expect(requests.map(({ headers }) => headers.authorization)).not.toContain(true);
		});

		it('uploads files of the item in memory mode', async () => {
			const file = { size, ...KINDS.video };
			const { items } = await stage.run(uploadForm({ options: delivery({ upload_method }) }), {
				binaryMode: 'memory',
				items: [await itemWith({ data: file }, 'memory')],
			});
			expect(items).toMatchObject([{ json: { type: 'video' } }]);
			expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
		});

		it('sends the access token to the upload host when it is told to, and only then', async () => {
			await upload('file', { upload_method, send_token_to_upload_host: true });
			const requests = await uploadRequests(stage);
			expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
				new Set([true]),
			);
		});

		it.each([
			['plain.pdf', 'plain.pdf'],
			['Отчёт за июнь — итог.pdf', 'Отчёт за июнь — итог.pdf'],
			['日本語 👍🏽 100%.pdf', '日本語 👍🏽 100%.pdf'],
			['say "hello"; filename="x".pdf', 'say "hello"; filename="x".pdf'],
			['two\r\nlines.pdf', 'two_lines.pdf'],
			['../../etc/pass\\wd.pdf', '.._.._etc_pass_wd.pdf'],
			['half \ud83d.pdf', 'half _.pdf'],
		])('transmits the file name %j safely', async (fileName, arrived) => {
			const file = { size: 2_000, fileName, mimeType: 'application/pdf' };
			const { items } = await uploaded({ data: file }, { options: delivery({ upload_method }) });
			expect(items).toMatchObject([{ json: { file_name: arrived } }]);
			expect(await nameOf(items[0]?.json.token)).toBe(arrived);
		});

		it.each(['text/plain\r\n\r\nnot of the file', 'text/plain\nX: y', 'text', ' / ', 'текст/я'])(
			'sends only the content, whatever the MIME type contains: %j',
			async (mimeType) => {
				const file = { size: 2_000, fileName: 'report.pdf', mimeType };
				const parameters = { media_type: 'file', options: { upload_method } };
				const { error } = await uploaded({ data: file }, parameters);
				expect(error).toBeUndefined();
				expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
			},
		);
	});

	it.each([
		['as one form up to 50 MB', 50 * 1024 ** 2, [false]],
		['in parts beyond that', 50 * 1024 ** 2 + 1, [true, true]],
	])('sends a file %s, unless told otherwise', async (_, bytes, ranged) => {
		const data = { ...KINDS.video, size: bytes };
		const { error } = await uploaded({ data }, { options: delivery({ part_size_mb: 30 }) });
		expect(error).toBeUndefined();
		const requests = await uploadRequests(stage);
		expect(requests.map(({ headers }) => 'content-range' in headers)).toEqual(ranged);
	});

	it.each([
		['named by its MIME type', { mimeType: 'image/png' }, 'file.png', 'image'],
		['with an empty name', { mimeType: 'image/png', fileName: '' }, 'file.png', 'image'],
		['with a known extension', { mimeType: '', fileExtension: 'mp3' }, 'file.mp3', 'audio'],
		['without a MIME type', { fileName: 'sea.png' }, 'sea.png', 'image'],
		['with numbers', { mimeType: 5, fileName: 123 }, '123', 'file'],
		['with nothing but null', { mimeType: null, fileName: null }, 'file.bin', 'file'],
	])('accepts a file from a Code node, %s', async (_, made, file_name, type) => {
		const content = { ...made, data: Buffer.from('photo').toString('base64') };
		const item = JSON.parse(JSON.stringify({ json: {}, binary: { data: content } }));
		const { items, error } = await stage.run(uploadForm(), { items: [item] });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { type, file_name } }]);
	});

	it('sends none of several files when one of them is refused, as one of 0 bytes is', async () => {
		const files = { whole: { size, ...KINDS.image }, none: { size: 0, ...KINDS.file } };
		const { error } = await uploaded(files);
		expect(error?.message).toBe('The file report.pdf is empty');
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	it.each([
		['a text', 'Dear Vera, the parcels are here.'],
		['a data URL', 'data:image/png;base64,iVBORw0KGgo='],
		['an object', { parcels: 2 }],
		['a number', 2],
	])(
		'refuses a file whose content is %s, which n8n would decode into another file, or not at all',
		async (_, data) => {
			const content = { data, mimeType: 'image/png', fileName: 'sea.png' };
			const item = JSON.parse(JSON.stringify({ json: {}, binary: { data: content } }));
			const { error } = await stage.run(uploadForm(), { items: [item], binaryMode: 'memory' });
			expect(error?.message).toBe('The file sea.png is not given as base64');
			expect(error?.description).toContain("toString('base64')");
			expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
		},
	);

	it.each([
		['that n8n has deleted', 'filesystem-v2:workflows/1/executions/1/binary_data/gone'],
		['of another program, described by an ID of its own', '1BxiMVs0XRA5nFMdKvBd'],
	])('says that n8n does not have a file %s', async (_, id) => {
		const file = { id, mimeType: 'image/png', fileName: 'sea.png' };
		const { error } = await stage.run(uploadForm({ binary_fields: '={{ $json.file }}' }), {
			items: [{ json: { file } }],
		});
		expect(error?.message).toMatch(/^n8n cannot read the file sea\.png: ./);
		expect(error?.description).toContain("'Input Data Field Name'");
	});

	it('accepts a Buffer as n8n passes it on from a Code node', async () => {
		const bytes = { data: Buffer.from('Dear Vera, here they are.'), mimeType: 'text/plain' };
		const item = JSON.parse(JSON.stringify({ json: {}, binary: { data: bytes } }));
		const { items } = await stage.run(uploadForm(), { items: [item] });
		expect(items).toMatchObject([{ json: { type: 'file', size: 25 } }]);
	});

	it('accepts base64 with line breaks', async () => {
		const data = Buffer.alloc(200, 'a picture').toString('base64').replace(/.{76}/g, '$&\r\n');
		const item = { json: {}, binary: { data: { data, mimeType: 'image/png' } } };
		const { items } = await stage.run(uploadForm(), { items: [item], binaryMode: 'memory' });
		expect(items).toMatchObject([{ json: { size: 200 } }]);
	});

	it.each(['', 'data'])(
		'finds no file if the binary data is null, with the field name "%s"',
		async (binary_fields) => {
			const item = JSON.parse('{"json":{},"binary":{"data":null}}');
			const { error } = await stage.run(uploadForm({ binary_fields }), { items: [item] });
			expect(error?.message).toMatch(
				/^Input Data Field Name (finds no file in|names no file of) the item/,
			);
		},
	);

	it.each(['', 'data', '_files.data', '={{ $json._files.data }}'])(
		'takes a file from the JSON of the item if the workflow keeps files there, with the field name "%s"',
		async (binary_fields) => {
			const file = { size, ...KINDS.image };
			const workflowSettings = { binaryMode: 'combined' } as const;
			const { items, error } = await uploaded(
				{ data: file },
				{ binary_fields },
				{ workflowSettings },
			);
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ json: { type: 'image', size } }]);
			expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
		},
	);

	it('finds a field by its whole name, even if it looks like the path of a file in the JSON', async () => {
		const file = { size, ...KINDS.image };
		const { error } = await uploaded({ 'my_files.data': file }, { binary_fields: 'my_files.data' });
		expect(error).toBeUndefined();
		expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
	});

	it('tells whose item has lost its files on the way what makes Edit Fields keep them', async () => {
		const { error } = await stage.run(uploadForm(), { items: [{ json: { edited: true } }] });
		expect(error?.description).toContain(
			"Edit Fields does so only with 'Include Other Input Fields'",
		);
	});

	it('takes no file from the JSON of the item if anybody may have written it', async () => {
		const data = { data: Buffer.from('photo').toString('base64'), mimeType: 'image/png' };
		const { error } = await stage.run(uploadForm(), { items: [{ json: { _files: { data } } }] });
		expect(error?.message).toBe('Input Data Field Name finds no file in the item');
		expect(error?.description).toMatch(/Download Attachments.*'not_downloaded' in the item/);
	});

	it('accepts a file from an expression', async () => {
		const files = { one: { size: 10, ...KINDS.image }, two: { size, ...KINDS.image } };
		const { items } = await uploaded(files, { binary_fields: '={{ $binary.two }}' });
		expect(items).toMatchObject([{ json: { type: 'image', size } }]);
	});

	it('finds the content of a file from an expression, which n8n leaves out if it is in memory', async () => {
		const inMemory = (text: string) => ({
			data: Buffer.from(text).toString('base64'),
			mimeType: 'image/png',
			fileName: `${text}.png`,
		});
		const binary = { one: inMemory('one'), two: inMemory('second') };
		const upload = async (more: object) =>
			await stage.run(uploadForm({ binary_fields: '={{ $binary.two }}' }), {
				items: [{ json: {}, binary: { ...binary, ...more } }],
				binaryMode: 'memory',
			});
		const { items } = await upload({});
		expect(items).toMatchObject([{ json: { file_name: 'second.png', size: 6 } }]);
		const { error } = await upload({ three: inMemory('second') });
		expect(error?.message).toBe('Input Data Field Name was given a file without its content');
	});

	it('refuses a file that has no content at all', async () => {
		const item = JSON.parse('{"json":{},"binary":{"data":{"mimeType":"image/png"}}}');
		const { error } = await stage.run(uploadForm(), { items: [item] });
		expect(error?.message).toBe('The file file.png is empty');
	});

	/** The name under which the platform has a file. */
	const nameOf = async (token: unknown) => {
		const { chatId: chat_id } = await stage.dialog();
		const attachments_json = JSON.stringify([{ type: 'file', payload: { token } }]);
		await stage.run({ resource: 'message', chat_id, attachments_source: 'json', attachments_json });
		const [message] = await stage.control.messages(chat_id, 1);
		return message?.body.attachments?.[0]?.filename;
	};

	it('uploads several files of one item, in the order in which they are named, each with its type', async () => {
		const files = {
			clip: { size, ...KINDS.video },
			data: { size, ...KINDS.image },
			other: { size, ...KINDS.audio },
		};
		const items = [await itemWith(files)];
		const named = await stage.run(uploadForm({ binary_fields: 'data, clip' }), { items });
		expect(named.items.map(({ json }) => json.type)).toEqual(['image', 'video']);
		const all = await stage.run(uploadForm(), { items });
		expect(all.items.map(({ json }) => json.type).sort()).toEqual(['audio', 'image', 'video']);
		expect(all.items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	});

	it('sends a file with the type that was chosen', async () => {
		const data = { size, ...KINDS.image };
		const parameters = { media_type: 'file', options: { file_name: 'original.png' } };
		const { items } = await uploaded({ data }, parameters);
		expect(items).toMatchObject([{ json: { type: 'file', file_name: 'original.png' } }]);
	});

	it('says which field has no file, and which ones have', async () => {
		const data = { size, ...KINDS.image };
		const { error } = await uploaded({ data }, { binary_fields: 'photo' });
		expect(error).toMatchObject({
			message: 'Input Data Field Name names no file of the item: photo',
			description: 'This item has files in: data.',
		});
	});

	it.each([
		['a program', { fileName: 'setup.exe', mimeType: 'application/x-msdownload' }, 'automatic'],
		['a table as an image', { fileName: 'report.csv', mimeType: 'text/csv' }, 'image'],
	])('says what to do when the service forbids %s', async (_, kind, media_type) => {
		const { error } = await uploaded({ data: { size, ...kind } }, { media_type });
		expect(error).toMatchObject({
			message: 'File extension is forbidden',
			description: expect.stringMatching(/'Media Type' → 'File'.*archive/),
		});
	});

	it.each([
		['image', 'File extension is forbidden', /archive/],
		['video', 'File extension is forbidden', /archive/],
		['audio', { error: 'Broken sound' }, /refused the file/],
	] as const)('recognizes a refusal of a %s with status 200: %j', async (kind, body, advice) => {
		await stage.fault({ origin: 'upload' }, { status: 200, body });
		const { error } = await uploaded({ data: { size, ...KINDS[kind] } });
		expect(JSON.stringify(body)).toContain(error?.message);
		expect(error?.description).toMatch(advice);
	});

	it.each(['/upload/5', 'file:///etc/passwd'])(
		'sends nothing to %s, which is not a web address',
		async (url) => {
			await stage.fault({ path: '/uploads' }, { status: 200, body: { url } });
			const { error } = await uploaded({ data: { size, ...KINDS.image } });
			expect(error?.message).toBe('The service gave no address to upload the file to');
			expect(await stage.control.journal({ kind: 'request', path: '/uploads' })).toHaveLength(1);
		},
	);

	const UP = '/up?token=in+the+address';
	const TWO = { early: 'early', late: 'late' };
	it.each<[Kind, { early?: string; late?: string }, string]>([
		['image', TWO, 'late'],
		['video', TWO, 'early'],
		['audio', TWO, 'early'],
		['file', TWO, 'late'],
		['image', {}, 'in the address'],
	])(
		'if there are, for a %s, the tokens %j and one in the address, uses %s',
		async (kind, { early, late }, token) => {
			const body = JSON.stringify({ token: late });
			const host = await startFileServer({
				[UP]: (response) => void response.req.resume().on('end', () => response.end(body)),
			});
			const slot = { url: host.address + UP, token: early };
			await stage.fault({ path: '/uploads' }, { status: 200, body: slot });
			const { items: output } = await uploaded({ data: { size, ...KINDS[kind] } });
			host.stop();
			expect(output).toMatchObject([{ json: { type: kind, token } }]);
		},
	);
});
