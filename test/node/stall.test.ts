import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { FaultAction, FaultRule } from '../platform/faults';
import { delivery } from '../support/delivery';
import { startFileServer, type Answer, type FileServer } from './fileServer';
import { itemWith, KINDS, uploadForm } from './mediaFiles';
import type { NodeResult } from './support/engine';
import type { BinaryMode } from './support/scope';
import { Stage } from './support/stage';

/** The real time for half a minute of fake time, in ms: a transfer that moves at all does so within four such steps. */
const STEP_MS = 200;
const MOST_STEPS = 120;

/** Sends a part of a file and then nothing more. */
const stalling =
	(headers: Record<string, string>): Answer =>
	(response) => {
		response.writeHead(200, { 'content-type': 'video/mp4', ...headers });
		response.write(Buffer.alloc(1000));
	};

/** Sends a byte from time to time and never ends. */
const trickling =
	(headers: Record<string, string>): Answer =>
	(response) => {
		response.writeHead(200, { 'content-type': 'video/mp4', ...headers });
		const timer = setInterval(() => response.write('x'), 10_000);
		response.once('close', () => clearInterval(timer));
	};

/** The same of a file that ends with the connection, so that its end tells nothing. */
const untilClosed =
	(answer: Answer): Answer =>
	(response, headers) => {
		response.useChunkedEncodingByDefault = false;
		answer(response, headers);
	};

/** Breaks off behind two thirds of the file; then sends it all again, 1 MB in 20 s up to there. */
function breakingOnce(): Answer {
	let requests = 0;
	return (response) => {
		response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': `${SIZE}` });
		if (++requests === 1) {
			response.write(Buffer.alloc((SIZE / 3) * 2), () => response.destroy());
			return;
		}
		let left = SIZE;
		const timer = setInterval(() => {
			const bytes = left > SIZE / 3 ? 1_000_000 : left;
			left -= bytes;
			response.write(Buffer.alloc(bytes));
			if (left === 0) clearInterval(timer);
		}, 20_000);
	};
}

/** Changes the protocol: n8n's helper then forgets the connection, and waits forever. */
const changing: Answer = ({ socket }) => {
	socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
};

/** Takes a file slowly, but steadily: 1 MB in 20 s. */
const takingSlowly: Answer = (response) => {
	const { req } = response;
	let taken = 0;
	req.on('data', ({ length }: Buffer) => {
		taken += length;
		if (taken < 1_000_000) return;
		taken = 0;
		req.pause();
		setTimeout(() => req.resume(), 20_000);
	});
	req.once('end', () => response.end('{"token":"a-token"}'));
};

/** More bytes than a connection holds while its host takes none. */
const SIZE = 30_000_000;

const DAYS_MS = 1_000_000_000;
const upload = (then: FaultAction): FaultRule[] => [
	{ match: { origin: 'upload' }, count: -1, then },
];
const TAKES_NOTHING = upload({ delay_ms: DAYS_MS });
const CUTS_AND_CHANGES_PROTOCOL: FaultRule[] = [
	{ match: { origin: 'upload', method: 'POST' }, count: -1, then: { cut: 'before' } },
	{ match: { origin: 'upload', method: 'GET' }, count: -1, then: { status: 101 } },
];
const ANSWERS_NOTHING = upload({
	status: 200,
	body: 'an answer',
	done: true,
	slow_body_ms: DAYS_MS,
});

