import { Agent, fetch, FormData } from 'undici';
import type { ShownMessage } from '../platform/control';
import { waitFor } from '../support/wait';
import { jsonOf } from './executions';
import type { Workflow } from './rest';
import { shared } from './shared';
import { Stage } from './stage';
import { ACTION, TRIGGER, workflow } from './workflow';

const BROWSER =
	'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

const JSON_TYPE = { 'content-type': 'application/json' };

interface Button {
	type: string;
	text: string;
	url?: string;
	payload?: string;
}

describe('Send and Wait for Response', () => {
	let stage: Stage;
	const dispatcher = new Agent({ connect: { ca: shared().ca, servername: 'localhost' } });

	beforeEach(async () => {
		stage = await Stage.open();
	});
	afterEach(async () => await stage.close());
	afterAll(async () => await dispatcher.close());

	/** Asks the person who writes, then repeats the answer to them. */
	const asking = (parameters: Record<string, unknown>) =>
		workflow('Ask', [
			{
				name: 'Trigger',
				type: TRIGGER,
				credential: stage.credential,
				parameters: { events: ['message_created', 'message_callback'] },
			},
			{
				name: 'Ask',
				type: ACTION,
				credential: stage.credential,
				parameters: {
					operation: 'sendAndWait',
					chat_id: '={{ $json.chat_id }}',
					message: '=Really: {{ $json.text }}?',
					...parameters,
				} as never,
			},
			{
				name: 'Tell',
				type: ACTION,
				credential: stage.credential,
				parameters: {
					chat_id: "={{ $('Trigger').item.json.chat_id }}",
					text: '=Answer: {{ JSON.stringify($json.data) }}',
				},
			},
		]);

	const buttonsOf = ({ body }: ShownMessage): Button[] => {
		const keyboard = body.attachments?.find(({ type }) => type === 'inline_keyboard');
		const payload = keyboard?.payload as { buttons: Button[][] } | undefined;
		return payload?.buttons.flat() ?? [];
	};

	/** Activates a workflow, lets the person write, and waits for the question. */
	async function askAtOnce(parameters: Record<string, unknown>) {
		const active = await stage.createActive(asking(parameters));
		await stage.control.userWrites(stage.dialog.chat_id, 'dinner');
		const question = await stage.answer(({ body }) => body.text === 'Really: dinner?');
		return { active, question };
	}

	/** The same, and waits until n8n has stored that the execution waits. */
	async function ask(parameters: Record<string, unknown>) {
		const asked = await askAtOnce(parameters);
		await waitFor(async () => (await statusOf(asked.active)).includes('waiting'), {
			timeout: 20_000,
			what: 'the execution to wait',
		});
		return asked;
	}

	/** Opens a link as it stands in a button: at the public name, which leads to the local n8n. */
	const open = async (
		url: string | undefined,
		init: { agent?: string; form?: Record<string, string> } = {},
	) => {
		const { pathname, search } = new URL(url ?? '');
		const { agent = BROWSER, form } = init;
		const body = new FormData();
		for (const [name, value] of Object.entries(form ?? {})) body.append(name, value);
		const answer = await fetch(`${shared().url}${pathname}${search}`, {
			dispatcher,
			redirect: 'manual',
			headers: { 'user-agent': agent },
			...(form && { method: 'POST', body }),
		});
		return { status: answer.status, text: await answer.text(), headers: answer.headers };
	};

	const told = async () =>
		await stage.answer(({ body }) => body.text?.startsWith('Answer: ') === true);
	const dataOf = ({ body }: ShownMessage): Record<string, unknown> =>
		JSON.parse(body.text?.slice('Answer: '.length) ?? '{}');
	const statusOf = async (active: Workflow) =>
		(await stage.n8n.executions.list(active)).map(({ status }) => status);

	it('goes on when the person opens the link of a button, and only once', async () => {
		const { active, question } = await ask({
			answer_in: 'page',
			approvalOptions: { values: { approvalType: 'double' } },
		});
		const [approve, decline] = buttonsOf(question);
		expect([approve, decline]).toMatchObject([
			{ type: 'link', text: 'Approve' },
			{ type: 'link', text: 'Decline' },
		]);
		expect(await statusOf(active)).toEqual(['waiting']);

		const page = await open(decline?.url);
		expect(page).toMatchObject({ status: 200 });
		expect(page.text).toContain('Got it, thanks');

		expect(dataOf(await told())).toMatchObject({ approved: false });
		expect((await open(approve?.url)).text).not.toContain('Got it, thanks');
		await stage.n8n.executions.ofWorkflow(active, 1);
		expect(await statusOf(active)).toEqual(['success']);
	});

	it('does not take the visit of a robot, or a changed link, for an answer', async () => {
		const { active, question } = await ask({ answer_in: 'page' });
		const [approve] = buttonsOf(question);
		for (const agent of ['', 'TelegramBot (like TwitterBot)', 'Slackbot-LinkExpanding 1.0']) {
			expect((await open(approve?.url, { agent })).text).toContain('Open this link in a browser');
		}
		const forged = approve?.url?.replace(/signature=..../, 'signature=0000');
		expect((await open(forged)).status).toBe(401);
		expect(await statusOf(active)).toEqual(['waiting']);
	});

	it('goes on when an allowed person presses a button in the chat, and shows the outcome', async () => {
		// The press may come before n8n has stored that the execution waits.
		const { active, question } = await askAtOnce({
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

		expect(dataOf(await told())).toMatchObject({
			approved: true,
			responder: { user_id: String(stage.user.user_id), user_name: 'Vera' },
			message_id: question.body.mid,
		});
		const decided = await stage.control.message(question.body.mid);
		expect(decided.body.text).toBe('Really: dinner?\n\n✅ Approved by Vera');
		expect(buttonsOf(decided)).toEqual([]);
		// The press did not start the workflow another time.
		await stage.n8n.executions.ofWorkflow(active, 1);
		expect(await statusOf(active)).toEqual(['success']);
	});

	it('refuses a press of somebody who is not allowed, and keeps waiting', async () => {
		const { active, question } = await ask({
			answer_in: 'chat',
			who_may_answer: 'people',
			allowed_user_ids: '1, 2',
		});

		await stage.control.press(question.body.mid, { text: 'Approve' });

		const [notification] = await waitFor(
			async () => {
				const seen = await stage.control.notifications(stage.user.user_id);
				return seen.length > 0 && seen;
			},
			{ timeout: 20_000, what: 'the notification' },
		);
		expect(notification).toMatchObject({ text: 'You are not allowed to answer this request.' });
		expect(await statusOf(active)).toEqual(['waiting']);
		expect(buttonsOf(await stage.control.message(question.body.mid))).toHaveLength(1);
	});

	it('keeps the resume address out of sight of the people in the chat', async () => {
		const { question } = await ask({ answer_in: 'chat' });
		expect(JSON.stringify(question)).not.toContain('webhook-waiting');
	});

	it('shows a page for a free text, and passes the text on', async () => {
		const { question } = await ask({
			responseType: 'freeText',
			answer_in: 'page',
			options: { messageButtonLabel: 'Write' },
		});
		const [button] = buttonsOf(question);
		expect(button).toMatchObject({ type: 'link', text: 'Write' });

		const page = await open(button?.url);
		expect(page.text).toContain('Really: dinner?');
		expect(page.text).toContain('<textarea');
		expect((await open(button?.url, { form: { 'field-0': ' ' } })).status).toBe(400);
		const sent = await open(button?.url, { form: { 'field-0': 'Pasta & wine' } });
		expect(sent.text).toContain('Got it, thanks');

		expect(dataOf(await told())).toMatchObject({ text: 'Pasta & wine' });
	});

	it("shows a page with the user's own fields, and passes the values on by their labels", async () => {
		const { question } = await ask({
			responseType: 'customForm',
			formFields: {
				values: [
					{ fieldLabel: 'Dish', fieldType: 'dropdown', fieldOptions: 'Pasta, Rice' },
					{ fieldLabel: 'Persons', fieldType: 'number', requiredField: true },
					{ fieldLabel: 'Vegetarian', fieldType: 'checkbox' },
				],
			},
		});
		const [button] = buttonsOf(question);
		expect((await open(button?.url)).text).toContain('<option>Rice</option>');
		const sent = await open(button?.url, { form: { 'field-0': 'Rice', 'field-1': '4' } });
		expect(sent.text).toContain('Got it, thanks');

		expect(dataOf(await told())).toMatchObject({ Dish: 'Rice', Persons: 4, Vegetarian: false });
	});

	it('keeps waiting for everything that is no answer, and then takes the right one', async () => {
		const { active, question } = await ask({
			responseType: 'customForm',
			formFields: { values: [{ fieldLabel: 'Dish', requiredField: true }] },
		});
		const [button] = buttonsOf(question);
		const { pathname, search } = new URL(button?.url ?? '');
		const url = `${shared().url}${pathname}${search}`;
		const multipart = (text: string) => ({
			method: 'POST',
			body: `--x\r\n${text}\r\n--x--\r\n`,
			headers: { 'content-type': 'multipart/form-data; boundary=x' },
		});
		const field = (name: string, value: string) =>
			`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
		const attempts = [
			{ method: 'POST' },
			{ method: 'POST', body: '{"data":{"field-0":{"toString":1}}}', headers: JSON_TYPE },
			{ method: 'POST', body: 'null', headers: JSON_TYPE },
			{ method: 'POST', body: '{"press":"{}","signature":"x"}', headers: JSON_TYPE },
			{ method: 'HEAD' },
			{ method: 'PUT', body: '{}', headers: JSON_TYPE },
			multipart(field('other', 'x')),
			multipart(field('__proto__', 'x')),
			multipart(`${field('field-0', 'a')}\r\n--x\r\n${field('field-0', 'b')}`),
			multipart(field('field-0', ' ')),
		];
		for (const attempt of attempts) {
			const answer = await fetch(url, { dispatcher, redirect: 'manual', ...attempt });
			await answer.arrayBuffer();
			expect(answer.status).toBeLessThan(500);
			expect(await statusOf(active)).toEqual(['waiting']);
		}
		expect((await open(button?.url, { form: { 'field-0': 'Rice' } })).text).toContain('Got it');
		expect(dataOf(await told())).toMatchObject({ Dish: 'Rice' });
	});

	it('takes a choice with its label and index', async () => {
		const { question } = await ask({ responseType: 'choices', choices: 'Now, Later' });
		await stage.control.press(question.body.mid, { text: 'Later' });
		expect(dataOf(await told())).toMatchObject({ choice: 'Later', index: 1 });
	});

	it('takes the next message of the dialog for a text', async () => {
		const { active, question } = await ask({ responseType: 'freeText' });
		await stage.control.userWrites(stage.dialog.chat_id, 'At eight');
		expect(dataOf(await told())).toMatchObject({ text: 'At eight' });
		// It did not start the workflow another time.
		expect(await statusOf(active)).toHaveLength(1);
		expect(buttonsOf(await stage.control.message(question.body.mid))).toEqual([]);
	});

	it('goes on with its input when nobody answers in time', async () => {
		const { active } = await ask({
			options: {
				limitWaitTime: {
					values: { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' },
				},
			},
		});
		// n8n looks for waiting executions once a minute.
		const [execution] = await stage.n8n.executions.ofWorkflow(active, 1, 100_000);
		expect(jsonOf(execution!, 'Ask')).toMatchObject([{ event: 'message_created', text: 'dinner' }]);
	}, 240_000);
});
