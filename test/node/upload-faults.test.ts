import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../platform/faults';
import { hurry } from '../support/hurry';
import { listen } from '../support/server';
import { waitFor } from '../support/wait';
import {
	hashOf,
	itemWith,
	KINDS,
	openFiles,
	receivedHashes,
	uploadForm,
	uploadRequests,
	type Kind,
} from './mediaFiles';
import { Stage } from './support/stage';
import { delivery } from '../support/delivery';

const PART_MB = 0.05;
const PART = PART_MB * 1024 ** 2;
const size = 300_000;
const ways = ['multipart', 'resumable'] as const;
/** Those whose token is told in different ways: that of audio comes like that of a video. */
const kinds = ['image', 'file', 'video'] as const;

const post = { origin: 'upload', method: 'POST' } as const;
const status = { origin: 'upload', method: 'GET' } as const;

describe('An upload', () => {
	hurry(5);

	const stage = Stage.forEachTest({ limits: { requests_per_second: 0 } });
	afterEach(async () => {
		await waitFor(() => openFiles().length === 0, {
			what: 'all files to be closed',
		});
	});

	const upload = async (kind: Kind, faults: FaultRule[], options: INodeParameters = {}) => {
		await stage.control.setFaults(faults);
		const file = { size, ...KINDS[kind] };
		const run = stage.run(
			uploadForm({ options: delivery({ part_size_mb: PART_MB, ...options }) }),
			{
				items: [await itemWith({ data: file })],
			},
		);
		return { run, file };
	};

	/** Runs it and expects the whole file to have arrived in the end. */
	const arrives = async (kind: Kind, faults: FaultRule[], options: INodeParameters = {}) => {
		const { run, file } = await upload(kind, faults, options);
		const { items, error, hints } = await run;
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { type: kind, token: expect.stringMatching(/./) } }]);
		expect(new Set(await receivedHashes(stage))).toEqual(new Set([hashOf(file)]));
		expect(await stage.control.faults()).toMatchObject(faults.map(() => ({ count: 0 })));
		return { requests: await uploadRequests(stage), hints };
	};

	const urls = async () =>
		(await stage.control.journal({ kind: 'request', path: '/uploads' })).length;

	describe.each(ways)('with the upload method %s', (upload_method) => {
		it.each(kinds)('recovers from a connection that is cut in the middle of a %s', async (kind) => {
			const { hints } = await arrives(kind, [{ match: post, then: { cut_after_bytes: 20_000 } }], {
				upload_method,
			});
			expect(hints).toMatchObject([{ message: expect.stringContaining('interrupted once') }]);
		});

		it.each([
			['image', 408],
			['file', 425],
			['video', 500],
		] as const)('recovers when the upload of a %s gets status %d', async (kind, status) => {
			const after = upload_method === 'resumable' ? 2 : 0;
			await arrives(kind, [{ match: post, after, then: { status } }], { upload_method });
			expect(await urls()).toBe(upload_method === 'resumable' ? 1 : 2);
		});

		it.each(kinds)('recovers when the answer to a complete %s is lost', async (kind) => {
			const after = upload_method === 'resumable' ? 5 : 0;
			await arrives(kind, [{ match: post, after, then: { cut: 'after' } }], { upload_method });
		});

		it.each(['image', 'file'] as const)(
			'recovers when the answer to a complete %s breaks off',
			async (kind) => {
				const after = upload_method === 'resumable' ? 5 : 0;
				const then = { status: 200, body: '{"token":"Zm9' };
				await arrives(kind, [{ match: post, after, then }], { upload_method });
			},
		);

		it.each([
			['image', 403],
			['file', 404],
			['video', 410],
		] as const)('requests another URL for a %s after status %d', async (kind, status) => {
			const after = upload_method === 'resumable' ? 3 : 0;
			await arrives(kind, [{ match: post, after, then: { status, body: 'expired' } }], {
				upload_method,
			});
			expect(await urls()).toBe(2);
		});

		it.each(kinds)('waits for a host that is slow with a %s', async (kind) => {
			await arrives(kind, [{ match: post, then: { delay_ms: 400, slow_body_ms: 200 } }], {
				upload_method,
			});
			expect(await urls()).toBe(1);
		});

		it.each([
			['that is overloaded', { status: 429 }],
			['that cannot be reached', { cut: 'before' }],
		] as const)('recovers from a host %s', async (_, then) => {
			const { hints } = await arrives('file', [{ match: post, count: 3, then }], { upload_method });
			expect(hints).toMatchObject([{ message: expect.stringContaining('interrupted 3 times') }]);
		});

		it('shows the name of an interrupted file as it is, as n8n takes hints for HTML', async () => {
			await stage.fault(post, { cut_after_bytes: 20_000 });
			const file = { size, ...KINDS.file, fileName: '<a href=https:evil.example>A & B<_a>.bin' };
			const { hints } = await stage.run(
				uploadForm({ options: delivery({ part_size_mb: PART_MB, upload_method }) }),
				{ items: [await itemWith({ data: file })] },
			);
			const shown = '&lt;a href=https:evil.example&gt;A &amp; B&lt;_a&gt;.bin';
			expect(hints).toMatchObject([
				{ message: `The upload of ${shown} was interrupted once and went on by itself.` },
			]);
		});

		it('gives up with the message of the host when nothing helps', async () => {
			const words = 'Closed for repairs. '.repeat(1000);
			const body = { error_code: 'down', error_data: words };
			const faults = [{ match: post, count: -1, then: { status: 503, body } }];
			const { run } = await upload('file', faults, { upload_method, retry_for_seconds: 1 });
			expect((await run).error).toMatchObject({
				message: words.slice(0, 1000),
				description: expect.stringContaining("raise 'Retry For (Seconds)'"),
				httpCode: '503',
			});
		});

		// Parts may be taken a little later in spite of 409.
		it.each(upload_method === 'multipart' ? [404, 409] : [404])(
			'gives up when three URLs get status %d',
			async (status) => {
				const faults = [{ match: post, count: -1, then: { status, body: 'who?' } }];
				const { run } = await upload('file', faults, { upload_method });
				expect((await run).error?.message).toBe('who?');
				expect(await urls()).toBe(3);
			},
		);

		it.each([
			[400, 'File extension is forbidden', /^File ext/, /does not take files of this kind/],
			[307, '', /status 307$/, /which uploads do not follow/],
			[413, 'Far too big', /^Far too big$/, /'Media Type' → 'File'/],
			[200, '<html>Log in</html>', /answered with a web page/, /such as a proxy/],
		])('does not retry after a final failure: %d %s', async (status, body, message, advice) => {
			const faults = [{ match: post, count: -1, then: { status, body } }];
			const { run } = await upload('video', faults, { upload_method });
			expect((await run).error).toMatchObject({
				message: expect.stringMatching(message),
				description: expect.stringMatching(advice),
			});
			expect(await urls()).toBe(1);
		});

		it('says so when the host takes a file, but gives no token for it', async () => {
			const faults = [{ match: post, count: -1, then: { status: 200, body: '{}' } }];
			const { run } = await upload('file', faults, { upload_method });
			expect((await run).error?.message).toMatch(/without a token for the file$/);
			expect(await urls()).toBe(1);
		});

		it('stops soon after the execution is stopped, and leaves no request open', async () => {
			const faults = [{ match: post, count: -1, then: { delay_ms: 600_000 } }];
			const { run } = await upload('video', faults, { upload_method });
			await waitFor(async () => (await stage.control.faults()).length > 0 && (await urls()) > 0, {
				what: 'the upload to begin',
				interval: 10,
			});
			run.cancel();
			expect(await run).toMatchObject({
				status: 'canceled',
				error: { message: 'The execution was stopped' },
			});
		});
	});

	const RESUMABLE = { upload_method: 'resumable' };

	/** Twenty positions all over the file, the same in each run. */
	const cuts = Array.from({ length: 20 }, (_, n) =>
		Math.floor(((n * 7919 + 13) % 20) * 15_000 + 1),
	);

	it.each(cuts)('in parts resumes after a cut at byte %d', async (cut) => {
		const part = Math.floor(cut / PART);
		const then = { cut_after_bytes: Math.max(1, Math.floor(cut - part * PART)) };
		const { requests } = await arrives('video', [{ match: post, after: part, then }], RESUMABLE);
		expect(await urls()).toBe(1);
		const sent = requests.filter(({ method }) => method === 'POST').map(({ bytes }) => bytes);
		expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(size + PART + 1);
	});

	it('in parts gets the full time for retries again after some progress', async () => {
		const faults = [1, 3, 5].map((after) => ({ match: post, after, then: { status: 500 } }));
		await arrives('video', faults, { ...RESUMABLE, retry_for_seconds: 1 });
		expect(await urls()).toBe(1);
	});

	it('in parts resumes after the last byte if the host keeps incomplete parts, once it says so', async () => {
		await stage.control.setSettings({ upload_limits: { keep_partial: true } });
		const faults: FaultRule[] = [
			{ match: post, after: 2, then: { cut_after_bytes: 7_000 } },
			{ match: status, then: { cut: 'before' } },
		];
		const { requests } = await arrives('video', faults, RESUMABLE);
		const ranges = requests.flatMap(({ content_range }) => content_range ?? []);
		const begin = 2 * Math.ceil(PART) + 7_000;
		expect(ranges[3]).toMatch(new RegExp(`^bytes ${begin}-`));
	});

	it.each([
		['image', 409],
		['file', 416],
		['video', 423],
	] as const)(
		'in parts asks how much of a %s has arrived after status %d',
		async (kind, status) => {
			const faults = [{ match: post, after: 1, then: { status } }];
			const { requests } = await arrives(kind, faults, RESUMABLE);
			expect(requests.map(({ method }) => method)).toContain('GET');
			expect(await urls()).toBe(1);
		},
	);

	it.each([
		['nonsense', { status: 200, body: 'all is well' }],
		['another size', { status: 200, body: '0-99/100' }],
		['more than the file has', { status: 200, body: `0-${size}/${size}` }],
		['an error', { status: 404, body: 'who?' }],
	])('in parts starts again at another URL when the host reports %s', async (_, then) => {
		const faults = [
			{ match: post, after: 2, then: { status: 500 } },
			{ match: status, then },
		];
		await arrives('video', faults, RESUMABLE);
		expect(await urls()).toBe(2);
	});

	it('in parts waits longer than three URLs last for a host that is down altogether', async () => {
		const down = { match: { origin: 'upload' } as const, count: 8, then: { status: 503 } };
		await arrives('file', [down], RESUMABLE);
		expect(await urls()).toBe(5);
	});

	it('in parts gives up when the host loses what it had at each of three URLs', async () => {
		const faults = [1, 2, 3].map((after) => ({ match: post, after, then: { status: 500 } }));
		const lost = { match: status, count: -1, then: { status: 404 } };
		const { run } = await upload('video', [...faults, lost], RESUMABLE);
		expect((await run).error?.message).toBe('The upload host answered with status 500');
		expect(await urls()).toBe(3);
	});

	it('in parts says why the host gave no token, although it has the whole file', async () => {
		const fails = { match: post, after: Math.ceil(size / PART) - 1, count: -1 };
		const whole = { status: 200, body: `0-${size - 1}/${size}` };
		const { run } = await upload(
			'file',
			[
				{ ...fails, then: { status: 500 } },
				{ match: status, count: -1, then: whole },
			],
			RESUMABLE,
		);
		expect((await run).error?.message).toBe('The upload host answered with status 500');
		expect(await urls()).toBe(3);
	});

	it.each([
		['a part', 2],
		['the last part', Math.ceil(size / PART) - 1],
	])(
		'in parts sends again what the host lacks of %s, although it answered with 200',
		async (_, part) => {
			const has = `0-${part * Math.ceil(PART) - 1}/${size}`;
			const { requests } = await arrives(
				'video',
				[{ match: post, after: part, then: { status: 200, body: has } }],
				RESUMABLE,
			);
			expect(requests.map(({ method }) => method)).toContain('GET');
			expect(await urls()).toBe(1);
		},
	);

	it('in parts starts again at the same URL when the host has nothing yet', async () => {
		await arrives('video', [{ match: post, then: { cut: 'before' } }], RESUMABLE);
		expect(await urls()).toBe(1);
	});
});