describe('A stalled transfer', () => {
	let host: FileServer;
	afterEach(async () => {
		jest.useRealTimers();
		await host.stop();
	});
	const stage = Stage.forEachTest({ limits: { requests_per_second: 0 } });
	beforeEach(async () => {
		host = await startFileServer({
			'/measured.mp4': stalling({ 'content-length': `${SIZE}` }),
			'/unmeasured.mp4': stalling({}),
			'/trickling.mp4': trickling({}),
			'/measured-trickling.mp4': trickling({ 'content-length': `${SIZE}` }),
			'/ended-by-closing.mp4': untilClosed(stalling({})),
			'/trickling-until-closed.mp4': untilClosed(trickling({})),
			'/changing.mp4': changing,
			'/breaking.mp4': breakingOnce(),
			'/slow': takingSlowly,
		});
		jest.useFakeTimers({
			advanceTimers: true,
			doNotFake: ['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate'],
		});
	});

	/** Runs the node in steps of half a minute until it ends. Resolves to its error and how long it took, in minutes. */
	const run = async (parameters: INodeParameters, items?: INodeExecutionData[]) => {
		const begin = Date.now();
		let result: NodeResult | undefined;
		void stage.run(parameters, { items }).then((end) => (result = end));
		for (let steps = 0; !result && steps < MOST_STEPS; steps++) {
			await sleep(STEP_MS);
			jest.advanceTimersByTime(30_000);
		}
		return { message: result?.error?.message, minutes: (Date.now() - begin) / 60_000 };
	};

	const fromAddress = async (path: string, options: INodeParameters = {}) =>
		await run(uploadForm({ file_source: 'url', file_url: host.address + path, options }));

	const ofSize = async (size: number, options: INodeParameters = {}, mode?: BinaryMode) =>
		await run(uploadForm({ options: delivery({ upload_method: 'multipart', ...options }) }), [
			await itemWith({ data: { size, ...KINDS.video } }, mode),
		]);

	it.each([
		['/measured.mp4', /source of the file gave nothing for two minutes/],
		[
			'/measured-trickling.mp4',
			/source of the file gave nothing for two minutes, or next to nothing/,
		],
		['/unmeasured.mp4', /broke off: nothing came any more/],
		['/trickling.mp4', /broke off: nothing came any more, or next to nothing/],
		['/ended-by-closing.mp4', /broke off: nothing came any more/],
		['/trickling-until-closed.mp4', /broke off: nothing came any more, or next to nothing/],
	])('is given up when the source sends nothing, or next to nothing: %s', async (path, message) => {
		const end = await fromAddress(path);
		expect(end.message).toMatch(message);
		expect(end.minutes).toBeGreaterThan(2);
		expect(end.minutes).toBeLessThan(12);
		await host.left();
	});

	const attachmentAt = async (path: string) => {
		const attachment = { type: 'file', payload: { url: host.address + path } };
		const form = { resource: 'message', operation: 'downloadAttachments' };
		return await run(form, [{ json: { attachments: [attachment] } }]);
	};

	it.each([
		'/measured.mp4',
		'/unmeasured.mp4',
		'/trickling.mp4',
		'/measured-trickling.mp4',
		'/ended-by-closing.mp4',
		'/trickling-until-closed.mp4',
	])(
		'is given up when an attachment stops coming in the middle of its download: %s',
		async (path) => {
			const end = await attachmentAt(path);
			expect(end.message).toMatch(/^The download of .* broke off: nothing came any more/);
			expect(end.minutes).toBeGreaterThan(2);
			expect(end.minutes).toBeLessThan(6);
		},
	);

	it('is given up when the host changes the protocol instead of answering', async () => {
		await stage.control.setFaults(CUTS_AND_CHANGES_PROTOCOL);
		const attempts = [
			async () => await attachmentAt('/changing.mp4'),
			async () => await fromAddress('/changing.mp4'),
			async () => await ofSize(SIZE, { upload_method: 'resumable' }),
		];
		for (const attempt of attempts) {
			const end = await attempt();
			expect(end.message).toMatch(/^No answer from the file host: /);
			expect(end.minutes).toBeGreaterThan(1);
			expect(end.minutes).toBeLessThan(12);
		}
	});

	it.each([false, true])(
		'is given up when the upload host accepts nothing, with the token: %s',
		async (token) => {
			await stage.control.setFaults(TAKES_NOTHING);
			const end = await ofSize(SIZE, { send_token_to_upload_host: token });
			expect(end.message).toMatch(/upload host took nothing for two minutes/);
			expect(end.minutes).toBeGreaterThan(2);
			expect(end.minutes).toBeLessThan(12);
		},
	);

	it('goes on while a source that broke off gives, slowly, what the upload host has already', async () => {
		const options = delivery({ upload_method: 'resumable', part_size_mb: 5 });
		const end = await fromAddress('/breaking.mp4', options);
		expect(end.message).toBeUndefined();
		expect(end.minutes).toBeGreaterThan(4);
	});

	it.each<BinaryMode>(['filesystem', 'memory'])(
		'goes on while the upload host takes the file slowly, wherever n8n keeps it: %s',
		async (mode) => {
			const slot = { status: 200, body: { url: `${host.address}/slow` } };
			await stage.fault({ method: 'POST', path: '/uploads' }, slot);
			const end = await ofSize(SIZE, {}, mode);
			expect(end.message).toBeUndefined();
			expect(end.minutes).toBeGreaterThan(5);
			expect(await stage.control.journal({ path: '/uploads' })).toHaveLength(1);
		},
	);

	it('waits ten minutes for the answer once everything is sent', async () => {
		await stage.control.setFaults(ANSWERS_NOTHING);
		const end = await ofSize(1000);
		expect(end.message).toMatch(/took the file, and gave no answer for ten minutes/);
		expect(end.minutes).toBeGreaterThan(10);
	});
});
