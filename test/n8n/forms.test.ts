import type { Locator } from 'playwright-core';
import { catalogue } from '../../nodes/BotMessaging/actions/catalogue';
import { waitFor } from '../support/wait';
import { Editor } from './editor';
import { FORMS } from './forms';
import { shared } from './shared';
import { Stage } from './stage';
import { ACTION, workflow } from './workflow';

let stage: Stage;
let editor: Editor;

/** One node for each form, in a row, so that the open form of one leads to that of the next. */
beforeAll(async () => {
	stage = await Stage.open();
	editor = await Editor.open(shared());
	const { id } = await stage.create(
		workflow('Forms', [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			...FORMS.map(({ name, parameters }) => ({
				...{ name, parameters, type: ACTION, credential: stage.credential },
			})),
		]),
	);
	await editor.openWorkflow(id);
	await editor.openNode('Start');
});

afterEach(() => {
	// The editor asks for sample outputs of every node, which few nodes have; the console repeats each refusal.
	const usual = /^404 .*\/schemas\/|^console: Failed to load resource/;
	expect(editor.problems.filter((problem) => !usual.test(problem))).toEqual([]);
	editor.problems.length = 0;
});

afterAll(async () => {
	await editor.close();
	await stage.close();
});

/** Goes on from the open form to that of the next node in the row. */
async function openNext(): Promise<void> {
	const next = '[data-test-id="floating-node"][data-node-placement="outputMain"]';
	await editor.form.page().locator(next).first().click();
}

/** What is written in the open form, line by line. */
async function lines(): Promise<string[]> {
	const parameters = editor.mark('node-parameters', editor.form).first();
	return (await parameters.innerText()).split('\n').map((line) => line.trim());
}

/** The labels in an open drop-down, each by its first line. */
async function labelsIn(options: Locator): Promise<string[]> {
	await options.first().waitFor();
	return (await options.allInnerTexts()).map((text) => text.trim().split('\n')[0] ?? '');
}

/** What the open form is for. */
const chosen = async (name: string): Promise<string> =>
	await editor.parameter(name).locator('input').first().inputValue();

it.each(FORMS)('$name shows its fields', async ({ name, labels, hidden, options }) => {
	await openNext();
	const [title = ''] = name.split(',');
	const state = async () => `${await chosen('resource')} → ${await chosen('operation')}`;
	await waitFor(async () => (await state()) === title, { what: title, interval: 20 });
	await waitFor(async () => (await lines()).includes('Options'), { what: name, interval: 20 });
	const written = await lines();
	expect(written).toEqual(expect.arrayContaining(labels));
	expect(written.filter((line) => hidden.includes(line))).toEqual([]);

	if (name !== title) return;
	await editor.screenshot(`form-${title.replace(/\W+/g, '-').toLowerCase()}`);
	await editor.mark('collection-parameter-add', editor.form).last().click();
	const menu = editor.mark('collection-parameter-option').locator('visible=true');
	expect(await labelsIn(menu)).toEqual(options);
	await editor.form.page().keyboard.press('Escape');
	await menu.first().waitFor({ state: 'hidden' });
});

/** n8n adds a call of any other address to each menu, now and then a moment later. */
const CALL_OF_N8N = 'Custom API Call';

const sorted = (choices: Array<{ name: string }>): string[] =>
	choices.map(({ name }) => name).sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));

it('The menus offer every resource and every operation', async () => {
	const menu = editor.mark('parameter-input-item').locator('visible=true');
	const open = async (name: string): Promise<string[]> => {
		await editor.parameter(name).locator('input').first().click();
		return (await labelsIn(menu)).filter((label) => label !== CALL_OF_N8N);
	};
	const choose = async (label: string): Promise<void> => {
		const page = editor.form.page();
		await menu
			.filter({ has: page.getByText(label, { exact: true }) })
			.first()
			.click();
		await menu.first().waitFor({ state: 'hidden' });
	};
	for (const { name, operations } of catalogue) {
		const resources = await open('resource');
		expect(resources).toEqual(sorted(catalogue));
		await choose(name);
		const offered = await open('operation');
		expect(offered).toEqual(sorted(operations));
		await choose(offered[0] ?? '');
	}
});
