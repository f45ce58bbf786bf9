import { createServer, type Server } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../nodes/BotMessaging/BotMessagingTrigger.node';
import { createAuthority } from '../support/tls';
import { close, listen } from '../support/server';
import { Stage } from './support/stage';

const national = createAuthority();

describe('The test of a credential', () => {
	const stage = Stage.forAllTests();

	const tested = async (change: object, context = new CredentialTestContext()) => {
		const { description, methods } = new BotMessaging();
		expect(description.credentials?.[0]?.testedBy).toBe('testCredential');
		const data = stage.credentialsWith(change).botMessagingApi;
		const credential = { id: '1', name: 'Bot', type: 'botMessagingApi', data };
		return await methods.credentialTest.testCredential.call(context, credential);
	};
	const requests = async () => await stage.control.journal({ kind: 'request' });

	it('passes with a valid token, with a single request', async () => {
		expect(await tested({})).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(await requests()).toMatchObject([{ method: 'GET', path: '/me', status: 200 }]);
	});

	it('is the same in the trigger', () => {
		const { description, methods } = new BotMessagingTrigger();
		expect(description.credentials).toEqual(new BotMessaging().description.credentials);
		expect(methods.credentialTest).toEqual(new BotMessaging().methods.credentialTest);
	});

	it.each([
		['', 'Base URL is empty'],
		['api.example.com', 'Base URL does not begin with https://'],
		['api.example.com:8443/v1', 'Base URL does not begin with https://'],
		['http://api.example.com', 'Base URL does not begin with https://'],
		['HTTP://API.EXAMPLE.COM', 'Base URL does not begin with https://'],
		['ftp://api.example.com', 'Base URL does not begin with https://'],
		['//api.example.com', 'Base URL does not begin with https://'],
		['https://', 'Base URL is not an address of a service'],
		['http://localhost:x@evil.example', 'Base URL is not an address of a service'],
		['http://localhost@evil.example/', 'Base URL is not an address of a service'],
		['http://127.0.0.1:80@evil.example', 'Base URL is not an address of a service'],
		['https://api.example.com@evil.example', 'Base URL is not an address of a service'],
		['https://me:secret@api.example.com', 'Base URL is not an address of a service'],
		['http://localhost\\@evil.example', 'Base URL is not an address of a service'],
		['http:\\\\evil.example', 'Base URL does not begin with https://'],
		['http://evil-localhost', 'Base URL does not begin with https://'],
		['http://localhost.evil.example', 'Base URL does not begin with https://'],
		['http://localhost.', 'Base URL does not begin with https://'],
		['http://127.0.0.1.evil.example', 'Base URL does not begin with https://'],
		['http://127.0.0.1.nip.io', 'Base URL does not begin with https://'],
		['http://[::ffff:10.0.0.1]/', 'Base URL does not begin with https://'],
		['http://[2001:db8::1]/', 'Base URL does not begin with https://'],
		['http://0.0.0.0', 'Base URL does not begin with https://'],
		['http://evil.example#@localhost', 'Base URL does not begin with https://'],
		['http://evil.example?@localhost', 'Base URL does not begin with https://'],
	])('sends nothing to %j and says: %s', async (baseUrl, message) => {
		const asked: unknown[] = [];
		const context = new CredentialTestContext();
		context.helpers.request = async (...request) => await Promise.resolve(asked.push(request));
		const result = await tested({ baseUrl }, context);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
		expect(asked).toEqual([]);
		const run = await stage.run(
			{ resource: 'bot', operation: 'get' },
			{ credentials: stage.credentialsWith({ baseUrl }) },
		);
		expect(run.error?.message).toContain(message);
	});

	it('accepts spaces around the address, capitals and slashes at its end', async () => {
		const { baseUrl = '' } = stage.credentials.botMessagingApi;
		const written = ` ${baseUrl.replace('http', 'HTTP')}// `;
		expect(await tested({ baseUrl: written })).toMatchObject({ status: 'OK' });
		expect(await requests()).toMatchObject([{ path: '/me' }]);
	});

	it('says that the token is refused, without showing it', async () => {
		const { status, message } = await tested({ accessToken: 'no-such-token' });
		expect(status).toBe('Error');
		expect(message).toContain("Check the 'Access Token'");
		expect(message).not.toContain('no-such-token');
	});

	it.each(['f9LH\u200bodD0', 'f9LH\nodD0', 'токен', 'Bearer f9LHodD0'])(
		'sends nothing with the token %j, part of which would be lost on the way',
		async (accessToken) => {
			const { message } = await tested({ accessToken });
			expect(message).toContain('Access Token has a character that tokens cannot have');
			expect(message).toContain('invisible characters');
			expect(await requests()).toEqual([]);
		},
	);

	it.each([
		[429, 'Try again in a minute'],
		[503, 'Try again later'],
		[502, 'Try again later'],
		[403, "Check 'Base URL' and 'Access Token'"],
	])(
		'says what to do about status %i, without naming a field of a node',
		async (status, advice) => {
			await stage.fault({}, { status, body: { message: 'Not now' } });
			const { message } = await tested({});
			expect(message).toContain(`Not now. `);
			expect(message).toContain(advice);
			expect(message).not.toMatch(/Retry For|sending again|Member/);
		},
	);

	it('says that another program answers at the address', async () => {
		await stage.fault({}, { status: 200, body: { status: 'up' } }, { count: -1 });
		const { message } = await tested({});
		expect(message).toContain('no bot service at this Base URL');
	});

	it('says that there is no service at a wrong path', async () => {
		const { message } = await tested({ baseUrl: `${stage.platform.controlUrl}/elsewhere` });
		expect(message).toContain('no bot service at this Base URL');
	});

	const bare = Stage.forAllTests({ profile: 'contract' });
	it('passes on a service that has only what the interface states, and recognizes a wrong token there', async () => {
		const own = bare.credentials.botMessagingApi;
		expect(await tested(own)).toMatchObject({ status: 'OK' });
		const wrong = await tested({ ...own, accessToken: 'no-such-token' });
		expect(wrong).toMatchObject({
			status: 'Error',
			message: expect.stringContaining("Check the 'Access Token'"),
		});
	});

	it.each([200, 400, 404, 405, 501])(
		'passes on a service that answers %d where it has no such operation',
		async (status) => {
			await stage.fault({ path: '/me' }, { status, body: status === 200 ? {} : '' });
			expect(await tested({})).toMatchObject({ status: 'OK' });
		},
	);

	it('does not follow a redirect with the token', async () => {
		const { baseUrl } = stage.platform;
		const server: Server = createServer((_, response) => {
			response.writeHead(302, { location: `${baseUrl}/me` }).end();
		});
		const port = await listen(server);
		const { message } = await tested({ baseUrl: `http://127.0.0.1:${port}` });
		await close(server);
		expect(message).toContain('redirect');
		expect(await requests()).toEqual([]);
	});

	it.each([
		['https://localhost:9', 'nothing listens at its address'],
		['https://no-such-host.invalid', 'there is no host of this name|could not be looked up'],
	])('explains the failure at %s: %s', async (baseUrl, words) => {
		const { status, message } = await tested({ baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(
			new RegExp(`^No answer from the service: .*(${words}).*Check 'Base URL'`),
		);
	});

	it.each([
		['api.example.com', 'add the name of this host, without scheme and port'],
		[' ', 'The credential allows no domain'],
	])(
		'does not send the token to hosts outside the Allowed Domains %j',
		async (allowedDomains, words) => {
			const { message } = await tested({ allowedHttpRequestDomains: 'domains', allowedDomains });
			expect(message).toContain(words);
			expect(message).toContain('Allowed Domains');
			expect(await requests()).toEqual([]);
		},
	);

	const secure = Stage.forAllTests({ tls: national.issue(['127.0.0.1']) });
	const strange = Stage.forAllTests({ tls: national.issue(['other.example']) });
	it('reports an unknown authority or the certificate of another host, and trusts the given certificates', async () => {
		const own = secure.credentials.botMessagingApi;
		const trustedAuthorities = national.ca;
		expect((await tested(own)).message).toContain('Trusted Certificates');
		expect(await tested({ ...own, trustedAuthorities })).toMatchObject({ status: 'OK' });
		expect((await tested({ ...own, trustedAuthorities: 'x' })).message).toContain('PEM');
		const other = { ...strange.credentials.botMessagingApi, trustedAuthorities };
		expect((await tested(other)).message).toContain('belongs to another host');
	});
});
