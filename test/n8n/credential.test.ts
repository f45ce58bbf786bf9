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
});
