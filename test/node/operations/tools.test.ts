import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { Stage } from '../support/stage';
import { runTool } from '../support/tool';
import { castOf, chosen } from './cast';
import { samples } from './samples';

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });

const TYPES = { string: 'string', number: 'number', boolean: 'boolean' } as const;

/** The same form with all top-level values left to the model, and the values that the model decides on. */
function leftToModel(fields: INodeParameters) {
	const args: IDataObject = {};
	const decide = (name: string, value: NodeParameterValueType): NodeParameterValueType => {
		if (typeof value === 'object' && value !== null && '__rl' in value) {
			return { ...value, value: String(decide(name, value.value)) };
		}
		if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
			return value;
		}
		args[name] = value;
		return `={{ $fromAI('${name}', '', '${TYPES[typeOf(value)]}') }}`;
	};
	const entries = Object.entries(fields).map(([name, value]) => [name, decide(name, value)]);
	const parameters: INodeParameters = Object.fromEntries(entries);
	return { parameters, args };
}

function typeOf(value: string | number | boolean): keyof typeof TYPES {
	if (typeof value === 'string') return 'string';
	return typeof value === 'number' ? 'number' : 'boolean';
}

/** Choices that other fields depend on stay with the person who sets up the tool. */
const CHOICES = ['get_by', 'file_source', 'message_source', 'media_type', 'type'];

test.each(samples)('An agent can use $use', async (sample) => {
	const cast = await castOf(stage);
	await sample.before?.(stage, cast);
	const fields = sample.fields(cast, stage);
	const { parameters, args } = leftToModel(
		Object.fromEntries(Object.entries(fields).filter(([name]) => !CHOICES.includes(name))),
	);
	const { response, callError } = await runTool({
		node: new BotMessaging(),
		parameters: { ...chosen(sample.use), ...fields, ...parameters },
		args,
		credentials: stage.credentials,
	});
	expect(callError).toBeUndefined();
	expect(JSON.parse(response ?? '')).toMatchObject(sample.output(cast));
});

describe.each(['object', 'engine'] as const)('An agent whose call fails (%s)', (route) => {
	const told = async (parameters: INodeParameters, chat_id = 'Warehouse'): Promise<string> => {
		const { callError } = await runTool({
			node: new BotMessaging(),
			parameters: { chat_id: "={{ $fromAI('chat_id') }}", ...parameters },
			args: { chat_id },
			credentials: stage.credentials,
			route,
		});
		// n8n shows people both, one below the other.
		expect(callError?.description ?? null).toBeNull();
		return callError?.message ?? '';
	};

	test('is told what the field takes', async () => {
		expect(await told({ resource: 'chat', operation: 'get' })).toMatch(
			/^Chat ID is not an ID: Warehouse\. An ID is a whole number such as \d+/,
		);
	});

	test('is told what it left empty, as it sees neither form nor expression', async () => {
		expect(await told({ resource: 'chat', operation: 'get' }, '')).toBe(
			"Chat ID is empty: its expression gave nothing. Give it a value when calling the tool. Where the agent is not to choose it, compare the expression with the agent's input.",
		);
	});

	test('is told what to give in place of an object, as it can change no expression', async () => {
		const text = "={{ ({ words: $fromAI('chat_id') }) }}";
		const { group } = await castOf(stage);
		expect(await told({ resource: 'message', operation: 'send', text }, group)).toMatch(
			/^Text is an object or a list, not a text\. Give a text,/,
		);
	});

	test("is told the service's words", async () => {
		const keyboard_json = '[[{ "type": "url", "text": "Site" }]]';
		const parameters = { resource: 'message', operation: 'send', text: 'Hi' };
		const keyboard = { keyboard_source: 'json', keyboard_json };
		const { group } = await castOf(stage);
		expect(await told({ ...parameters, ...keyboard, chat_id: group })).toMatch(
			/^The service may not know the type of row 1, button 1: url\. Correct .+ The service said: \S/,
		);
	});
});

test.each([
	['that calls its tools itself', { route: 'object' }],
	["of a model in n8n's Chat", { route: 'engine', mode: 'chat' }],
] as const)('An agent %s is told that it cannot wait, and nobody is asked', async (_, called) => {
	const { group } = await castOf(stage);
	const { callError } = await runTool({
		node: new BotMessaging(),
		parameters: {
			resource: 'message',
			operation: 'sendAndWait',
			chat_id: group,
			message: 'May I?',
		},
		args: {},
		credentials: stage.credentials,
		...called,
	});
	expect(callError?.message).toMatch(
		/^Nobody was asked, as n8n cannot wait here\. n8n waits for the tools of an AI Agent node .+ nor for a tool that is executed without its agent\. Execute such an AI Agent/,
	);
	const newest = await stage.control.messages(group, 1);
	expect(newest.map(({ body }) => body.text)).not.toContain('May I?');
});
