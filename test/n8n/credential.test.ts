import { Stage } from './stage';

describe('the credential test of n8n', () => {
	let stage: Stage;
	const test = async (change: Partial<Stage['access']>) =>
		await stage.n8n.testCredential(stage.credential, { ...stage.access, ...change });
	const requests = async () => await stage.control.journal({ kind: 'request' });

	beforeAll(async () => {
		stage = await Stage.open();
	});
	beforeEach(async () => await stage.control.clearJournal());
	afterAll(async () => await stage.close());

	it('passes with a valid token', async () => {
		expect(await test({})).toMatchObject({ status: 'OK' });
		expect(await requests()).toMatchObject([{ method: 'GET', path: '/me', status: 200 }]);
	});

	it('says that a wrong token is refused', async () => {
		const { status, message } = await test({ accessToken: 'no-such-token' });

		expect(status).toBe('Error');
		expect(message).toMatch(/Check the 'Access Token'/);
		expect(message).not.toContain('no-such-token');
	});

	it('accepts a Base URL with a trailing slash', async () => {
		expect(await test({ baseUrl: `${stage.access.baseUrl}/` })).toMatchObject({ status: 'OK' });
		expect(await requests()).toMatchObject([{ path: '/me' }]);
	});

	it('says that there is no service at a wrong path', async () => {
		const { status, message } = await test({ baseUrl: `${stage.access.baseUrl}/elsewhere` });

		expect(status).toBe('Error');
		expect(message).toMatch(/no bot service at this Base URL/);
	});

	it('does not send the token over plain http to another machine', async () => {
		const { status, message } = await test({ baseUrl: 'http://service.example' });

		expect(status).toBe('Error');
		expect(message).toContain('Base URL does not begin with https://');
	});

	it('says that nobody answers when the service is down', async () => {
		const { status, message } = await test({ baseUrl: 'https://localhost:9' });

		expect(status).toBe('Error');
		expect(message).toMatch(/nothing listens at its address/);
	});
});
