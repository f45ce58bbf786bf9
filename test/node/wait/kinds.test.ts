import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { ShownUser } from '../../platform';
import { waitFor } from '../../support/wait';
import { buttonsOf, notified, shown } from '../../support/question';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import { ask, asking, atTimes, open, passedOn } from './asked';

describe('what can be asked, and what becomes of the message', () => {
	const stage = Stage.forEachTest();
	let vera: ShownUser;
	let chatId: string;
	let trigger: TriggerHost;
	beforeEach(async () => {
		({ user: vera, chatId } = await stage.dialog());
		trigger = await stage.activeTrigger({ events: ['*'] });
	});

	const SIZES: INodeParameters = { responseType: 'choices', choices: 'Small, Medium, Large' };
	const TEXT: INodeParameters = { responseType: 'freeText' };

	it('choices are returned with label and index', async () => {
		const { host, question, buttons } = await ask(stage, chatId, SIZES);
		expect(buttons.map(({ text }) => text)).toEqual(['Small', 'Medium', 'Large']);
		await stage.control.press(question.body.mid, { text: 'Medium' });
		expect(await passedOn(host)).toMatchObject({
			choice: 'Medium',
			index: 1,
			message_id: question.body.mid,
			responder: { user_id: String(vera.user_id), user_name: 'Vera' },
		});
		expect(buttonsOf(await shown(stage, question.body.mid, 'Really?\n\n✅ Medium (Vera)'))).toEqual(
			[],
		);
	});

	it.each<[string, string]>([
		['plain', 'Really?\n\n✅ C++ [#2] (Vera)'],
		['html', 'Really?\n\n✅ C++ [#2] (Vera)'],
	])(
		'an answer with markup characters is shown literally below a %s text',
		async (format, text) => {
			const choices = 'C++ [#2]\n<b>C</b>';
			const parameters = { responseType: 'choices', choices, format };
			const { question } = await ask(stage, chatId, parameters);
			await stage.control.press(question.body.mid, { text: 'C++ [#2]' });
			await shown(stage, question.body.mid, text);
		},
	);

	it.each([
		['html', '<b>Really?</b>', '<i>{answer}</i> &lt;3'],
		['markdown', '**Really?**', '*{answer}* <3'],
		['markdown', 'Really?', '*{answer}* <3'],
		['service_markdown', '**Really?**', '*{answer}* <3'],
	])(
		'the text after the answer is read in the format of the message, and the answer in it is not: %s %s',
		async (format, message, answered) => {
			const choices = ['A & <b>B</b>', 'C'];
			const parameters = { ...SIZES, choices, format, message, texts: { answered } };
			const { question } = await ask(stage, chatId, parameters);
			await stage.control.press(question.body.mid, { text: choices[0] });
			const words = format === 'service_markdown' ? 'A & <bB</b' : choices[0];
			const { body } = await shown(stage, question.body.mid, `Really?\n\n${words} <3`);
			expect(body.markup).toContainEqual({ type: 'emphasized', from: 9, length: words?.length });
		},
	);

	it('a plain question keeps its signs below which the text after the answer is marked', async () => {
		const texts = { answered: '**{answer}**' };
		const parameters = { ...SIZES, format: 'markdown', message: 'A < B & C?', texts };
		const { question } = await ask(stage, chatId, parameters);
		await stage.control.press(question.body.mid, { text: 'Small' });
		await shown(stage, question.body.mid, 'A < B & C?\n\nSmall');
	});

	it.each<[string, INodeParameters[], string]>([
		['has no field', [], 'Form Fields has no field'],
		[
			'offers nothing to choose from',
			[{ fieldLabel: 'Size', fieldType: 'dropdown' }],
			'Choices of field 1 is empty',
		],
		[
			'has a field of an unknown type',
			[{ fieldLabel: 'Size', fieldType: '={{ "colour" }}' }],
			'Type of field 1 is not one of its choices: colour',
		],
		[
			'has two fields with the same name',
			[{ fieldLabel: 'Date' }, { fieldLabel: 'Size' }, { fieldLabel: 'Date ' }],
			'Form Fields has two fields called Date',
		],
	])('a form that %s is not sent', async (_what, values, message) => {
		const host = await asking(stage, chatId, {
			responseType: 'customForm',
			formFields: { values },
		});
		expect(host.error?.message).toBe(message);
		expect(await stage.control.messages(chatId)).toEqual([]);
	});

	it('choices are answered on a page as well', async () => {
		const { host, buttons } = await ask(stage, chatId, { ...SIZES, answer_in: 'page' });
		expect((await open(buttons[2]?.url)).text).toContain('Got it, thanks');
		expect(await passedOn(host)).toMatchObject({ choice: 'Large', index: 2 });
	});

	it.each([
		['markdown', '**Fish** & chips?'],
		['html', '<b>Fish</b> &amp; chips?'],
		['plain', 'Fish & chips?'],
	])('a page shows the text of a %s message without its markup', async (format, message) => {
		const { buttons } = await ask(stage, chatId, { ...TEXT, answer_in: 'page', format, message });
		expect((await open(buttons[0]?.url)).text).toContain('<p>Fish &amp; chips?</p>');
	});

	it.each([
		['lines, with commas in them', 'Yes, please\nNo, thanks', ['Yes, please', 'No, thanks']],
		['a line that ends with a line break', 'Yes, No\n', ['Yes', 'No']],
		['a list by an expression', '={{ ["A, B", 2] }}', ['A, B', '2']],
		['a list in JSON, over several lines', '[\n  "A, B",\n  2\n]', ['A, B', '2']],
	])('choices are given as %s', async (_, choices, labels) => {
		const { buttons } = await ask(stage, chatId, { responseType: 'choices', choices });
		expect(buttons.map(({ text }) => text)).toEqual(labels);
	});

	it.each([
		['no label', '={{ [] }}'],
		['21 labels', Array.from({ length: 21 }, (_, index) => `c${index}`).join(',')],
	])('choices with %s are refused before anything is sent', async (_, choices) => {
		const host = await asking(stage, chatId, {
			responseType: 'choices',
			choices,
		});
		expect(host.error?.message).toMatch(/^Choices has/);
	});

	const LONG = 'x'.repeat(129);
	const PAGE: INodeParameters = { responseType: 'freeText', answer_in: 'page' };
	it.each<[string, INodeParameters]>([
		['Approve Button Label', { approvalOptions: { values: { approveLabel: LONG } } }],
		[
			'Disapprove Button Label',
			{ approvalOptions: { values: { approvalType: 'double', disapproveLabel: LONG } } },
		],
		['Choices', { responseType: 'choices', choices: `Small, ${LONG}` }],
		['How to Answer Label', { ...TEXT, texts: { howToLabel: LONG } }],
		['Message Button Label', { ...PAGE, options: { messageButtonLabel: LONG } }],
	])(
		'a label too long for a button is refused with the name of its field: %s',
		async (field, form) => {
			const host = await asking(stage, chatId, form);
			expect(host.error?.message).toBe(`${field} has 129 characters, and 128 fit`);
		},
	);

	it.each<[string, INodeParameters]>([
		['Approve', { approvalOptions: { values: { approveLabel: '  ' } } }],
		['Respond', { ...PAGE, options: { messageButtonLabel: '  ' } }],
	])('a button whose label is blank is called %s', async (label, form) => {
		const { buttons } = await ask(stage, chatId, form);
		expect(buttons.map(({ text }) => text)).toEqual([label]);
	});

	it("a text is the person's next message in the dialog, with its files", async () => {
		const { host, question } = await ask(stage, chatId, TEXT);
		await stage.control.userWrites(chatId, {
			text: 'Here I am',
			attachments: [{ type: 'location', latitude: 55.75, longitude: 37.61 }],
		});
		expect(await passedOn(host)).toMatchObject({
			text: 'Here I am',
			attachments: [{ type: 'location', latitude: 55.75 }],
			responder: { user_name: 'Vera' },
			message_id: question.body.mid,
		});
		await shown(stage, question.body.mid, 'Really?\n\n✅ Here I am (Vera)');
	});

	it('a text may be what a further button sends for the person', async () => {
		const { host, question } = await ask(stage, chatId, {
			...TEXT,
			keyboard_source: 'json',
			keyboard_json: '[[{ "type": "message", "text": "As soon as possible" }]]',
		});
		await stage.control.press(question.body.mid, { text: 'As soon as possible' });
		expect(await passedOn(host)).toMatchObject({ text: 'As soon as possible' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it.each([false, true])(
		'a text may be a forwarded message, with its files; the service gives the forward no body: %s',
		async (null_bodies) => {
			await stage.control.setSettings({ null_bodies });
			const original = await stage.control.userWrites(chatId, {
				text: 'Broken here',
				attachments: [{ type: 'location', latitude: 55.75, longitude: 37.61 }],
			});
			await trigger.ended(1);
			const { host, question } = await ask(stage, chatId, TEXT);
			await stage.control.userWrites(chatId, {
				link: { type: 'forward', mid: original.body.mid },
			});
			expect(await passedOn(host)).toMatchObject({
				text: 'Broken here',
				attachments: [{ type: 'location', latitude: 55.75 }],
				responder: { user_name: 'Vera' },
			});
			await shown(stage, question.body.mid, 'Really?\n\n✅ Broken here (Vera)');
			expect(trigger.stored.executions).toHaveLength(1);
		},
	);

	it('a text may come with a message that it forwards, whose files belong to the answer', async () => {
		const original = await stage.control.userWrites(chatId, {
			text: 'Broken here',
			attachments: [{ type: 'location', latitude: 55.75, longitude: 37.61 }],
		});
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.userWrites(chatId, {
			text: 'This',
			link: { type: 'forward', mid: original.body.mid },
		});
		expect(await passedOn(host)).toMatchObject({
			text: 'This',
			attachments: [{ type: 'location', latitude: 55.75 }],
		});
	});

	it('a text that is delivered twice answers once, and starts no workflow', async () => {
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.setFaults([
			{ match: { origin: 'delivery' }, count: 1, then: { duplicate: 1 } },
		]);
		await stage.control.userWrites(chatId, 'Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		const answered = async () => await stage.control.journal({ kind: 'delivery', status: 200 });
		await waitFor(async () => (await answered()).length === 2, { what: 'both answers' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it("a text that comes while n8n's database fails answers as soon as it can, and starts no workflow", async () => {
		const { database, credentials } = atTimes(stage);
		const { host } = await ask(stage, chatId, TEXT, { credentials });
		database.failures = 1;
		await stage.control.userWrites(chatId, 'Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toEqual([]);
	});

	it('a text is nothing that was written before the question, even if it is delivered again after it', async () => {
		await stage.control.setFaults([
			{ match: { origin: 'delivery' }, count: 1, then: { cut: 'after' } },
		]);
		await stage.control.userWrites(chatId, 'Hello');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.advance(61_000);
		const answered = async () => await stage.control.journal({ kind: 'delivery', status: 200 });
		await waitFor(async () => (await answered()).length === 1, { what: 'the second delivery' });
		await stage.control.userWrites(chatId, 'Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		expect(trigger.stored.executions).toHaveLength(1);
	});

	it.each(['chat', 'user'])(
		'a text may come before the service has said that the question to a %s was sent',
		async (send_to) => {
			await stage.control.setFaults([
				{ match: { method: 'POST', path: '/messages' }, then: { slow_body_ms: 1000 } },
			]);
			const to = { send_to, user_id: String(vera.user_id) };
			const asked = asking(stage, chatId, { ...TEXT, ...to });
			await waitFor(async () => (await stage.control.messages(chatId)).length > 0, {
				what: 'the question',
				interval: 5,
			});
			await stage.control.userWrites(chatId, 'Seven');
			expect(await passedOn(await asked)).toMatchObject({ text: 'Seven' });
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it('a text is a reply in a group, and other messages there answer nothing', async () => {
		const group = await stage.control.createChat({
			owner_id: vera.user_id,
			admins: [{ user_id: stage.bot.user_id }],
		});
		const { host, question } = await ask(stage, group.chat_id, TEXT);
		const write = async (text: string, link?: { type: 'reply'; mid: string }) =>
			await stage.control.userWrites(group.chat_id, { user_id: vera.user_id, text, link });
		await write('Hello all');
		await waitFor(async () => (await stage.control.journal({ kind: 'delivery' })).length > 0, {
			what: 'the delivery',
			interval: 20,
		});
		expect(host.status).toBe('waiting');
		await write('Seven', { type: 'reply', mid: question.body.mid });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it.each([true, false])(
		'a text is a reply in a channel as well, where the posts are signed: %s',
		async (signatures) => {
			const { chat_id } = await stage.control.createChat({
				type: 'channel',
				signatures,
				silent: true,
				owner_id: vera.user_id,
				admins: [{ user_id: stage.bot.user_id }],
			});
			const { host, question } = await ask(stage, chat_id, TEXT);
			const { mid } = question.body;
			const link = { type: 'reply', mid } as const;
			await stage.control.userWrites(chat_id, { user_id: vera.user_id, text: 'Seven', link });
			expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
			await shown(stage, mid, `Really?\n\n✅ Seven (${signatures ? 'Vera' : '–'})`);
			expect(trigger.stored.executions).toEqual([]);
		},
	);

	it('a text in a group may reply to any of its questions, even while the service refuses requests', async () => {
		const group = await stage.control.createChat({
			owner_id: vera.user_id,
			admins: [{ user_id: stage.bot.user_id }],
		});
		const asked = [];
		for (let count = 0; count < 6; count++) asked.push(await ask(stage, group.chat_id, TEXT));
		const reads = { method: 'GET', path: '/messages' };
		for (const { host, question } of asked.slice(0, 2)) {
			await stage.control.setFaults([{ match: reads, then: { status: 429 } }]);
			const link = { type: 'reply', mid: question.body.mid } as const;
			const message = { user_id: vera.user_id, text: 'Seven', link };
			await stage.control.userWrites(group.chat_id, message);
			expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		}
		// Only the oldest question has to be looked up.
		expect(await stage.control.journal({ kind: 'request', ...reads })).toHaveLength(2);
	});

	it('a text in a dialog is no reply to another message', async () => {
		const earlier = await stage.control.userWrites(chatId, 'Look at this');
		await trigger.ended(1);
		const { host } = await ask(stage, chatId, TEXT);
		const link = { type: 'reply', mid: earlier.body.mid } as const;
		await stage.control.userWrites(chatId, { text: 'Do you see it?', link });
		await trigger.ended(2);
		await stage.control.userWrites(chatId, 'Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it("a text is what a person writes, even if the service also reports the bot's own messages", async () => {
		await stage.control.setSettings({ own_events: true });
		const { host } = await ask(stage, chatId, TEXT);
		const own = {
			resource: 'message',
			operation: 'send',
			chat_id: String(chatId),
			text: 'By the way',
		};
		await stage.run(own);
		const texts = ({ items }: { items: Array<{ json: object }> }) =>
			items.map(({ json }) => Object(json).text);
		await waitFor(async () => (await trigger.ended(1)).flatMap(texts).includes('By the way'), {
			what: 'the workflow that the own message starts',
			interval: 20,
		});
		expect(host.status).toBe('waiting');
		await stage.control.userWrites(chatId, 'Seven');
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it('the button below such a question says how to answer', async () => {
		const { host, question } = await ask(stage, chatId, {
			...TEXT,
			texts: { howTo: 'Écrivez votre réponse', howToLabel: 'Comment ?' },
		});
		await stage.control.press(question.body.mid, { text: 'Comment ?' });
		expect(await notified(stage, vera)).toEqual(['Écrivez votre réponse']);
		expect(host.status).toBe('waiting');
	});

	it('with several questions in a dialog, the next message answers the last one, then those before it', async () => {
		const first = await ask(stage, chatId, TEXT);
		const second = await ask(stage, chatId, TEXT);
		await stage.control.userWrites(chatId, 'Two');
		expect(await passedOn(second.host)).toMatchObject({ text: 'Two' });
		await stage.control.userWrites(chatId, 'One');
		expect(await passedOn(first.host)).toMatchObject({ text: 'One' });
	});

	it('an expired question does not take a message from one that still waits', async () => {
		const first = await ask(stage, chatId, TEXT);
		const second = await ask(stage, chatId, TEXT);
		await second.host.timeOut();
		await stage.control.userWrites(chatId, 'One');
		expect(await passedOn(first.host)).toMatchObject({ text: 'One' });
	});

	it('after the end of the wait, messages start the workflow at once and in order, even while the execution goes on', async () => {
		const limit = { limitType: 'afterTimeInterval', resumeAmount: 0.001, resumeUnit: 'minutes' };
		const options = { limitWaitTime: { values: limit } };
		const { host } = await ask(stage, chatId, { ...TEXT, options });
		const over = Date.now() + 60;
		await waitFor(() => Date.now() > over, { what: 'the end of the wait' });
		host.status = 'running';
		await stage.control.userWrites(chatId, 'One');
		await stage.control.userWrites(chatId, 'Two');
		const executions = await trigger.ended(2);
		expect(executions.map(({ items }) => items[0]?.json.text)).toEqual(['One', 'Two']);
		expect(host.early).toBe(0);
	});

	it('a message after the answer is an ordinary one again', async () => {
		const { host } = await ask(stage, chatId, TEXT);
		await stage.control.userWrites(chatId, 'One');
		await passedOn(host);
		await stage.control.userWrites(chatId, 'Two');
		await waitFor(async () => (await stage.control.journal({ kind: 'delivery' })).length >= 2, {
			what: 'both deliveries',
			interval: 20,
		});
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
		const { host, question } = await ask(stage, chatId, { ...SIZES, ...parameters });
		await stage.control.press(question.body.mid, { text: 'Small' });
		await passedOn(host);
		await waitFor(async () => (await stage.control.journal({ path: '/answers' })).length > 0, {
			what: 'the answer',
			interval: 20,
		});
		expect(buttonsOf(await shown(stage, question.body.mid, text))).toHaveLength(buttons);
	});

	it.each([
		['Yes!', 'Vera: Yes!'],
		['No!', 'Vera: No!'],
	])('the answer of an approval is the label of its button: %s', async (label, text) => {
		const { question } = await ask(stage, chatId, {
			approvalOptions: {
				values: { approvalType: 'double', approveLabel: 'Yes!', disapproveLabel: 'No!' },
			},
			after_answer: 'replace',
			replacement: '{name}: {answer}',
		});
		await stage.control.press(question.body.mid, { text: label });
		await shown(stage, question.body.mid, text);
	});

	it('a form is shown by its fields, without those that were left empty', async () => {
		const { host, question, buttons } = await ask(stage, chatId, {
			responseType: 'customForm',
			formFields: {
				values: [
					{ fieldLabel: 'Dish', fieldType: 'dropdown', fieldOptions: 'Pasta, Rice' },
					{ fieldLabel: ' Persons ', fieldType: 'number' },
					{ fieldLabel: 'Day', fieldType: 'date' },
					{ fieldLabel: 'Agreed', fieldType: 'checkbox' },
					{ fieldLabel: 'Urgent', fieldType: 'checkbox' },
					{ fieldLabel: 'Tables', fieldType: 'number' },
				],
			},
		});
		await open(buttons[0]?.url, {
			method: 'POST',
			body: 'field-0=Rice&field-1=4&field-2=&field-3=true',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		});
		const answer = 'Dish: Rice, Persons: 4, Agreed: ✓, Urgent: ✗';
		await shown(stage, question.body.mid, `Really?\n\n✅ ${answer} (someone with the link)`);
		expect(await passedOn(host)).toMatchObject({
			Persons: 4,
			Day: '',
			Urgent: false,
			Tables: null,
		});
	});

	it('a form in which nothing was filled in is shown as well', async () => {
		const { question, buttons } = await ask(stage, chatId, {
			responseType: 'customForm',
			formFields: { values: [{ fieldLabel: 'Persons', fieldType: 'number' }] },
			after_answer: 'replace',
			replacement: '{answer}',
		});
		await open(buttons[0]?.url, {
			method: 'POST',
			body: 'field-0=',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		});
		expect(buttonsOf(await shown(stage, question.body.mid, '–'))).toEqual([]);
	});

	it('a number in a form keeps all its digits, as a text if a number cannot hold them', async () => {
		const { host, question, buttons } = await ask(stage, chatId, {
			responseType: 'customForm',
			formFields: { values: [{ fieldLabel: 'Account', fieldType: 'number' }] },
		});
		await open(buttons[0]?.url, {
			method: 'POST',
			body: 'field-0=40702810900000012345',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		});
		expect(await passedOn(host)).toMatchObject({ Account: '40702810900000012345' });
		const outcome = '✅ Account: 40702810900000012345 (someone with the link)';
		await shown(stage, question.body.mid, `Really?\n\n${outcome}`);
	});

	it('a text on a page has the line breaks of a text in the chat', async () => {
		const { host, buttons } = await ask(stage, chatId, { ...TEXT, answer_in: 'page' });
		await open(buttons[0]?.url, {
			method: 'POST',
			body: new URLSearchParams({ 'field-0': 'one\r\ntwo' }).toString(),
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		});
		expect(await passedOn(host)).toMatchObject({ text: 'one\ntwo' });
	});

	it('the ID stands for a name that is nothing but marks of the format', async () => {
		const { user, chatId: dialog } = await stage.dialog('^_^');
		const { question } = await ask(stage, dialog, {
			...SIZES,
			format: 'service_markdown',
			after_answer: 'replace',
			replacement: '{name}',
		});
		await stage.control.press(question.body.mid, { text: 'Small' });
		await shown(stage, question.body.mid, String(user.user_id));
	});

	it('an answer without a text is shown as an attachment', async () => {
		const { question } = await ask(stage, chatId, TEXT);
		await stage.control.userWrites(chatId, {
			attachments: [{ type: 'location', latitude: 55.75, longitude: 37.61 }],
		});
		await shown(stage, question.body.mid, 'Really?\n\n✅ 📎 (Vera)');
	});

	it('an answer that is too long for the message is truncated', async () => {
		const { question } = await ask(stage, chatId, TEXT);
		await stage.control.userWrites(chatId, '👍'.repeat(2000));
		await shown(stage, question.body.mid, `Really?\n\n✅ ${'👍'.repeat(1994)}`);
	});

	it('a long question loses its marks and its end, but not the answer', async () => {
		const { question } = await ask(stage, chatId, {
			...SIZES,
			message: `<b>${'x'.repeat(3990)}</b>`,
			format: 'html',
		});
		await stage.control.press(question.body.mid, { text: 'Small' });
		const outcome = '\n\n✅ Small (Vera)';
		await shown(stage, question.body.mid, 'x'.repeat(4000 - outcome.length) + outcome);
	});

	it('below a question that loses its marks, the text after the answer loses them as well', async () => {
		const { question } = await ask(stage, chatId, {
			...SIZES,
			message: `<b>${'x'.repeat(3990)}</b>`,
			format: 'html',
			texts: { answered: '<i>{answer}</i> &lt;3' },
		});
		await stage.control.press(question.body.mid, { text: 'Small' });
		await shown(stage, question.body.mid, `${'x'.repeat(3990)}\n\nSmall <3`);
	});

	it('the change of the message follows the options that the question was sent with', async () => {
		const { question } = await ask(stage, chatId, {
			...SIZES,
			options: { disable_link_preview: true, notify: false },
		});
		await stage.control.press(question.body.mid, { text: 'Small' });
		await shown(stage, question.body.mid, 'Really?\n\n✅ Small (Vera)');
		const changes = await stage.control.journal({ kind: 'request', path: '/answers' });
		expect(changes).toMatchObject([
			{ query: { disable_link_preview: 'true' }, body: { message: { notify: false } } },
		]);
	});

	it('the message shows the answer even if the service no longer takes one to the press', async () => {
		const { question } = await ask(stage, chatId, SIZES);
		await stage.control.setFaults([
			{ match: { path: '/answers' }, then: { status: 404, body: { code: 'not.found' } } },
		]);
		await stage.control.press(question.body.mid, { text: 'Small' });
		const message = await shown(stage, question.body.mid, 'Really?\n\n✅ Small (Vera)');
		expect(buttonsOf(message)).toEqual([]);
	});

	it('After the Answer deletes the message', async () => {
		const { host, question } = await ask(stage, chatId, { ...SIZES, after_answer: 'delete' });
		await stage.control.press(question.body.mid, { text: 'Small' });
		await passedOn(host);
		await waitFor(
			async () => {
				const messages = await stage.control.messages(chatId);
				return !messages.some(({ body }) => body.mid === question.body.mid);
			},
			{ what: 'the message to disappear', interval: 20 },
		);
	});

	it.each([
		['a choice', SIZES, '✅ Small (someone with the link)'],
		['an approval', {}, '✅ Approved by someone with the link'],
	])('%s on a page is shown in the message as well', async (_, kind, outcome) => {
		const { question, buttons } = await ask(stage, chatId, { ...kind, answer_in: 'page' });
		await open(buttons[0]?.url);
		await shown(stage, question.body.mid, `Really?\n\n${outcome}`);
	});

	it('an answer on a page that the person leaves before n8n can go on is shown in the message as well', async () => {
		const { host, question, buttons } = await ask(stage, chatId, { answer_in: 'page' });
		const leaving = new AbortController();
		Object.defineProperty(host, 'admission', {
			get: async () => {
				leaving.abort();
				await sleep(100);
			},
		});
		await expect(open(buttons[0]?.url, { signal: leaving.signal })).rejects.toThrow('aborted');
		await shown(stage, question.body.mid, 'Really?\n\n✅ Approved by someone with the link');
	});

	it('a person who is late sees the text set for that in the question', async () => {
		const { host, question } = await ask(stage, chatId, {
			...SIZES,
			texts: { late: 'Trop tard' },
		});
		await host.timeOut();
		await stage.control.press(question.body.mid, { text: 'Small' });
		expect(await notified(stage, vera)).toEqual(['Trop tard']);
	});
});

describe('a service that has only what the interface states', () => {
	let stage: Stage;
	beforeEach(async () => {
		stage = await Stage.start({ profile: 'contract' });
	});
	afterEach(async () => await stage.stop());

	it('says enough to find the question that a text in a group answers', async () => {
		const vera = await stage.control.createUser({ first_name: 'Vera' });
		const { chat_id } = await stage.control.createChat({
			owner_id: vera.user_id,
			admins: [{ user_id: stage.bot.user_id }],
		});
		const trigger = await stage.trigger({ events: ['*'] });
		await trigger.activate();
		const { host, question } = await ask(stage, chat_id, { responseType: 'freeText' });
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(chat_id, { user_id: vera.user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
	});

	it.each(['chat', 'page'])(
		'cannot delete a message answered by %s, so that only its buttons disappear',
		async (answer_in) => {
			const { chatId } = await stage.dialog();
			await stage.activeTrigger({ events: ['*'] });
			const asked = { answer_in, after_answer: 'delete' };
			const { host, question, buttons } = await ask(stage, chatId, asked);
			if (answer_in === 'page') await open(buttons[0]?.url);
			else await stage.control.press(question.body.mid, { text: 'Approve' });
			const hasButtons = async (): Promise<boolean> =>
				buttonsOf(await stage.control.message(question.body.mid)).length > 0;
			await waitFor(async () => !(await hasButtons()), { what: 'the buttons to disappear' });
			expect(await stage.control.message(question.body.mid)).toMatchObject({
				body: { text: 'Really?' },
			});
			const warning = () => host.logs.find(({ level }) => level === 'warn')?.message;
			await waitFor(() => warning() !== undefined, { what: 'the warning' });
			expect(warning()).toMatch(/^A question was not changed as 'After the Answer' says: /);
		},
	);
});

describe('a group with two bots of this n8n', () => {
	const stage = Stage.forEachTest();

	it('a text that is delivered again answers once, and starts no workflow of the bot that asked', async () => {
		const other = await stage.control.createBot();
		const { user } = await stage.dialog();
		const { chat_id } = await stage.control.createChat({
			owner_id: user.user_id,
			admins: [{ user_id: stage.bot.user_id }, { user_id: other.user_id }],
		});
		const { baseUrl } = stage.platform;
		const credentials = { botMessagingApi: { baseUrl, accessToken: other.token } };
		const events = ['message_created'];
		const trigger = await stage.activeTrigger({ events });
		const neighbour = await stage.activeTrigger({ events }, { credentials });
		const { host, question } = await ask(stage, chat_id, { responseType: 'freeText' });
		await stage.control.setFaults([
			{
				match: { origin: 'delivery', path: trigger.webhookUrl() },
				count: 1,
				then: { cut: 'after' },
			},
		]);
		const link = { type: 'reply', mid: question.body.mid } as const;
		await stage.control.userWrites(chat_id, { user_id: user.user_id, text: 'Seven', link });
		expect(await passedOn(host)).toMatchObject({ text: 'Seven' });
		// The question and the answer.
		await neighbour.ended(2);
		await stage.control.advance(61_000);
		const answered = async () => await stage.control.journal({ kind: 'delivery', status: 200 });
		await waitFor(async () => (await answered()).length === 3, { what: 'the second delivery' });
		expect(trigger.stored.executions).toEqual([]);
	});
});
