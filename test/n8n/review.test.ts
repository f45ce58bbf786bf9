import { startModel, type StubModel } from './model';
import { Stage } from './stage';
import { ACTION, TRIGGER, workflow } from './workflow';

const AGENT = '@n8n/n8n-nodes-langchain.agent';
const MODEL = '@n8n/n8n-nodes-langchain.lmChatOpenAi';

describe('Send and Wait as the human review of an agent', () => {
	const stage = Stage.forEachTest();
	let model: StubModel;

	beforeEach(async () => {
		model = await startModel();
	});
	afterEach(async () => await model.stop());

	/** Person → agent → (review by the person) → tool that sends a message. */
	async function reviewed() {
		const modelCredential = await stage.n8n.createCredential('Model', 'openAiApi', {
			apiKey: 'sk-stub',
			url: model.url,
		});
		const chat_id = "={{ $('Trigger').first().json.chat_id }}";
		const draft = workflow(
			'Reviewed agent',
			[
				{
					name: 'Trigger',
					type: TRIGGER,
					credential: stage.credential,
					parameters: { events: ['message_created', 'message_callback'] },
				},
				{
					name: 'Agent',
					type: AGENT,
					typeVersion: 3.1,
					parameters: { promptType: 'define', text: '={{ $json.text }}' },
				},
				{
					name: 'Model',
					type: MODEL,
					typeVersion: 1.3,
					credential: modelCredential,
					parameters: {
						model: { __rl: true, mode: 'id', value: 'stub' },
						responsesApiEnabled: false,
					},
				},
				{
					name: 'Review',
					type: `${ACTION}HitlTool`,
					credential: stage.credential,
					parameters: { chat_id, answer_in: 'chat', message: '=May I use {{ $tool.name }}?' },
				},
				{
					name: 'Tell',
					type: `${ACTION}Tool`,
					credential: stage.credential,
					parameters: {
						resource: 'message',
						operation: 'send',
						descriptionType: 'manual',
						toolDescription: 'Sends a message',
						chat_id,
						text: "={{ $fromAI('text', 'Text of the message', 'string') }}",
					},
				},
			],
			[['Trigger', 'Agent']],
		);
		const to = (node: string, type: 'ai_languageModel' | 'ai_tool') => ({
			[type]: [[{ node, type, index: 0 }]],
		});
		await stage.createActive({
			...draft,
			connections: {
				...draft.connections,
				Model: to('Agent', 'ai_languageModel'),
				Review: to('Agent', 'ai_tool'),
				Tell: to('Review', 'ai_tool'),
			},
		});
	}

	const question = async () =>
		await stage.answer(({ body }) => body.text?.startsWith('May I use') === true);

	it('lets the agent use its tool once the person has approved', async () => {
		await reviewed();
		await stage.control.userWrites(stage.dialog.chat_id, 'Are you there?');
		const { body } = await question();
		expect(await texts()).not.toContain('You asked: Are you there?');

		await stage.control.press(body.mid, { text: 'Approve' });

		await stage.answer((message) => message.body.text === 'You asked: Are you there?');
		const decided = await stage.control.message(body.mid);
		expect(decided.body.text).toMatch(/^May I use .+\n\n✅ Approved by Vera$/);
	});

	const texts = async () =>
		(await stage.control.messages(stage.dialog.chat_id)).map(({ body }) => body.text);
});
