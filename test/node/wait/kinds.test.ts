import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { ShownUser } from '../../platform';
import { hurryTimeouts } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { buttonsOf, notified, shown } from '../../support/question';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import {
	ask,
	asking,
	atTimes,
	EXPIRING,
	expiry,
	newest,
	open,
	passedOn,
	press,
	submit,
} from './asked';

const SIZES: INodeParameters = { responseType: 'choices', choices: 'Small, Medium, Large' };
const TEXT: INodeParameters = { responseType: 'freeText' };
const DOUBLE = { approvalType: 'double' };
const LOCATION = { type: 'location', latitude: 55.75, longitude: 37.61 };
const PLACE = { type: 'location', latitude: 55.75 };

const formOf = (...values: INodeParameters[]): INodeParameters => ({
	responseType: 'customForm',
	formFields: { values },
});

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
		expect((await open(buttons[0]?.url)).text).toContain('<p>Fish &amp; chips?</p>');
	});
});

describe('what can be asked, and what becomes of the message', () => {
	const stage = Stage.forEachTest();
	let vera: ShownUser;
	let chatId: string;
	let trigger: TriggerHost;
	beforeEach(async () => {
		({ user: vera, chatId } = await stage.dialog());
		trigger = await stage.activeTrigger({ events: ['*'] });
	});

	const write = async (message: Parameters<typeof stage.control.userWrites>[1]) =>
		await stage.control.userWrites(chatId, message);

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

	it("a text is the person's next message in the dialog, with its files", async () => {
		const { host, question } = await ask(stage, chatId, TEXT);
		await write({ text: 'Here I am', attachments: [LOCATION] });
		expect(await passedOn(host)).toMatchObject({
			text: 'Here I am',
			attachments: [PLACE],
			responder: { user_name: 'Vera' },
			message_id: question.body.mid,
		});
		await shown(stage, question.body.mid, 'Really?\n\n✅ Here I am (Vera)');
	});

	it('a text is waited for even if the service tells no readable time of the question', async () => {
		const recipient = { chat_id: chatId };
		const message = { timestamp: { toString: 1 }, recipient, body: { mid: 'mid.1' } };
		await stage.fault({ method: 'POST', path: '/messages' }, { status: 200, body: { message } });
		expect(await asking(stage, chatId, TEXT)).toMatchObject({ status: 'waiting' });
	});

	it('a text may be what a further button sends for the person', async () => {
		const keyboard_json = '[[{ "type": "message", "text": "As soon as possible" }]]';
		const parameters = { ...TEXT, keyboard_source: 'json', keyboard_json };
		const asked = await ask(stage, chatId, parameters);
		await press(stage, asked, 'As soon as possible');
		expect(await passedOn(asked.host)).toMatchObject({ text: 'As soon as possible' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it.each([
		['with a body', false, undefined, 'Broken here'],
		['without a body', true, undefined, 'Broken here'],
		['with a text of its own', false, 'This', 'This'],
	])(
		'a text may be a forwarded message, with its files, which the service gives %s',
		async (_, null_bodies, said, text) => {
			await stage.control.setSettings({ null_bodies });
			const original = await write({ text: 'Broken here', attachments: [LOCATION] });
			await trigger.ended(1);
			const { host, question } = await ask(stage, chatId, TEXT);
			await write({ text: said, link: { type: 'forward', mid: original.body.mid } });
			const responder = { user_name: 'Vera' };
			expect(await passedOn(host)).toMatchObject({ text, attachments: [PLACE], responder });
			await shown(stage, question.body.mid, `Really?\n\n✅ ${text} (Vera)`);
			expect(trigger.stored.executions).toHaveLength(1);
		},
	);

	const answers = async () => await stage.control.journal({ kind: 'delivery', status: 200 });

	it('a text that is delivered twice answers once, and starts no workflow', async () => {
		const { host } = await ask(stage, chatId, TEXT);
		await stage.fault({ origin: 'delivery' }, { duplicate: 1 });
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		await waitFor(async () => (await answers()).length === 2, { what: 'both answers' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it("a text that comes while n8n's database fails answers as soon as it can, and starts no workflow", async () => {
		const { database, credentials } = atTimes(stage);
		const { host } = await ask(stage, chatId, TEXT, { credentials });
		database.failures = 1;
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it('a text is nothing that was written before the question, even if it is delivered again after it', async () => {
		await stage.fault({ origin: 'delivery' }, { cut: 'after' });
		await write('Hello');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.advance(61_000);
		await waitFor(async () => (await answers()).length === 1, { what: 'the second delivery' });
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toHaveLength(1);
	});

	it.each(['chat', 'user'])(
		'a text may come before the service has said that the question to a %s was sent',
		async (send_to) => {
			await stage.fault({ method: 'POST', path: '/messages' }, { slow_body_ms: 1000 });
			const to = { send_to, user_id: String(vera.user_id) };
			const asked = asking(stage, chatId, { ...TEXT, ...to });
			const isSent = async () => (await stage.control.messages(chatId)).length > 0;
			await waitFor(isSent, { what: 'the question', interval: 5 });
			await write('Seven');
			expect(await passedOn(await asked)).toMatchObject({ text: 'Seven' });
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it('a text is a reply in a group, and other messages there answer nothing', async () => {
		const group = await stage.group({ owner_id: vera.user_id });
		const { host, question } = await ask(stage, group, TEXT);
		const said = async (text: string, link?: { type: 'reply'; mid: string }) =>
			await stage.control.userWrites(group, { user_id: vera.user_id, text, link });
		await said('Hello all');
		await stage.seen({ kind: 'delivery' });
		expect(host.status).toBe('waiting');
		await said('Seven', { type: 'reply', mid: question.body.mid });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it('a reply of somebody who may not answer starts the workflow, and those who may still can', async () => {
		const oleg = await stage.control.createUser({ first_name: 'Oleg' });
		const members = [oleg.user_id];
		const group = await stage.group({ owner_id: vera.user_id, members, silent: true });
		const allowed = { who_may_answer: 'people', allowed_user_ids: String(vera.user_id) };
		const { host, question } = await ask(stage, group, { ...TEXT, ...allowed });
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(group, { user_id: oleg.user_id, text: 'Six', link });
		const [execution] = await trigger.ended(1);
		expect(execution?.items).toMatchObject([{ json: { text: 'Six' } }]);
		await stage.control.userWrites(group, { user_id: vera.user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toHaveLength(1);
	});

	it.each([true, false])(
		'a text is a reply in a channel as well, where the posts are signed: %s',
		async (signatures) => {
			const place = { type: 'channel', signatures, silent: true } as const;
			const channel = await stage.group({ ...place, owner_id: vera.user_id });
			const { host, question } = await ask(stage, channel, TEXT);
			const { mid } = question.body;
			const link = { type: 'reply', mid } as const;
			await stage.control.userWrites(channel, { user_id: vera.user_id, text: 'Seven', link });
			expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
			await shown(stage, mid, `Really?\n\n✅ Seven (${signatures ? 'Vera' : '–'})`);
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it.each([
		['refuses requests', { status: 429 }, 1, 2],
		['takes five seconds', { delay_ms: 1250 }, -1, 1],
	])(
		'a text in a group may reply to any of its questions, even while the service %s',
		async (_, fault, count, times) => {
			const group = await stage.group({ owner_id: vera.user_id });
			const asked = [];
			for (let count = 0; count < 6; count++) asked.push(await ask(stage, group, TEXT));
			const reads = { method: 'GET', path: '/messages' };
			const patience = hurryTimeouts(4);
			try {
				for (const { host, question } of asked.slice(0, 2)) {
					await stage.fault(reads, fault, { count });
					const link = { type: 'reply', mid: question.body.mid } as const;
					await stage.control.userWrites(group, { user_id: vera.user_id, text: 'Seven', link });
					expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
				}
			} finally {
				patience.mockRestore();
			}
			// Only the oldest question has to be looked up.
			expect(await stage.control.journal({ kind: 'request', ...reads })).toHaveLength(times);
		},
	);

	it('a message that asks nothing is looked up for the first reply to it only', async () => {
		await stage.run({ operation: 'send', chat_id: chatId, text: 'By the way' });
		const link = { type: 'reply', mid: (await newest(stage, chatId)).question.body.mid } as const;
		for (let count = 1; count <= 3; count++) {
			await write({ text: 'Yes', link });
			await trigger.ended(count);
		}
		const reads = { kind: 'request', method: 'GET', path: '/messages' } as const;
		expect(await stage.control.journal(reads)).toHaveLength(1);
	});

	it('a message does not overtake a reply that is still looked up', async () => {
		await stage.run({ operation: 'send', chat_id: chatId, text: 'By the way' });
		const link = { type: 'reply', mid: (await newest(stage, chatId)).question.body.mid } as const;
		await stage.fault({ method: 'GET', path: '/messages' }, { delay_ms: 1000 });
		await write({ text: 'One', link });
		await stage.faultMet();
		await write('Two');
		const executions = await trigger.ended(2);
		expect(executions.map(({ items }) => items[0]?.json.text)).toEqual(['One', 'Two']);
	});

	it('a text in a dialog is no reply to another message', async () => {
		const earlier = await write('Look at this');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await write({ text: 'Do you see it?', link: { type: 'reply', mid: earlier.body.mid } });
		await trigger.ended(2);
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it("a text is what a person writes, even if the service also reports the bot's own messages", async () => {
		await stage.control.setSettings({ own_events: true });
		const { host } = await ask(stage, chatId, TEXT);
		await stage.run({ operation: 'send', chat_id: chatId, text: 'By the way' });
		const isAnswered = async () =>
			(await stage.control.journal({ kind: 'delivery', status: 200 })).length === 2;
		await waitFor(isAnswered, { what: 'the question and the own message to be answered' });
		expect(host.status).toBe('waiting');
		await write('Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it('the button below such a question says how to answer', async () => {
		const texts = { howTo: 'Écrivez votre réponse', howToLabel: 'Comment ?' };
		const asked = await ask(stage, chatId, { ...TEXT, texts });
		await press(stage, asked, 'Comment ?');
		expect(await notified(stage, vera)).toEqual(['Écrivez votre réponse']);
		expect(asked.host.status).toBe('waiting');
	});

	it('with several questions in a dialog, the next message answers the last one, then those before it', async () => {
		const first = await ask(stage, chatId, TEXT);
		const second = await ask(stage, chatId, TEXT);
		await write('Two');
		expect(await passedOn(second.host)).toMatchObject({ text: 'Two' });
		await write('One');
		expect(await passedOn(first.host)).toMatchObject({ text: 'One' });
	});

	it('an expired question does not take a message from one that still waits', async () => {
		const first = await ask(stage, chatId, TEXT);
		const second = await ask(stage, chatId, TEXT);
		await second.host.timeOut();
		await write('One');
		expect(await passedOn(first.host)).toMatchObject({ text: 'One' });
	});

	it('after the end of the wait, messages start the workflow at once and in order, even while the execution goes on', async () => {
		const { host } = await ask(stage, chatId, { ...TEXT, ...EXPIRING });
		await expiry();
		host.status = 'running';
		await write('One');
		await write('Two');
		const executions = await trigger.ended(2);
		expect(executions.map(({ items }) => items[0]?.json.text)).toEqual(['One', 'Two']);
		expect(host.early).toBe(0);
	});

	it('a message after the answer is an ordinary one again', async () => {
		const { host } = await ask(stage, chatId, TEXT);
		await write('One');
		await passedOn(host);
		await write('Two');
		await stage.seen({ kind: 'delivery' }, 2);
		expect(host.passed).toHaveLength(1);
	});

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

	it('says enough to find the question that a text in a group answers', async () => {
		const { user_id } = await stage.control.createUser({ first_name: 'Vera' });
		const group = await stage.group({ owner_id: user_id });
		await stage.activeTrigger({ events: ['*'] });
		const { host, question } = await ask(stage, group, TEXT);
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(group, { user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

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

describe('a group with two bots of this n8n', () => {
	const stage = Stage.forEachTest();

	it('a text that is delivered again answers once, and starts no workflow of the bot that asked', async () => {
		const other = await stage.control.createBot();
		const { user } = await stage.dialog();
		const group = await stage.group({
			owner_id: user.user_id,
			admins: [{ user_id: stage.bot.user_id }, { user_id: other.user_id }],
		});
		const { baseUrl } = stage.platform;
		const credentials = { botMessagingApi: { baseUrl, accessToken: other.token } };
		const events = ['message_created'];
		const trigger = await stage.activeTrigger({ events });
		const neighbour = await stage.activeTrigger({ events }, { credentials });
		const { host, question } = await ask(stage, group, TEXT);
		await stage.fault({ origin: 'delivery', path: trigger.webhookUrl() }, { cut: 'after' });
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(group, { user_id: user.user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		// The question and the answer.
		await neighbour.ended(2);
		await stage.control.advance(61_000);
		const answered = async () => await stage.control.journal({ kind: 'delivery', status: 200 });
		await waitFor(async () => (await answered()).length === 3, { what: 'the second delivery' });
		expect(trigger.stored.executions).toEqual([]);
	});
});

describe('two services of this n8n whose dialogs have the same ID', () => {
	const stage = Stage.forEachTest();
	const other = Stage.forEachTest();

	it('each have five questions for which a text need not be a reply', async () => {
		const { user, chatId } = await stage.dialog();
		expect((await other.dialog()).chatId).toBe(chatId);
		await stage.activeTrigger({ events: ['*'] });
		const { host } = await ask(stage, chatId, TEXT);
		for (let more = 0; more < 5; more++) await ask(other, chatId, TEXT);
		await stage.control.userWrites(chatId, { user_id: user.user_id, text: 'Seven' });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});
});
