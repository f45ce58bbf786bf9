import { Editor } from './support/editor';
import { shared } from './support/shared';
import { Stage } from './support/stage';
import { ACTION, workflow } from './support/workflow';

describe("n8n's editor", () => {
	let stage: Stage;
	let editor: Editor;
	let workflowId: string;

	beforeAll(async () => {
		stage = await Stage.open();
		editor = await Editor.open(shared());
		const { id } = await stage.create(
			workflow('Forms', [
				{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
				{ name: 'Send', type: ACTION, credential: stage.credential },
				{ name: 'Read', type: ACTION },
			]),
		);
		workflowId = id;
	});
	afterEach(() => {
		expect(editor.problems()).toEqual([]);
	});
	afterAll(async () => {
		await editor.close();
		await stage.close();
	});

	/** Opens the form of a node in the workflow, which is opened if it is not yet: that takes seconds. */
	const openNode = async (name: string) => {
		if (editor.workflowId !== workflowId) await editor.openWorkflow(workflowId);
		await editor.openNode(name);
	};

	it('finds both nodes in the node panel', async () => {
		await editor.newWorkflow();
		expect(await editor.searchNodes('Bot Messaging')).toContain('Bot Messaging');
		await editor.screenshot('node-panel');
		await editor.pick('Bot Messaging');
		await editor.panelSections.first().waitFor();
		const sections = await editor.panelSections.allInnerTexts();
		expect(sections.join()).toMatch(/Triggers \(\d+\).*Actions \(\d+\)/);
		await editor.screenshot('node-panel-open');
	});

	it('opens the credential form, and tests what is filled in when it is saved', async () => {
		await openNode('Read');
		await editor.newCredential();
		const { baseUrl, accessToken } = stage.access;
		await editor.fill('baseUrl', baseUrl, editor.credentialForm);
		await editor.fill('accessToken', 'not-the-token', editor.credentialForm);
		await editor.saveCredential();
		await editor.credentialForm.getByText('connect with these settings').waitFor();
		await editor.screenshot('credential-refused');

		// A credential that works closes its form by itself.
		await editor.fill('accessToken', accessToken, editor.credentialForm);
		await editor.saveCredential();
		await editor.credentialForm.waitFor({ state: 'hidden' });
		const tests = await stage.control.journal({ method: 'GET', path: '/me' });
		expect(tests.at(0)).toMatchObject({ status: 401 });
		expect(tests.at(-1)).toMatchObject({ status: 200 });
		await editor.closeNode();
	});

	it('opens the action form, and sends what is filled in', async () => {
		await openNode('Send');
		await editor.fill('chat_id', String(stage.dialog.chat_id));
		const text = `Written in the form of ${workflowId}`;
		await editor.fill('text', text);
		await editor.screenshot('action-form');

		await editor.executeNode();

		const message = await stage.answer(({ body }) => body.text === text);
		await editor.form.getByText(message.body.mid).first().waitFor();
		await editor.screenshot('action-result');
		await editor.closeNode();
	});
});
