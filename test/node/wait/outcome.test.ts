import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { ShownUser } from '../../platform';
import { waitFor } from '../../support/wait';
import { buttonsOf, notified, shown } from '../../support/question';
import { Stage } from '../support/stage';
import { ask, formOf, open, passedOn, press, SIZES, submit, TEXT } from './asked';

const DOUBLE = { approvalType: 'double' };
const LOCATION = { type: 'location', latitude: 55.75, longitude: 37.61 };

describe('what becomes of the message', () => {
	const stage = Stage.forEachTest();
	let vera: ShownUser;
	let chatId: string;
	beforeEach(async () => {
		({ user: vera, chatId } = await stage.dialog());
		await stage.activeTrigger({ events: ['*'] });
	});

	const write = async (message: Parameters<typeof stage.control.userWrites>[1]) =>
		await stage.control.userWrites(chatId, message);

	it('choices are returned with label and index', async () => {
		const asked = await ask(stage, chatId, SIZES);
		const { mid } = asked.question.body;
		await press(stage, asked, 'Medium');
		expect(await passedOn(asked.host)).toMatchObject({
			choice: 'Medium',
			index: 1,
			message_id: mid,
			responder: { user_id: String(vera.user_id), user_name: 'Vera' },
		});
		expect(buttonsOf(await shown(stage, mid, 'Really?\n\n✅ Medium (Vera)'))).toEqual([]);
	});

	it.each<[string, INodeParameters, object, string]>([
		[
			'a choice',
			{ ...SIZES, choices: 'Large, Small' },
			{ choice: 'Small', index: 1 },
			'✅ Small (someone with the link)',
		],
		[
			'an approval',
			{ approvalOptions: { values: DOUBLE } },
			{ approved: false },
			'🚫 Declined by someone with the link',
		],
	])('%s can be made on a page, and the message shows it', async (_, kind, data, outcome) => {
		const { host, question, buttons } = await ask(stage, chatId, { ...kind, answer_in: 'page' });
		expect((await open(buttons[1]?.url)).text).toContain('Got it, thanks');
		expect(await passedOn(host)).toMatchObject(data);
		await shown(stage, question.body.mid, `Really?\n\n${outcome}`);
	});

	const LONG = { message: `<b>${'x'.repeat(3990)}</b>`, format: 'html' };
	const ENDING = '\n\n✅ Small (Vera)';
	const LITERAL = { choices: 'C++ [#2]\n<b>C</b>' };
	const LABELS = { approveLabel: 'Yes!', disapproveLabel: 'No!' };
	const BY_LABEL: INodeParameters = {
		responseType: 'approval',
		approvalOptions: { values: { ...DOUBLE, ...LABELS } },
		after_answer: 'replace',
		replacement: '{name}: {answer}',
	};
	it.each<[string, INodeParameters, string, string]>([
		[
			'an answer with markup characters literally, below a plain text',
			{ ...LITERAL, format: 'plain' },
			'C++ [#2]',
			'Really?\n\n✅ C++ [#2] (Vera)',
		],
		[
			'an answer with markup characters literally, below HTML',
			{ ...LITERAL, format: 'html' },
			'C++ [#2]',
			'Really?\n\n✅ C++ [#2] (Vera)',
		],
		[
			'a plain question with its signs, below which the text after the answer is marked',
			{ format: 'markdown', message: 'A < B & C?', texts: { answered: '**{answer}**' } },
			'Small',
			'A < B & C?\n\nSmall',
		],
		['the label of the button that approves', BY_LABEL, 'Yes!', 'Vera: Yes!'],
		['the label of the button that declines', BY_LABEL, 'No!', 'Vera: No!'],
		[
			'a long question without its marks and its end, but the answer',
			LONG,
			'Small',
			'x'.repeat(4000 - ENDING.length) + ENDING,
		],
		[
			'the text after the answer without marks below a question that loses them',
			{ ...LONG, texts: { answered: '<i>{answer}</i> &lt;3' } },
			'Small',
			`${'x'.repeat(3990)}\n\nSmall <3`,
		],
	])('after a press, the message shows %s', async (_, parameters, label, text) => {
		const asked = await ask(stage, chatId, { ...SIZES, ...parameters });
		await press(stage, asked, label);
		await shown(stage, asked.question.body.mid, text);
	});

	it.each([
		['html', '<b>Really?</b>', '<i>{answer}</i> &lt;3'],
		['markdown', '**Really?**', '*{answer}* <3'],
		['markdown', 'Really?', '*{answer}* <3'],
		['service_markdown', '**Really?**', '*{answer}* <3'],
	])(
		'the text after the answer is read in the format of the message, and the answer in it is not: %s %s',
		async (format, message, answered) => {
			const choices = ['A & <b>B</b>', 'C'] as const;
			const parameters = { ...SIZES, choices: [...choices], format, message, texts: { answered } };
			const asked = await ask(stage, chatId, parameters);
			await press(stage, asked, choices[0]);
			const words = format === 'service_markdown' ? 'A & <bB</b' : choices[0];
			const { body } = await shown(stage, asked.question.body.mid, `Really?\n\n${words} <3`);
			expect(body.markup).toContainEqual({ type: 'emphasized', from: 9, length: words.length });
		},
	);

	it.each<[string, INodeParameters, string, number]>([
		['keeps', { after_answer: 'keep' }, 'Really?', 3],
		['removes buttons', { after_answer: 'buttons' }, 'Really?', 0],
		[
			'replaces',
			{ after_answer: 'replace', replacement: '{name} took {answer}' },
			'Vera took Small',
			0,
		],
	])('After the Answer %s', async (_, parameters, text, buttons) => {
		const asked = await ask(stage, chatId, { ...SIZES, ...parameters });
		await press(stage, asked, 'Small');
		await passedOn(asked.host);
		await stage.seen({ path: '/answers' });
		expect(buttonsOf(await shown(stage, asked.question.body.mid, text))).toHaveLength(buttons);
	});

	it.each<[string, INodeParameters, Array<[string, string]>, string, object]>([
		[
			'shown by its fields, without those that were left empty',
			formOf(
				{ fieldLabel: 'Dish', fieldType: 'dropdown', fieldOptions: 'Pasta, Rice' },
				{ fieldLabel: ' Persons ', fieldType: 'number' },
				{ fieldLabel: 'Day', fieldType: 'date' },
				{ fieldLabel: 'Agreed', fieldType: 'checkbox' },
				{ fieldLabel: 'Urgent', fieldType: 'checkbox' },
				{ fieldLabel: 'Tables', fieldType: 'number' },
			),
			[
				['field-0', 'Rice'],
				['field-1', '4'],
				['field-2', ''],
				['field-3', 'true'],
			],
			'Really?\n\n✅ Dish: Rice, Persons: 4, Agreed: ✓, Urgent: ✗ (someone with the link)',
			{ Persons: 4, Day: '', Urgent: false, Tables: null },
		],
		[
			'shown even if nothing was filled in',
			{
				...formOf({ fieldLabel: 'Persons', fieldType: 'number' }),
				after_answer: 'replace',
				replacement: '{answer}',
			},
			[['field-0', '']],
			'–',
			{},
		],
		[
			'given with all digits of a number, as a text if a number cannot hold them',
			formOf({ fieldLabel: 'Account', fieldType: 'number' }),
			[['field-0', '40702810900000012345']],
			'Really?\n\n✅ Account: 40702810900000012345 (someone with the link)',
			{ Account: '40702810900000012345' },
		],
		[
			'given with the line breaks of a text in the chat',
			{ ...TEXT, answer_in: 'page' },
			[['field-0', 'one\r\ntwo']],
			'Really?\n\n✅ one\ntwo (someone with the link)',
			{ text: 'one\ntwo' },
		],
	])('what is filled in on a page is %s', async (_, parameters, fields, text, data) => {
		const { host, question, buttons } = await ask(stage, chatId, parameters);
		await submit(buttons[0]?.url, fields);
		expect(buttonsOf(await shown(stage, question.body.mid, text))).toEqual([]);
		expect(await passedOn(host)).toMatchObject(data);
	});

	it('the ID stands for a name that is nothing but marks of the format', async () => {
		const { user, chatId: dialog } = await stage.dialog('^_^');
		const replacing = { after_answer: 'replace', replacement: '{name}' };
		const asked = await ask(stage, dialog, { ...SIZES, format: 'service_markdown', ...replacing });
		await press(stage, asked, 'Small');
		await shown(stage, asked.question.body.mid, String(user.user_id));
	});

	it.each([
		['a further line', 'Vera\n✅ Approved by Oleg', 'Vera ✅ Approved by Oleg'],
		['signs that turn the order', '\u202eVera\u2067', 'Vera'],
		['nothing but signs that nobody sees', '\u200b\u2066\u{e0041}', undefined],
		['nothing but signs that join others', '\u200d\ufe0f \u200c', undefined],
		['nothing but braille without dots', '\u2800', undefined],
	])('a name with %s cannot imitate or hide an answer', async (_, name, seen) => {
		const { user, chatId: dialog } = await stage.dialog(name);
		const asked = await ask(stage, dialog, { approvalOptions: { values: DOUBLE } });
		await press(stage, asked, 'Approve');
		const by = seen ?? String(user.user_id);
		await shown(stage, asked.question.body.mid, `Really?\n\n✅ Approved by ${by}`);
		expect(await passedOn(asked.host)).toMatchObject({ responder: { user_name: name } });
	});

	it('an answer cannot turn or hide the name behind it, and keeps its lines', async () => {
		const { question } = await ask(stage, chatId, TEXT);
		await write({ text: 'A\u202e\tlamp\n\u2067two' });
		await shown(stage, question.body.mid, 'Really?\n\n✅ A lamp\ntwo (Vera)');
	});

	it('an answer without a text is shown as an attachment', async () => {
		const { question } = await ask(stage, chatId, TEXT);
		await write({ attachments: [LOCATION] });
		await shown(stage, question.body.mid, 'Really?\n\n✅ 📎 (Vera)');
	});

	it('an answer that is too long for the message is truncated', async () => {
		const { question } = await ask(stage, chatId, TEXT);
		await write('👍'.repeat(2000));
		await shown(stage, question.body.mid, `Really?\n\n✅ ${'👍'.repeat(1994)}`);
	});

	it('the change of the message follows the options that the question was sent with', async () => {
		const options = { disable_link_preview: true, notify: false };
		const asked = await ask(stage, chatId, { ...SIZES, options });
		await press(stage, asked, 'Small');
		await shown(stage, asked.question.body.mid, 'Really?\n\n✅ Small (Vera)');
		expect(await stage.control.journal({ kind: 'request', path: '/answers' })).toMatchObject([
			{ query: { disable_link_preview: 'true' }, body: { message: { notify: false } } },
		]);
	});

	it('the message shows the answer even if the service no longer takes one to the press', async () => {
		const asked = await ask(stage, chatId, SIZES);
		await stage.fault({ path: '/answers' }, { status: 404, body: { code: 'not.found' } });
		await press(stage, asked, 'Small');
		const message = await shown(stage, asked.question.body.mid, 'Really?\n\n✅ Small (Vera)');
		expect(buttonsOf(message)).toEqual([]);
	});

	it('After the Answer deletes the message', async () => {
		const asked = await ask(stage, chatId, { ...SIZES, after_answer: 'delete' });
		await press(stage, asked, 'Small');
		await passedOn(asked.host);
		const isGone = async () =>
			(await stage.control.messages(chatId)).every(
				({ body }) => body.mid !== asked.question.body.mid,
			);
		await waitFor(isGone, { what: 'the message to disappear', interval: 20 });
	});

	it('an answer on a page that the person leaves before n8n can go on is shown in the message as well', async () => {
		const { host, question, buttons } = await ask(stage, chatId, { answer_in: 'page' });
		const leaving = new AbortController();
		host.admission = async () => {
			leaving.abort();
			await sleep(100);
		};
		await expect(open(buttons[0]?.url, { signal: leaving.signal })).rejects.toThrow('aborted');
		await shown(stage, question.body.mid, 'Really?\n\n✅ Approved by someone with the link');
	});

	it('a person who is late sees the text set for that in the question', async () => {
		const asked = await ask(stage, chatId, { ...SIZES, texts: { late: 'Trop tard' } });
		await asked.host.timeOut();
		await press(stage, asked, 'Small');
		expect(await notified(stage, vera)).toEqual(['Trop tard']);
	});
});

describe('a service that has only what the interface states', () => {
	const stage = Stage.forEachTest({ profile: 'contract' });

	it.each(['chat', 'page'])(
		'cannot delete a message answered by %s, so that only its buttons disappear',
		async (answer_in) => {
			const { chatId } = await stage.dialog();
			await stage.activeTrigger({ events: ['*'] });
			const asked = await ask(stage, chatId, { answer_in, after_answer: 'delete' });
			const { mid } = asked.question.body;
			if (answer_in === 'page') await open(asked.buttons[0]?.url);
			else await press(stage, asked, 'Approve');
			const hasNone = async () => buttonsOf(await stage.control.message(mid)).length === 0;
			await waitFor(hasNone, { what: 'the buttons to disappear' });
			expect(await stage.control.message(mid)).toMatchObject({ body: { text: 'Really?' } });
			const warning = () => asked.host.logs.find(({ level }) => level === 'warn')?.message;
			expect(await waitFor(warning, { what: 'the warning' })).toMatch(
				/^A question was not changed as 'After the Answer' says: /,
			);
		},
	);
});
