import type { INodeParameters } from 'n8n-workflow';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';
import { ask, asking, formOf, newest, open, SIZES, TEXT } from './asked';

const DOUBLE = { approvalType: 'double' };

describe('a question', () => {
	const stage = Stage.forAllTests();
	let chatId: string;
	beforeAll(async () => {
		({ chatId } = await stage.dialog());
	});

	const TOO_LONG = 'x'.repeat(129);
	const tooLong = (field: string): string => `${field} has 129 characters, and 128 fit`;
	it.each<[string, INodeParameters, string | RegExp]>([
		['with a form that has no field', formOf(), 'Form Fields has no field'],
		[
			'with a form that offers nothing to choose from',
			formOf({ fieldLabel: 'Size', fieldType: 'dropdown' }),
			'Choices of field 1 is empty',
		],
		[
			'with a form that has a field of an unknown type',
			formOf({ fieldLabel: 'Size', fieldType: '={{ "colour" }}' }),
			'Type of field 1 is not one of its choices: colour',
		],
		[
			'with a form that has two fields with the same name',
			formOf({ fieldLabel: 'Date' }, { fieldLabel: 'Size' }, { fieldLabel: 'Date ' }),
			'Form Fields has two fields called Date',
		],
		[
			'with no choice',
			{ ...SIZES, choices: '={{ [] }}' },
			'Choices is empty: its expression gave nothing for this item',
		],
		[
			'with choices that an expression gives as an object without a text of its own',
			{ ...SIZES, choices: '={{ Object.create(null) }}' },
			'Choices has an entry that is not a text: {}',
		],
		[
			'with 21 choices',
			{ ...SIZES, choices: Array.from({ length: 21 }, (_, index) => `c${index}`).join(',') },
			/^Choices has/,
		],
		[
			'with a label too long for a button',
			{ approvalOptions: { values: { approveLabel: TOO_LONG } } },
			tooLong('Approve Button Label'),
		],
		[
			'with a label too long for its second button',
			{ approvalOptions: { values: { ...DOUBLE, disapproveLabel: TOO_LONG } } },
			tooLong('Disapprove Button Label'),
		],
		[
			'with a choice that is too long',
			{ ...SIZES, choices: `A, ${TOO_LONG}` },
			'Choices has a label of 129 characters, and 128 fit',
		],
		[
			'with too long a label of the button that says how to answer',
			{ ...TEXT, texts: { howToLabel: TOO_LONG } },
			tooLong('How to Answer Label'),
		],
		[
			'with too long a label of the button that leads to the page',
			{ ...TEXT, answer_in: 'page', options: { messageButtonLabel: TOO_LONG } },
			tooLong('Message Button Label'),
		],
	])('%s is not sent', async (_, parameters, message) => {
		const { error } = await asking(stage, chatId, parameters);
		expect(error?.message).toEqual(
			typeof message === 'string' ? message : expect.stringMatching(message),
		);
		expect(await stage.control.journal({ method: 'POST', path: '/messages' })).toEqual([]);
	});

	it('with a text for late answers that is too long for a button, together with a long address of n8n, is not sent', async () => {
		const nodeId = 'n'.repeat(120);
		const { error } = await asking(
			stage,
			chatId,
			{ texts: { late: '遅'.repeat(150) } },
			{ nodeId },
		);
		expect(error?.message).toBe('Already Answered does not fit into a button');
		expect(await stage.control.journal({ method: 'POST', path: '/messages' })).toEqual([]);
	});

	it.each<[string, INodeParameters, string[]]>([
		[
			'a blank label, in an approval',
			{ approvalOptions: { values: { approveLabel: '  ' } } },
			['Approve'],
		],
		[
			'a blank label, of a page',
			{ ...TEXT, answer_in: 'page', options: { messageButtonLabel: '  ' } },
			['Respond'],
		],
		[
			'a label of a page',
			{ ...TEXT, answer_in: 'page', options: { messageButtonLabel: 'Write' } },
			['Write'],
		],
		[
			'choices in lines, with commas in them',
			{ ...SIZES, choices: 'Yes, please\nNo, thanks' },
			['Yes, please', 'No, thanks'],
		],
		['a line that ends with a line break', { ...SIZES, choices: 'Yes, No\n' }, ['Yes', 'No']],
		['a list by an expression', { ...SIZES, choices: '={{ ["A, B", 2] }}' }, ['A, B', '2']],
		['a list in JSON, in lines', { ...SIZES, choices: '[\n  "A, B",\n  2\n]' }, ['A, B', '2']],
	])('has a button with a label for each answer, given %s', async (_, parameters, labels) => {
		const { buttons } = await ask(stage, chatId, parameters);
		expect(buttons.map(({ text }) => text)).toEqual(labels);
	});

	it('with a wrong further button tells its row as the form counts it', async () => {
		const keyboard_json =
			'[[{"type":"callback","text":"A"}],[{"type":"link","text":"B","url":"ftp://example.com"}]]';
		const { error } = await asking(stage, chatId, {
			...SIZES,
			keyboard_source: 'json',
			keyboard_json,
		});
		expect(error?.message).toBe('URL of row 2, button 1 does not begin with http:// or https://');
	});

	it.each([
		['markdown', '**Fish** & chips?'],
		['html', '<b>Fish</b> &amp; chips?'],
		['plain', 'Fish & chips?'],
	])('in the format %s has a page with its text without markup', async (format, message) => {
		const { buttons } = await ask(stage, chatId, { ...TEXT, answer_in: 'page', format, message });
		const { text } = await open(buttons[0]?.url);
		expect(text).toContain('<p>Fish &amp; chips?</p>');
		expect(text).toContain('<textarea');
	});

	it('has a page with texts of its own, and fields that show which have to be filled in', async () => {
		const fields = formOf(
			{
				fieldLabel: 'Dish',
				fieldType: 'dropdown',
				fieldOptions: 'Pasta, Rice',
				requiredField: true,
			},
			{ fieldLabel: 'Wishes', fieldType: 'textarea' },
			{ fieldLabel: 'Agreed', fieldType: 'checkbox' },
		);
		const options = {
			responseFormTitle: 'Your order',
			responseFormDescription: 'For tonight',
			responseFormButtonLabel: 'Order',
		};
		const { buttons } = await ask(stage, chatId, { ...fields, options });
		const { text } = await open(buttons[0]?.url);
		expect(text).toContain('<h1>Your order</h1><p>For tonight</p>');
		expect(text).toContain('Dish *<select name="field-0" required>');
		expect(text).toContain('<option value="Rice">Rice</option>');
		expect(text).toContain('Wishes<textarea rows="5" name="field-1">');
		expect(text).toContain('<input type="checkbox" value="true" name="field-2"> Agreed');
		expect(text).toContain('>Order</button>');
	});
});

