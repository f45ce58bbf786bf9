import { createServer } from 'node:https';
import tls from 'node:tls';
import { delivery } from '../support/delivery';
import { createAuthority } from '../support/tls';
import { startFileServer } from './fileServer';
import { hashOf, itemWith, KINDS, receivedHashes, uploadForm, uploadRequests } from './mediaFiles';
import { close, listen } from '../support/server';
import { waitFor } from '../support/wait';
import { Stage } from './support/stage';

/** An authority that Node does not know, and an unrelated one. */
const national = createAuthority();
const other = createAuthority();
const certificate = national.issue(['127.0.0.1']);

const size = 300_000;
const ME = { resource: 'bot', operation: 'get' };

describe('A service whose certificate comes from an authority that Node does not know', () => {
	const stage = Stage.forAllTests({ tls: certificate, limits: { requests_per_second: 0 } });
	beforeEach(async () => {
		stage.credentials.botMessagingApi.trustedAuthorities = national.ca;
		await stage.control.clearJournal();
	});

	const trust = (text: string): void => {
		stage.credentials.botMessagingApi.trustedAuthorities = text;
	};

	test.each([
		['nothing', ''],
		['another authority', other.ca],
	])('is refused when the credential trusts %s, and the error says what to do', async (_, text) => {
		trust(text);
		const { error } = await stage.run(ME);
		expect(error?.message).toContain('authority that is not trusted here');
		expect(error?.description).toContain('Trusted Certificates');
	});

	test.each([
		['as it is in the file', national.ca],
		['after another one', other.ca + national.ca],
		['before another one', national.ca + other.ca],
		['with Windows line breaks', national.ca.replace(/\n/g, '\r\n')],
		['in one line', national.ca.replace(/\r?\n/g, ' ')],
		['with its line breaks written out', national.ca.replace(/\r?\n/g, '\\n')],
		['with a heading', `subject=Test Root\n\n${national.ca}`],
	])('is reached if the credential contains its authority %s', async (_, text) => {
		trust(text);
		const { items, error } = await stage.run(ME);
		expect(error).toBeUndefined();
		expect(items[0]?.json.user_id).toBe(String(stage.bot.user_id));
	});

	test.each([
		['a text', 'my certificate', /PEM form/],
		['half a certificate', national.ca.slice(0, 300), /PEM form/],
		['half of a second one', national.ca + other.ca.slice(0, 300), /PEM form/],
		['a damaged certificate', national.ca.replace(/\n\w{40}/, '\n'), /Certificate 1 .* cannot/],
		[
			'a damaged second certificate',
			national.ca + other.ca.replace(/\n\w{40}/, '\n'),
			/Certificate 2/,
		],
		['a private key', certificate.key, /private key/],
	])('is not contacted if Trusted Certificates contains %s', async (_, text, words) => {
		trust(text);
		const { error } = await stage.run(ME);
		expect(error?.message).toMatch(words);
		expect(error?.description).toContain('PEM');
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	test('gets each message once', async () => {
		const chat_id = await stage.group();
		const { error } = await stage.run({ resource: 'message', chat_id, text: 'Hello' });
		expect(error).toBeUndefined();
		expect(await stage.control.messages(chat_id)).toHaveLength(1);
	});

	test.each(['multipart', 'resumable'])(
		'receives files with the upload method %s, and returns them',
		async (upload_method) => {
			const file = { size, ...KINDS.video };
			const options = { upload_method, part_size_mb: 0.1 };
			const uploaded = await stage.run(uploadForm({ options }), {
				items: [await itemWith({ data: file })],
			});
			expect(uploaded.error).toBeUndefined();
			expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
			const { chatId } = await stage.dialog();
			const { body } = await stage.control.userWrites(chatId, {
				attachments: [
					{ type: 'file', content_base64: Buffer.from('x').toString('base64'), file_name: 'x.txt' },
				],
			});
			const back = await stage.run({
				resource: 'message',
				operation: 'downloadAttachments',
				message_source: 'id',
				message_id: body.mid,
			});
			expect(back.error).toBeUndefined();
			expect(Object.keys(back.items[0]?.binary ?? {})).toEqual(['attachment_0']);
		},
	);

	test('is polled for events', async () => {
		const host = await stage.activeTrigger({ events: ['*'], delivery: 'polling' });
		await stage.happen('a');
		// The bot may have had other events before.
		const isHere = async (): Promise<boolean> =>
			(await host.ended(1)).some(({ handed }) => handed.some(({ json }) => json.payload === 'a'));
		await waitFor(isHere, { what: 'the event' }).finally(async () => await host.deactivate());
	});

	test('lets a trigger subscribe and unsubscribe', async () => {
		const host = await stage.activeTrigger({ events: ['*'] });
		expect(await stage.subscriptions()).toHaveLength(1);
		await host.deactivate();
		const isGone = async () => (await stage.subscriptions()).length === 0;
		await waitFor(isGone, { what: 'the end of the subscription' });
	});
});

const plain = Stage.forAllTests({ limits: { requests_per_second: 0 } });

test('A file is fetched through hosts with different authorities, each checked against its own', async () => {
	const headers = { 'content-type': 'image/png', 'content-length': '3' };
	const host = createServer(national.issue(['127.0.0.1']), (_, response) =>
		response.writeHead(200, headers).end('png'),
	);
	const address = `https://127.0.0.1:${await listen(host)}/photo.png`;
	const first = await startFileServer({
		'/photo.png': (response) => response.writeHead(302, { location: address }).end(),
	});
	const fetched = async (file_url: string, trustedAuthorities: string) =>
		await plain.run(uploadForm({ file_source: 'url', file_url }), {
			credentials: plain.credentialsWith({ trustedAuthorities }),
		});
	try {
		const refused = await fetched(`${first.address}/photo.png`, '');
		expect(refused.error?.message).toContain('not trusted here');
		expect(refused.error?.description).toContain('Trusted Certificates');
		const taken = await fetched(`${first.address}/photo.png`, national.ca);
		expect(taken.error).toBeUndefined();
		expect(taken.items).toMatchObject([{ json: { type: 'image', size: 3 } }]);
		expect((await uploadRequests(plain)).length).toBe(1);
	} finally {
		await close(host);
		await first.stop();
	}
});

/** The service names this address for all uploads. */
const sendUploadsTo = async (url: string) =>
	await plain.fault(
		{ path: '/uploads' },
		{ status: 200, body: { url, token: 'a' } },
		{ count: -1 },
	);

test('An upload host that is not trusted is asked once, and the error says what to do', async () => {
	const host = createServer(certificate);
	let connections = 0;
	host.on('connection', () => connections++);
	const url = `https://127.0.0.1:${await listen(host)}/clip`;
	try {
		await sendUploadsTo(url);
		for (const upload_method of ['multipart', 'resumable']) {
			const { error } = await plain.run(
				uploadForm({ options: delivery({ upload_method, retry_for_seconds: 2 }) }),
				{ items: [await itemWith({ data: { size, ...KINDS.video } })] },
			);
			expect(error?.message).toContain('authority that is not trusted here');
			expect(error?.description).toContain('Trusted Certificates');
		}
		expect(connections).toBe(2);
	} finally {
		await close(host);
	}
});

test.each([
	['the credential trusts', national.ca],
	['is a usual one', other.ca],
])('An upload host whose authority %s need not answer anything but uploads', async (_, given) => {
	const create = tls.createSecureContext;
	const usual = given === national.ca ? undefined : national.ca;
	const spy = jest
		.spyOn(tls, 'createSecureContext')
		.mockImplementation((options) => create({ ca: usual, ...options }));
	const host = createServer(certificate, (request, response) => {
		if (request.method !== 'POST') return void request.socket.destroy();
		request.resume().once('end', () => response.end('<retval>1</retval>'));
	});
	const url = `https://127.0.0.1:${await listen(host)}/clip`;
	try {
		await sendUploadsTo(url);
		const { items } = await plain.run(
			uploadForm({ options: delivery({ upload_method: 'multipart', retry_for_seconds: 2 }) }),
			{
				credentials: plain.credentialsWith({ trustedAuthorities: given }),
				items: [await itemWith({ data: { size, ...KINDS.video } })],
			},
		);
		expect(items).toMatchObject([{ json: { token: 'a', size } }]);
	} finally {
		spy.mockRestore();
		await close(host);
	}
});