const EARLY = [
	['413 No', 'Far too big.', 'Far too big.'],
	['200 OK', 'File extension is forbidden', 'File extension is forbidden'],
	['200 OK', '{"token":"a"}', 'The upload host answered before it had everything'],
] as const;

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });

test.each(ways.flatMap((way) => EARLY.map((answer) => [way, ...answer] as const)))(
	'An upload host that answers without reading the file is left, with the upload method %s: %s %s',
	async (upload_method, status, body, message) => {
		// The host itself does not see the end of what it does not read.
		const open = new Set<Socket>();
		const isStuck = (): boolean => [...open].some(({ writableLength }) => writableLength > 0);
		const host = createServer((socket) => {
			socket.once('data', () => {
				socket.pause();
				void waitFor(isStuck, { what: 'more than fits on the way' }).then(() =>
					socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
				);
			});
		});
		const port = await listen(host);
		const url = `http://127.0.0.1:${port}/clip`;
		const note = (message: unknown): void => {
			const { socket } = message as { socket: Socket };
			socket.once('connect', () => socket.remotePort === port && open.add(socket));
			socket.once('close', () => open.delete(socket));
		};
		subscribe('net.client.socket', note);
		try {
			await stage.fault({ path: '/uploads' }, { status: 200, body: { url, token: 'a' } });
			const options = delivery({ upload_method, retry_for_seconds: 0 });
			const { error } = await stage.run(uploadForm({ options }), {
				items: [await itemWith({ data: { size: 30_000_000, ...KINDS.video } })],
			});
			expect(error?.message).toBe(message);
			await waitFor(() => open.size === 0, { what: 'the end of the connection', timeout: 3000 });
		} finally {
			unsubscribe('net.client.socket', note);
			for (const socket of open) socket.destroy();
			host.close();
		}
	},
);
