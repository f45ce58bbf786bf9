import { isDeepStrictEqual } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import { catalogue, formFields } from '../../nodes/BotMessaging/actions/catalogue';
import { operation as send } from '../../nodes/BotMessaging/actions/message/send';
import { operation as sendAndWait } from '../../nodes/BotMessaging/actions/message/sendAndWait';
import type { Operation } from '../../nodes/BotMessaging/actions/operation';
import { OPTIONS } from '../../nodes/BotMessaging/form/fields';
import { waitFor } from '../support/wait';
import { Editor } from './support/editor';
import { formOf } from './support/forms';
import { shared } from './support/shared';
import { Stage } from './support/stage';
import { ACTION, workflow } from './support/workflow';

let stage: Stage;
let editor: Editor;
let workflowId: string;

/** A node with all options of an operation, with their defaults. */
const withAllOptions = (operation: Operation, filled: INodeParameters = {}) => {
	const { options = [] } = formFields(operation).find(({ name }) => name === OPTIONS) ?? {};
	const all = options.flatMap((each) => ('default' in each ? [[each.name, each.default]] : []));
	return {
		name: operation.name,
		type: ACTION,
		parameters: { operation: operation.value, ...filled, [OPTIONS]: Object.fromEntries(all) },
	};
};

beforeAll(async () => {
	stage = await Stage.open();
	editor = await Editor.open(shared());
	const { id } = await stage.create(
		workflow('Forms', [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{ name: 'Action', type: ACTION, credential: stage.credential },
			withAllOptions(send),
			withAllOptions(sendAndWait, { responseType: 'customForm' }),
		]),
	);
	workflowId = id;
});

beforeEach(async () => {
	if (await editor.form.isVisible()) return;
	await editor.openWorkflow(workflowId);
	await editor.openNode('Action');
});

afterEach(() => {
	expect(editor.problems()).toEqual([]);
});

afterAll(async () => {
	await editor.close();
	await stage.close();
});

interface Choice {
	name: string;
}

/** n8n adds this entry to each menu, sometimes a moment later. */
const CALL_OF_N8N = 'Custom API Call';

/** Opens the menu of a field, waits until it offers these choices, in order of their labels, and picks one. */
async function pick(field: string, label: string, choices: Choice[]): Promise<void> {
	const page = editor.form.page();
	const menu = editor.mark('parameter-input-item').locator('visible=true');
	await editor.parameter(field).locator('input').first().click();
	let offered: string[] = [];
	const isRight = async (): Promise<boolean> => {
		offered = (await labelsIn(menu)).filter((other) => other !== CALL_OF_N8N);
		return isDeepStrictEqual(offered, sorted(choices));
	};
	// A busy editor shows the operations of the resource before for a moment.
	await waitFor(isRight, {
		what: () => `the choices of ${field}, which has: ${offered.join(', ')}`,
	});
	const item = menu.filter({ has: page.getByText(label, { exact: true }) });
	await item.first().click();
	await menu.first().waitFor({ state: 'hidden' });
}

/** The labels in an open drop-down: the first line of each entry. */
async function labelsIn(options: Locator): Promise<string[]> {
	await options.first().waitFor();
	return (await options.allInnerTexts()).map((text) => text.trim().split('\n')[0] ?? '');
}

/** The text of the open form, line by line. */
async function lines(): Promise<string[]> {
	const parameters = editor.mark('node-parameters', editor.form).first();
	return (await parameters.innerText()).split('\n').map((line) => line.trim());
}

const sorted = (choices: Choice[]): string[] =>
	choices.map(({ name }) => name).sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));

it.each(catalogue)(
	'$name is in the menu, and each of its operations shows its fields',
	async ({ name, value, operations }) => {
		await pick('resource', name, catalogue);
		for (const operation of operations) {
			await pick('operation', operation.name, operations);
			const { labels, hidden } = formOf({ resource: value, operation: operation.value });
			let wrong: string[] = [];
			const isRight = async (): Promise<boolean> => {
				const seen = await lines();
				const missing = labels.filter((label) => !seen.includes(label));
				wrong = [...missing, ...hidden.filter((label) => seen.includes(label))];
				return wrong.length === 0;
			};
			const what = () => `${name} → ${operation.name}, missing or too much: ${wrong.join(', ')}`;
			await waitFor(isRight, { what, interval: 20 });
			await editor.screenshot(`form-${name}-${operation.name}`.replace(/\W+/g, '-').toLowerCase());
		}
	},
);

it('The options menu offers every option of Message → Send', async () => {
	const message = catalogue.find(({ value }) => value === 'message');
	await pick('resource', 'Message', catalogue);
	await pick('operation', 'Send', message?.operations ?? []);
	await editor.mark('collection-parameter-add', editor.form).last().click();
	const { options } = formOf({ resource: 'message', operation: 'send' });
	const menu = editor.mark('collection-parameter-option').locator('visible=true');
	expect(await labelsIn(menu)).toEqual(options);
});

it.each([send, sendAndWait])(
	'The labels of all options of Message → $name are shown whole',
	async ({ name }) => {
		await editor.closeNode();
		await editor.openNode(name);
		await editor.form.getByText('Requests per Second', { exact: true }).waitFor();
		expect(await editor.cutOffLabels()).toEqual([]);
	},
);
