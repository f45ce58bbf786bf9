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
	const saved = async (parameter: string, value: string) => {
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
				return parameters.some((each) => each[parameter] === value);
			},
			{ timeout: 30_000, what: () => `n8n to save ${value}, now ${JSON.stringify(parameters)}` },
		);
	};

	const add = async (action: string) => {
		await editor.searchNodes('Bot Messaging');
		await editor.pick('Bot Messaging');
		await editor.pick(action);
		await editor.form.waitFor();
		await editor.chooseCredential(stage.credential.name);
	};

	it.each<[action: string, chosen: string[], subscribed: string[]]>([
		['On message created', [], ['message_created']],
		[
			'On bot started',
			['Message Created', 'Button Pressed', 'Bot Started'],
			['bot_started', 'message_callback', 'message_created'],
		],
	])(
		'answers when the trigger was added by "%s" and these events are chosen in its form: %j',
		async (action, chosen, subscribed) => {
			await editor.newWorkflow();
			await add(action);
			if (chosen.length > 0) await editor.chooseAll('events', chosen);
			await editor.screenshot('first-bot-trigger');
			await editor.closeNode();

			await add('Send message');
			await editor.fillExpression('chat_id', '{{ $json.chat_id }}');
			await editor.fillExpression('text', 'You wrote: {{ $json.text }}');
			await editor.screenshot('first-bot-send');
			await saved('text', '=You wrote: {{ $json.text }}');
			await editor.closeNode();

			await editor.publish();
			await settled(stage.n8n.session, String(editor.workflowId), 'published');
			const [subscription] = await stage.subscriptions();
			expect(subscription?.update_types?.toSorted()).toEqual(subscribed);

			await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');
			await stage.answer(({ body }) => body.text === 'You wrote: Good morning');
			expect(editor.problems).toEqual([]);
		},
	);
});
