import { readdirSync } from 'node:fs';
import {
	isExpression,
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../nodes/BotMessaging/BotMessagingTrigger.node';
import { ACTION, EXAMPLES, readExample, TRIGGER } from '../n8n/support/workflow';
import { fieldsOf } from './fields';

const action = new BotMessaging().description;

/** As a tool, the node has two more fields, which n8n adds. */
const tool: INodeTypeDescription = {
	...action,
	properties: [
		...action.properties,
		{ displayName: 'Tool Description', name: 'descriptionType', type: 'string', default: '' },
		{ displayName: 'Description', name: 'toolDescription', type: 'string', default: '' },
	],
};

const FORMS: Readonly<Record<string, INodeTypeDescription>> = {
	[ACTION]: action,
	[`${ACTION}Tool`]: tool,
	[TRIGGER]: new BotMessagingTrigger().description,
};

/** The values of a node as n8n reads them: without those that its form does not show. */
const shownIn = (node: INode, form: INodeTypeDescription) =>
	NodeHelpers.getNodeParameters(form.properties, node.parameters, true, false, node, form);

/** The choices of a node that no menu of this name in its form offers. */
function notOffered(values: unknown, menus: INodeProperties[], menu?: string): unknown[] {
	if (typeof values === 'object' && values !== null) {
		return Object.entries(values).flatMap(([name, value]) =>
			notOffered(value, menus, Array.isArray(values) ? menu : name),
		);
	}
	const choices = menus.flatMap(({ name, options = [] }) => (name === menu ? options : []));
	const isOffered = choices.some((choice) => 'value' in choice && choice.value === values);
	return choices.length === 0 || isExpression(values) || isOffered ? [] : [values];
}

const files = readdirSync(EXAMPLES);

describe.each(files)('The example %s', (file) => {
	const { name, nodes, connections } = readExample(file);

	test('uses only fields and choices of the forms', () => {
		for (const node of nodes) {
			const form = FORMS[node.type];
			if (!form) continue;
			expect(shownIn(node, form)).toMatchObject(node.parameters);
			const menus = fieldsOf(form.properties).filter(({ type }) => /options$/i.test(type));
			expect(notOffered(node.parameters, menus)).toEqual([]);
		}
	});

	test('has a file named like the workflow, in lower case', () => {
		expect(name.toLowerCase().replaceAll(' ', '-')).toBe(file.replace(/\.json$/, ''));
		expect(name).toMatch(/^[A-Z]/);
	});

	test('leaves the address of its trigger to n8n: imported twice, it would have the same one', () => {
		expect(nodes.filter((node) => node.webhookId !== undefined)).toEqual([]);
	});

	test('starts its note with its name, and uses the terms of n8n', () => {
		const note = nodes.find((node) => node.type === 'n8n-nodes-base.stickyNote');
		expect(note?.parameters.content).toMatch(new RegExp(`^## ${name}\n`));
		expect(note?.parameters.content).not.toMatch(/activate/i);
	});

	test('does not answer messages of bots, which might answer it, and so on', () => {
		const triggers = nodes.filter(({ type }) => type === TRIGGER);
		for (const { parameters } of triggers) {
			if (![parameters.events].flat().includes('message_created')) continue;
			expect(parameters.filters).toMatchObject({ ignore_bots: true });
		}
	});

	test('downloads no more of what strangers send than it uses', () => {
		for (const { type, parameters } of nodes) {
			if (type !== TRIGGER || parameters.download_attachments !== true) continue;
			expect(parameters.options).toMatchObject({
				attachment_types: ['image'],
				size_limit_mb: expect.any(Number),
			});
		}
	});

	test('connects only nodes that exist', () => {
		const names = new Set(nodes.map((node) => node.name));
		const ends = Object.values(connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((lines) => lines.flatMap((line) => line ?? [])),
		);
		for (const end of [...Object.keys(connections), ...ends.map(({ node }) => node)]) {
			expect(names).toContain(end);
		}
	});
});