describe('a question about the use of a tool', () => {
	const stage = Stage.forEachTest();
	let chatId: string;
	beforeEach(async () => {
		({ chatId } = await stage.dialog());
		await stage.activeTrigger({ events: ['*'] });
	});

	it('what a tool would be given is shown where n8n fills in an object, so that people know what they approve', async () => {
		const message =
			'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';
		const host = await stage.asking({ chat_id: chatId, message });
		await host.run([{ json: { tool: 'Send_Message', toolParameters: { text: 'Hi' } } }]);
		const { question } = await newest(stage, chatId);
		expect(question.body.text).toBe(
			'The agent wants to run this tool: Send_Message\n\nInput:\n{\n "text": "Hi"\n}',
		);
	});

	it.each([
		['plain', 'Input: {{ $tool.parameters }}'],
		['html', '<i>Input</i>: {{ $tool.parameters }}'],
		['markdown', '*Input*: {{ $tool.parameters }}'],
		['markdown', 'Input:\n```\n{{$tool.parameters}}\n```'],
		['service_markdown', '*Input*: {{ $tool.parameters }}'],
		['service_markdown', 'Input: `{{ $tool.parameters }}` of {{ $tool.name }}'],
	])('no mark in it hides or fakes what a tool would be given, in %s: %s', async (format, text) => {
		const toolParameters = {
			list: ['<b>Hi</b>', '<!--', '[you](https://example.com)', '*a* ++b++ `c` ~~d~~ $& &lt;'],
			text: '", "amount": "\u202e1\u{e0041}\n```\n',
			gaps: '\u3164\u034f\u{e0101}\u0085\u2028\u2029👩‍💻❤️',
		};
		const host = await stage.asking({ chat_id: chatId, message: `=${text}`, format });
		await host.run([{ json: { tool: 'Send_Message', toolParameters } }]);
		const { question } = await newest(stage, chatId);
		const shown = question.body.text?.slice(question.body.text.indexOf('{'));
		expect(JSON.parse(shown?.slice(0, shown.lastIndexOf('}') + 1) ?? '')).toEqual(toolParameters);
		expect(shown).not.toMatch(/[\p{Zl}\p{Zp}]|(?![\n\ufe0f\u200d])[\p{C}\p{DI}]/u);
		expect(shown).toContain('👩‍💻❤️');
	});

	it.each(
		[
			'```',
			'~~~~',
			'`',
			'``` ` ```\n```',
			'- a\n  ```',
			'> ```',
			'<!--',
			'<a href="',
			'[',
			'\\',
		].flatMap((said) =>
			['html', 'markdown', 'service_markdown'].map((format) => [format, said] as const),
		),
	)('nor does what a person wrote before it, in %s: %s', async (format, said) => {
		const toolParameters = { text: '[you](https://example.com) *a*', more: '<b>b</b>' };
		const message =
			'=They wrote:\n{{ $json.said }}\n\nInput: {{ $tool.parameters }}\n{{ $json.end }}';
		const host = await stage.asking({ chat_id: chatId, message, format });
		const end = '](x) "> -->';
		await host.run([{ json: { tool: 'Send_Message', toolParameters, said, end } }]);
		const { question } = await newest(stage, chatId);
		const shown = question.body.text?.slice(question.body.text.lastIndexOf('{'));
		expect(JSON.parse(shown?.slice(0, shown.lastIndexOf('}') + 1) ?? '')).toEqual(toolParameters);
	});

	describe('of a run that is lined up behind another one, as behind a node with two outputs', () => {
		const PAGE = { answer_in: 'page' };

		it('is asked as well, and each run gets its own answer', async () => {
			const { host, question, buttons } = await ask(stage, chatId, PAGE, { twice: true });
			await open(buttons[0]?.url);
			const isAskedAgain = async () => {
				const next = await newest(stage, chatId);
				return host.status === 'waiting' && next.question.body.mid !== question.body.mid && next;
			};
			const next = await waitFor(isAskedAgain, { interval: 5, what: 'the second question' });
			await open(next.buttons[0]?.url);
			await waitFor(() => host.status === 'success', { interval: 5, what: 'the end' });
			expect(host.passed.map(([item]) => item?.json.data)).toEqual(
				Array(2).fill(expect.objectContaining({ approved: true })),
			);
		});

		it('is asked as well when the time of the first one is over', async () => {
			const { host, question } = await ask(stage, chatId, PAGE, { twice: true });
			await host.timeOut();
			expect(host.status).toBe('waiting');
			expect((await newest(stage, chatId)).question.body.mid).not.toBe(question.body.mid);
		});
	});
});
