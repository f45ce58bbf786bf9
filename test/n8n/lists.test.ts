import type { INodeParameters } from 'n8n-workflow';
import { waitFor } from '../support/wait';
import { Editor } from './support/editor';
import { shared } from './support/shared';
import { Stage } from './support/stage';
import { ACTION, workflow } from './support/workflow';

describe('Drop-downs in the editor', () => {
	let stage: Stage;
	let editor: Editor;

	const empty = { __rl: true as const, mode: 'list', value: '' };

	beforeAll(async () => {
		stage = await Stage.open();
		editor = await Editor.open(shared());
		const { control, user, bot } = stage;
		const { chat_id } = await control.createChat({
			owner_id: user.user_id,
			admins: [{ user_id: bot.user_id }],
			silent: true,
		});
		for (const first_name of ['Oleg', 'Nina']) {
			const { user_id } = await control.createUser({ first_name });
			await control.addMember(chat_id, { user_id, silent: true });
		}
		await control.userWrites(chat_id, { user_id: user.user_id, text: 'Pin me' });
		const node = (name: string, parameters: INodeParameters) => ({
			name,
			type: ACTION,
			credential: stage.credential,
			parameters: { chat_id: String(chat_id), ...parameters },
		});
		const { id } = await stage.create(
			workflow('Lists', [
				{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
				node('Remove', { resource: 'member', operation: 'remove' }),
				node('Unknown chat', { resource: 'member', operation: 'remove', chat_id: '-5' }),
				node('Chat by expression', {
					resource: 'member',
					operation: 'remove',
					chat_id: '={{ $json.chat_id }}',
				}),
				node('Pin', { resource: 'chat', operation: 'update', updateFields: { pin: empty } }),
				node('Grant', {
					resource: 'administrator',
					operation: 'grantRights',
					admins: { admin: [{ user_id: empty, permissions: [], alias: '' }] },
				}),
			]),
		);
		await editor.openWorkflow(id);
	});

	afterEach(async () => await editor.closeNode());

	afterAll(async () => {
		await editor.close();
		await stage.close();
	});

	const openList = async (node: string) => {
		await editor.openNode(node);
		await editor.mark('rlc-input', editor.form).last().click();
	};

	const entries = async () => await editor.mark('rlc-item').locator('visible=true').allInnerTexts();

	/** Whether a person is among the entries; their ID stands behind the name. */
	const lists = (names: string[], person: string) =>
		names.some((name) => name.startsWith(`${person} (`));

	const seen = async (wanted: (names: string[]) => boolean, what: string) =>
		await waitFor(async () => wanted(await entries()), { what });

	it('list the members of the chosen chat, search them, and keep the choice', async () => {
		await openList('Remove');
		await seen((names) => lists(names, 'Oleg') && lists(names, 'Nina'), 'the members');
		await editor.screenshot('list-members');
		await editor
			.mark('rlc-search')
			.locator('input')
			.or(editor.mark('rlc-search'))
			.last()
			.fill('nin');
		await seen((names) => names.length === 1 && lists(names, 'Nina'), 'Nina alone');
		await editor.mark('rlc-item').locator('visible=true').first().click();
		const field = editor.mark('rlc-input', editor.form).last();
		await waitFor(async () => lists([await field.inputValue()], 'Nina'), { what: 'the choice' });
	});

	it('list the messages of the chosen chat, even within Update Fields', async () => {
		await openList('Pin');
		await seen(([name = '']) => name.endsWith('Vera: Pin me'), 'the message');
	});

	it('list members in a row of administrators', async () => {
		await openList('Grant');
		await seen((names) => lists(names, 'Nina'), 'the members');
		await editor.form.page().keyboard.press('Escape');
	});

	it.each([
		['Unknown chat', 'Chat \u20115 not found', "Check 'Chat ID'"],
		['Chat by expression', 'Chat ID is empty', 'execute the nodes before'],
	])('say what is wrong and what to do: %s', async (node, problem, advice) => {
		await openList(node);
		const error = editor.mark('rlc-error-container').locator('visible=true');
		await error.waitFor();
		const text = await error.innerText();
		expect(text).toContain(problem);
		expect(text).toContain(advice);
	});
});
