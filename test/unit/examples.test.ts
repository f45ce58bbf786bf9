import { readdirSync } from 'node:fs';
import {
	isExpression,
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../nodes/BotMessaging/BotMessagingTrigger.node';
import { ACTION, EXAMPLES, readExample, TRIGGER } from '../n8n/support/workflow';

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

const isGroup = (value: unknown): value is INodeParameters =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds the values of a node that its form does not show or offer. */
class Check {
	readonly wrong: string[] = [];
	private readonly root: INodeParameters;

	constructor(
		private readonly node: INode,
		private readonly form: INodeTypeDescription,
	) {
		const { properties } = form;
		this.root =
			NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, form) ?? {};
		this.group(properties, node.parameters, this.root, []);
	}

	private group(
		fields: INodeProperties[],
		values: INodeParameters,
		around: INodeParameters,
		path: string[],
	) {
		for (const [name, value] of Object.entries(values)) {
			const place = [...path, name];
			const field = fields.find(
				(candidate) => candidate.name === name && this.isShown(candidate, around),
			);
			if (field) this.value(field, value, place);
			else this.wrong.push(`${place.join('.')} is not in the form`);
		}
	}

	private isShown(field: INodeProperties, around: INodeParameters): boolean {
		return NodeHelpers.displayParameter(around, field, this.node, this.form, this.root);
	}

	private value(field: INodeProperties, value: NodeParameterValueType, place: string[]) {
		const { type, options = [] } = field;
		if (isExpression(value)) return;
		if (type === 'options' || type === 'multiOptions') {
			const offered = options.map((option) => 'value' in option && option.value);
			const unknown = [value].flat().filter((chosen) => !offered.some((one) => one === chosen));
			const isStatic = field.typeOptions?.loadOptionsMethod === undefined;
			if (isStatic && unknown.length > 0) {
				this.wrong.push(`${place.join('.')} does not offer ${unknown.join()}`);
			}
		} else if (type === 'collection' && isGroup(value)) {
			const fields = options.filter((option): option is INodeProperties => 'type' in option);
			this.group(fields, value, { ...defaults(fields), ...value }, place);
		} else if (type === 'fixedCollection' && isGroup(value)) {
			this.parts(options, value, place);
		}
	}

	private parts(
		options: NonNullable<INodeProperties['options']>,
		value: INodeParameters,
		place: string[],
	) {
		for (const [name, rows] of Object.entries(value)) {
			const part = options.find(
				(option): option is INodePropertyCollection => 'values' in option && option.name === name,
			);
			const here = [...place, name];
			if (!part) this.wrong.push(`${here.join('.')} is not in the form`);
			for (const row of [rows].flat().filter(isGroup)) {
				if (part) this.group(part.values, row, { ...defaults(part.values), ...row }, here);
			}
		}
	}
}

const defaults = (fields: INodeProperties[]): INodeParameters =>
	Object.fromEntries(fields.map(({ name, default: value }) => [name, value]));

const files = readdirSync(EXAMPLES);

describe.each(files)('The example %s', (file) => {
	const { name, nodes, connections } = readExample(file);

	test('uses only fields and choices of the forms', () => {
		const wrong = nodes.flatMap((node) => {
			const form = FORMS[node.type];
			return form ? new Check(node, form).wrong.map((text) => `${node.name}: ${text}`) : [];
		});
		expect(wrong).toEqual([]);
	});

	test('has a file named like the workflow, in lower case', () => {
		expect(name.toLowerCase().replaceAll(' ', '-')).toBe(file.replace(/\.json$/, ''));
		expect(name).toMatch(/^[A-Z]/);
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
