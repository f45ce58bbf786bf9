import { waitFor } from '../support/wait';
import { Editor } from './editor';
import { settled } from './publication';
import { shared } from './shared';
import { Stage } from './stage';

describe("The README's first bot, by mouse", () => {
	let stage: Stage;
	let editor: Editor;
	let workflow: string | undefined;

	beforeEach(async () => {
		stage = await Stage.open();
		editor = await Editor.open(shared());
	});
	afterEach(async () => {
		await editor.close();
		if (workflow) await stage.n8n.deleteWorkflow(await stage.n8n.getWorkflow(workflow));
		workflow = undefined;
		await stage.close();
	});

	it.each(['On message created', 'On bot started'])(
		'answers when the trigger was added by "%s": the other events are chosen in its form',
		async (action) => {
			await editor.newWorkflow();
			await editor.searchNodes('Bot Messaging');
			await editor.pick('Bot Messaging');
			await editor.pick(action);
			await editor.form.waitFor();
			await editor.chooseCredential(stage.credential.name);
			await editor.chooseAll('events', ['Message Created', 'Button Pressed', 'Bot Started']);
			await editor.screenshot('first-bot-trigger');
			await editor.closeNode();

			await editor.searchNodes('Bot Messaging');
			await editor.pick('Bot Messaging');
			await editor.pick('Send message');
			await editor.form.waitFor();
			await editor.chooseCredential(stage.credential.name);
			await editor.fillExpression('chat_id', '{{ $json.chat_id }}');
			await editor.fillExpression('text', 'You wrote: {{ $json.text }}');
			await editor.screenshot('first-bot-send');
			await editor.closeNode();

			workflow = await editor.publish();
			await waitFor(async () => (await stage.subscriptions()).length === 1, {
				...{ timeout: 30_000, what: 'the subscription of the published workflow' },
			});
			const [subscription] = await stage.subscriptions();
			expect(subscription?.update_types?.toSorted()).toEqual([
				'bot_started',
				'message_callback',
				'message_created',
			]);

			// n8n subscribes a moment before it takes the calls of the service.
			await settled(stage.n8n.session, workflow, 'published');
			await stage.control.userWrites(stage.dialog.chat_id, 'Good morning');
			await stage.answer(({ body }) => body.text === 'You wrote: Good morning');
			expect(editor.problems).toEqual([]);
		},
	);
});
