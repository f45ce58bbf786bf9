import type { INodeParameters } from 'n8n-workflow';
import { BrowserPage } from './support/browser';
import { buttonsOf, shown } from '../support/question';
import type { Stage } from './support/stage';
import { dataOf, useAsking } from './support/waiting';
import { ACTION, TRIGGER, workflow, type WorkflowDraft } from './support/workflow';

describe('Send and Wait for Response', () => {
	const played = useAsking();

	it('goes on when an allowed person presses a button in the chat, and shows the outcome', async () => {
		const { stage, asking } = played;
		// The press may come before n8n has stored that the execution waits.
		const { active, question } = await asking.askAtOnce({
			answer_in: 'chat',
			who_may_answer: 'people',
			allowed_user_ids: stage.user.user_id,
			approvalOptions: { values: { approvalType: 'double', approveLabel: 'Yes, please' } },
		});
		expect(buttonsOf(question)).toMatchObject([
			{ type: 'callback', text: 'Yes, please' },
			{ type: 'callback', text: 'Decline' },
		]);

		await stage.control.press(question.body.mid, { text: 'Yes, please' });

		expect(dataOf(await asking.told())).toMatchObject({
			approved: true,
			responder: { user_id: String(stage.user.user_id), user_name: 'Vera' },
			message_id: question.body.mid,
		});
		const { mid } = question.body;
		const decided = await shown(stage, mid, 'Really: dinner?\n\n✅ Approved by Vera');
		expect(buttonsOf(decided)).toEqual([]);
		// The press did not start the workflow again.
		await stage.n8n.executions.ofWorkflow(active, 1);
		expect(await asking.statuses(active)).toEqual(['success']);
	});

	const LONG_WORD =
		'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
	it.each<[string, INodeParameters]>([
		['a text', { responseType: 'freeText', answer_in: 'page' }],
		[
			'a form that is longer than the screen, with a long word',
			{
				responseType: 'customForm',
				formFields: {
					values: [1, 2, 3, 4, 5, 6].map((number) => ({
						fieldLabel: `${LONG_WORD} ${number}`,
						fieldType: 'textarea',
					})),
				},
			},
		],
	])('shows pages that fit on a phone, with room around them: %s', async (_, parameters) => {
		const { asking } = played;
		const { question } = await asking.ask(parameters);
		const { text } = await asking.open(buttonsOf(question)[0]?.url);
		const phone = await BrowserPage.open({ width: 400, height: 800 });
		try {
			await phone.page.setContent(text);
			const box = await phone.page.locator('main').boundingBox();
			expect(box).toMatchObject({ x: 16, width: 368 });
			expect(box?.y).toBeGreaterThanOrEqual(16);
			expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
		} finally {
			await phone.close();
		}
	});

	it('shows a text from the right to the left if its script runs that way', async () => {
		const { asking } = played;
		const { question } = await asking.ask({
			responseType: 'freeText',
			answer_in: 'page',
			options: { responseFormDescription: 'מתי להזמין?' },
		});
		const { text } = await asking.open(buttonsOf(question)[0]?.url);
		const phone = await BrowserPage.open({ width: 400, height: 800 });
		try {
			await phone.page.setContent(text);
			const ends = await phone.page.locator('p').evaluate((paragraph) => {
				const written = document.createRange();
				written.selectNodeContents(paragraph);
				return [written, paragraph].map((one) => one.getBoundingClientRect().right);
			});
			expect(ends[0]).toBe(ends[1]);
		} finally {
			await phone.close();
		}
	});

	it('goes on in a sub-workflow, and the loop that called it gets each answer', async () => {
		const { stage } = played;
		const dishes = ['soup', 'fish'];
		const loop = await stage.createActive(await askingInLoop(stage, dishes));
		await stage.control.userWrites(stage.dialog.chat_id, 'dinner');
		for (const dish of dishes) {
			const question = await stage.answer(({ body }) => body.text === `Really: ${dish}?`);
			await stage.control.press(question.body.mid, { text: 'Approve' });
			await stage.answer(({ body }) => body.text === `${dish}: true`);
		}
		await stage.n8n.executions.ofWorkflow(loop, 1);
	});

	it('takes the next message in the dialog as the text', async () => {
		const { stage, asking } = played;
		const { active, question } = await asking.ask({ responseType: 'freeText' });
		await stage.control.userWrites(stage.dialog.chat_id, 'At eight');
		expect(dataOf(await asking.told())).toMatchObject({ text: 'At eight' });
		// It did not start the workflow again.
		expect(await asking.statuses(active)).toHaveLength(1);
		const { mid } = question.body;
		const decided = await shown(stage, mid, 'Really: dinner?\n\n✅ At eight (Vera)');
		expect(buttonsOf(decided)).toEqual([]);
	});
});

/** When the person writes, a sub-workflow asks about one dish after another, and its caller tells each answer. */
async function askingInLoop(stage: Stage, dishes: string[]): Promise<WorkflowDraft> {
	const { credential, dialog } = stage;
	const base = 'n8n-nodes-base';
	const message = "=Really: {{ $('Called').item.json.dish }}?";
	const ask = { operation: 'sendAndWait', chat_id: dialog.chat_id, message };
	const text = "={{ $('Loop').item.json.dish }}: {{ $json.data.approved }}";
	const sub = await stage.createActive(
		workflow('Asks', [
			{
				name: 'Called',
				type: `${base}.executeWorkflowTrigger`,
				typeVersion: 1.1,
				parameters: { inputSource: 'passthrough' },
			},
			{ name: 'Ask', type: ACTION, credential, parameters: ask },
		]),
	);
	return workflow(
		'Asks in a loop',
		[
			{ name: 'Trigger', type: TRIGGER, credential, parameters: { events: ['*'] } },
			{
				name: 'Dishes',
				type: `${base}.code`,
				typeVersion: 2,
				parameters: {
					jsCode: `return ${JSON.stringify(dishes)}.map((dish) => ({ json: { dish } }))`,
				},
			},
			{ name: 'Loop', type: `${base}.splitInBatches`, typeVersion: 3 },
			{
				name: 'Call',
				type: `${base}.executeWorkflow`,
				typeVersion: 1.2,
				parameters: {
					workflowId: { __rl: true, mode: 'id', value: sub.id },
					options: { waitForSubWorkflow: true },
				},
			},
			{ name: 'Tell', type: ACTION, credential, parameters: { chat_id: dialog.chat_id, text } },
		],
		[
			['Trigger', 'Dishes'],
			['Dishes', 'Loop'],
			['Loop', 'Call', 1],
			['Call', 'Tell'],
			['Tell', 'Loop'],
		],
	);
}
