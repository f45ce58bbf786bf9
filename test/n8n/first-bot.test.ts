import { isDeepStrictEqual } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { waitFor } from '../support/wait';
import { Editor } from './support/editor';
import { settled } from './support/publication';
import { N8nError } from './support/session';
import { shared } from './support/shared';
import { Stage } from './support/stage';

describe("The README's first bot, built by mouse", () => {
	let stage: Stage;
	let editor: Editor;

	beforeEach(async () => {
		stage = await Stage.open();
		editor = await Editor.open(shared());
	});
	afterEach(async () => {
		const { workflowId } = editor;
		await editor.close();
		if (workflowId) await stage.n8n.deleteWorkflow(await stage.n8n.getWorkflow(workflowId));
		await stage.close();
	});

	/** Resolves when n8n has saved what was typed, a moment later; a form that is closed before that loses it. */
	const saved = async (parameter: string, isRight: (value: unknown) => boolean) => {
		let parameters: INodeParameters[] = [];
		await waitFor(
			async () => {
				const { workflowId } = editor;
				if (workflowId === undefined) return false;
				const workflow = await stage.n8n.getWorkflow(workflowId).catch((error: unknown) => {
					// The editor shows the address of a new workflow a moment before it is saved.
					if (!(error instanceof N8nError && error.status === 404)) throw error;
				});
				parameters = workflow?.nodes.map((node) => node.parameters) ?? [];
				return parameters.some((each) => isRight(each[parameter]));
			},
			{
				timeout: 30_000,
				what: () => `n8n to save ${parameter}, now ${JSON.stringify(parameters)}`,
			},
		);
	};

	const add = async (action: string) => {
		await editor.searchNodes('Bot Messaging');
		await editor.pick('Bot Messaging');
		await editor.pick(action);
		await editor.form.waitFor();
		await editor.chooseCredential(stage.credential.name);
	};

	/** Publishes, and resolves to the events that the bot's subscription then has. */
	const publish = async () => {
		await editor.publish();
		await settled(stage.n8n.session, String(editor.workflowId), 'published');
		const [subscription] = await stage.subscriptions();
		return subscription?.update_types?.toSorted();
	};

	it('answers when the trigger was added by "On message created"', async () => {
		await editor.newWorkflow();
		await add('On message created');
		await editor.screenshot('first-bot-trigger');
		await editor.closeNode();

		await add('Send message');
		await editor.fillExpression('chat_id', '{{ $json.chat_id }}');
		await editor.fillExpression('text', 'You wrote: {{ $json.text }}');
		await editor.screenshot('first-bot-send');
		await saved('text', (text) => text === '=You wrote: {{ $json.text }}');
		await editor.closeNode();
		expect(await publish()).toEqual(['message_created']);

		await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');
		await stage.answer(({ body }) => body.text === 'You wrote: Good morning');
		expect(editor.problems()).toEqual([]);
	});

	it('gets the events that are chosen in the form of a trigger that was added by "On bot started"', async () => {
		await editor.newWorkflow();
		await add('On bot started');
		await editor.chooseAll('events', ['Message Created', 'Button Pressed', 'Bot Started']);
		const chosen = ['bot_started', 'message_callback', 'message_created'];
		await saved('events', (events) => isDeepStrictEqual([events].flat().toSorted(), chosen));
		await editor.closeNode();
		expect(await publish()).toEqual(chosen);
		expect(editor.problems()).toEqual([]);
	});
});
