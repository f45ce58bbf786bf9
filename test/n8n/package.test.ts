import type { ICredentialType } from 'n8n-workflow';
import { N8nClient } from './support/rest';
import { shared } from './support/shared';
import { ACTION, CREDENTIAL, PACKAGE, TRIGGER, VERSION } from './support/workflow';

describe('the packed package in a real n8n', () => {
	let n8n: N8nClient;

	beforeAll(async () => {
		n8n = await N8nClient.open(shared());
	});
	afterAll(async () => await n8n.close());

	it('is listed as an installed community package with both nodes', async () => {
		const packages = await n8n.packages();

		expect(packages).toHaveLength(1);
		expect(packages[0]).toMatchObject({ packageName: PACKAGE, installedVersion: VERSION });
		expect(packages[0]?.failedLoading).not.toBe(true);
		expect(packages[0]?.installedNodes.map(({ type }) => type).sort()).toEqual([ACTION, TRIGGER]);
	});

	it('offers the action node, also as a tool, and the trigger node', async () => {
		const names = (await n8n.nodeTypes()).map(({ name }) => name);

		expect(names).toEqual(expect.arrayContaining([ACTION, `${ACTION}Tool`, TRIGGER]));
		expect(names).not.toContain(`${TRIGGER}Tool`);
	});

	it('offers the credential in the HTTP Request node, for what the node cannot do', async () => {
		const credentials = await n8n.session.request<ICredentialType[]>(
			'GET',
			'/types/credentials.json',
		);

		// The editor lists those with this property.
		expect(credentials.find(({ name }) => name === CREDENTIAL)).toHaveProperty('authenticate');
	});

	it('includes its icons', async () => {
		const [node] = (await n8n.nodeTypes()).filter(({ name }) => name === ACTION);
		const icons = Object.values(node?.iconUrl ?? {});

		expect(icons).toHaveLength(2);
		for (const icon of icons) {
			expect(await n8n.session.text(`/${icon}`)).toContain('<svg');
		}
	});
});
