import { CredentialTestContext } from 'n8n-core';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { hurryTimeouts } from '../support/hurry';
import { endless, packed, startFileServer, type FileServer } from './fileServer';
import { itemWith, KINDS, uploadForm } from './mediaFiles';
import { Stage } from './support/stage';

const MB = 1024 ** 2;

/** How many MB the host has sent. */
let sent = 0;

const blanks = endless(Buffer.alloc(MB, ' '), () => sent++, { 'content-type': 'application/json' });

/** Small on its way, and 70 MB for whoever unpacks it. */
const bomb = packed(Buffer.alloc(70 * MB, ' '), 'application/json');

describe('An answer that would fill the memory of n8n', () => {
	const stage = Stage.forAllTests();
	let host: FileServer;
	beforeAll(async () => {
		host = await startFileServer({
			'/endless/me': blanks,
			'/bomb/me': bomb,
			'/unended/me': (response) => void response.writeHead(200).write(' '),
			'/endless': blanks,
			'/bomb': bomb,
		});
	});
	afterAll(async () => await host.stop());
	beforeEach(() => {
		sent = 0;
	});

	it.each(['endless', 'bomb'])('is given up if it is the service’s: %s', async (path) => {
		const { error } = await stage.run(
			{ resource: 'bot', operation: 'get' },
			{ credentials: stage.credentialsWith({ baseUrl: `${host.address}/${path}` }) },
		);
		expect(error?.message).toBe('No answer from the service: it is longer than 64 MB');
		expect(sent).toBeLessThan(100);
		await host.left();
	});

	const tested = async (path: string) => {
		const { botMessagingApi: data } = stage.credentialsWith({ baseUrl: `${host.address}/${path}` });
		const { testCredential } = new BotMessaging().methods.credentialTest;
		const credential = { id: '1', name: 'Bot', type: 'botMessagingApi', data };
		return await testCredential.call(new CredentialTestContext(), credential);
	};

	it.each(['endless', 'bomb'])('is given up by the test of a credential: %s', async (path) => {
		const { message } = await tested(path);
		expect(message).toMatch(/^No answer from the service: it is longer than 64 MB\./);
		expect(sent).toBeLessThan(100);
		await host.left();
	});

	it('is given up by the test of a credential when nothing more comes', async () => {
		const hurried = hurryTimeouts(100);
		const { message } = await tested('unended');
		hurried.mockRestore();
		expect(message).toMatch(/^No answer from the service: it took too long \(ETIMEDOUT\)\./);
		await host.left();
	});

	it.each(['endless', 'bomb'])('is given up if it is an upload host’s: %s', async (path) => {
		const url = `${host.address}/${path}`;
		await stage.fault({ path: '/uploads' }, { status: 200, body: { url } });
		const { error } = await stage.run(uploadForm(), {
			items: [await itemWith({ data: { size: 100, ...KINDS.file } })],
		});
		expect(error?.message).toBe('No answer from the file host: it is longer than 64 MB');
		expect(sent).toBeLessThan(100);
		await host.left();
	});
});
