import { checkCredential, listsHost } from '../../nodes/BotMessaging/service/connection';
import { startFileServer, type Answer } from './fileServer';
import { hashOf, itemWith, KINDS, receivedHashes, uploadForm, uploadRequests } from './mediaFiles';
import { Stage } from './support/stage';

describe.each(['multipart', 'resumable'])(
	'An upload host that requires the token, with the upload method %s,',
	(upload_method) => {
		const stage = Stage.forAllTests({
			uploadAuthorization: true,
			limits: { requests_per_second: 0 },
		});

		const file = { size: 300_000, ...KINDS.file };

		const upload = async (credential: Record<string, string>) => {
			const result = await stage.run(
				uploadForm({ options: { upload_method, part_size_mb: 0.1 } }),
				{
					items: [await itemWith({ data: file })],
					credentials: stage.credentialsWith(credential),
				},
			);
			const requests = await uploadRequests(stage);
			return {
				...result,
				withToken: requests.map(({ headers }) => headers.authorization === true),
			};
		};

		test('does not get it by default, and the error says how to allow it', async () => {
			const { error, withToken } = await upload({});
			expect(error).toMatchObject({ httpCode: '401' });
			expect(error?.description).toMatch(/'Upload With Token'.*Allowed Domains/);
			expect(withToken.some(Boolean)).toBe(false);
		});

		test.each([
			['it', (token = '') => token],
			['its beginning', (token = '') => token.slice(0, -9)],
		])('cannot get it into an error by echoing %s', async (_, echo) => {
			const { accessToken } = stage.credentials.botMessagingApi;
			const then = { status: 400, body: `Bad request of ${echo(accessToken)}` };
			await stage.fault({ origin: 'upload' }, then, { count: -1, after: 1 });
			const { error } = await upload({
				allowedHttpRequestDomains: 'domains',
				allowedDomains: 'api.example.com, 127.0.0.1',
			});
			expect(error?.message).toBe('Bad request of …');
		});

		test('gets it after the first refusal when the credential allows the host', async () => {
			const { error, items, withToken } = await upload({
				allowedHttpRequestDomains: 'domains',
				allowedDomains: 'api.example.com, 127.0.0.1',
			});
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ json: { size: file.size } }]);
			expect(await receivedHashes(stage)).toContain(hashOf(file));
			expect(withToken[0]).toBe(false);
			expect(withToken.slice(1).every(Boolean)).toBe(true);
		});

		test('gets it at once if it is the service itself', async () => {
			const url = `${stage.platform.baseUrl}/up`;
			await stage.fault({ path: '/uploads' }, { status: 200, body: { url } }, { count: -1 });
			await upload({});
			const requests = await stage.control.journal({ kind: 'request', path: '/up' });
			expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
				new Set([true]),
			);
		});
	},
);

/** Answers once it has the whole body. */
const replying =
	(status: number, body: object): Answer =>
	(response) => {
		response.req.resume().once('end', () => response.writeHead(status).end(JSON.stringify(body)));
	};

describe('Upload hosts of which the credential allows the first, which requires the token,', () => {
	const stage = Stage.forAllTests();

	/** Uploads a file, for which the service gives these addresses one after the other. */
	const uploadTo = async (...urls: string[]) => {
		await stage.control.setFaults(
			urls.map((url) => ({ match: { path: '/uploads' }, then: { status: 200, body: { url } } })),
		);
		return await stage.run(uploadForm(), {
			items: [await itemWith({ data: { size: 3, ...KINDS.file } })],
			credentials: stage.credentialsWith({
				allowedHttpRequestDomains: 'domains',
				allowedDomains: '127.0.0.1',
			}),
		});
	};

	test('take the file at the next address, where another one does not get the token', async () => {
		const host = await startFileServer({
			'/asks': replying(401, { code: 'verify.token', message: 'Token required' }),
			'/takes': replying(200, { token: 'taken' }),
		});
		const other = host.address.replace('127.0.0.1', 'localhost');
		const { error, items } = await uploadTo(`${host.address}/asks`, `${other}/takes`);
		await host.stop();
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { token: 'taken' } }]);
		expect(host.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
	});

	test('are not asked again when one refuses the token as well', async () => {
		const refusing = replying(401, { code: 'verify.token', message: 'Unknown token' });
		const host = await startFileServer({ '/first': refusing, '/second': refusing });
		const { error } = await uploadTo(`${host.address}/first`, `${host.address}/second`);
		await host.stop();
		expect(error).toMatchObject({ message: 'Unknown token', httpCode: '401' });
		const { accessToken } = stage.credentials.botMessagingApi;
		expect(host.seen.map(({ authorization }) => authorization)).toEqual([undefined, accessToken]);
	});
});

describe('An upload host that is to get the token', () => {
	const stage = Stage.forAllTests();

	test.each([
		[
			'does not get it without https',
			'http://uploads.example/x',
			{},
			/without https$/,
			/Switch off/,
		],
		[
			'has to be among the Allowed Domains, if there are any',
			'https://uploads.example/x',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' },
			/not allowed/i,
			/'Allowed Domains'/,
		],
	])('%s', async (_, url, restriction, message, advice) => {
		await stage.fault({ path: '/uploads' }, { status: 200, body: { url } });
		const options = { delivery: { values: { send_token_to_upload_host: true } } };
		const { error } = await stage.run(
			{ resource: 'file', operation: 'upload', options },
			{
				items: [await itemWith({ data: { size: 3, ...KINDS.file } })],
				credentials: stage.credentialsWith(restriction),
			},
		);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
	});
});

test.each([
	['upload.example.com', 'https://upload.example.com/x', true],
	['a.example, UPLOAD.example.com', 'https://upload.example.com/x', true],
	['*.example.com', 'https://upload.example.com/x', true],
	['*.example.com', 'https://example.com/x', false],
	['*.example.com', 'https://badexample.com/x', false],
	['example.com', 'https://upload.example.com/x', false],
	['upload.example.com', 'https://upload.example.com@evil.example/', false],
	['*.', 'https://evil.example/', false],
	['*.', 'https://evil.example./', false],
	['*', 'https://evil.example/', false],
])('Allowed Domains %j and the address %s: %p', (allowedDomains, url, expected) => {
	const restriction = { allowedHttpRequestDomains: 'domains', allowedDomains };
	const checked = checkCredential({
		baseUrl: 'https://api.example.com',
		accessToken: 'x',
		...restriction,
	});
	if ('flaw' in checked) throw new Error(checked.flaw);
	expect(listsHost(checked, url)).toBe(expected);
});

test('Without Allowed Domains no other host is listed', () => {
	const checked = checkCredential({ baseUrl: 'https://api.example.com', accessToken: 'x' });
	if ('flaw' in checked) throw new Error(checked.flaw);
	expect(listsHost(checked, 'https://upload.example.com/x')).toBe(false);
});
