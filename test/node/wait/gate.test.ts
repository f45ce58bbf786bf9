import type { INodeParameters } from 'n8n-workflow';
import { openTicket, signPress } from '../../../nodes/BotMessaging/wait/ticket';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';
import { Refusal } from '../support/trigger/exchange';
import { APPROVAL, ask, formOf, open, passedOn, submit, TEXT } from './asked';

describe('the gate of Send and Wait', () => {
	const stage = Stage.forAllTests();
	let chatId: string;
	beforeAll(async () => {
		({ chatId } = await stage.dialog());
	});

	const PAGE: INodeParameters = {
		answer_in: 'page',
		approvalOptions: { values: { approvalType: 'double' } },
	};
	const FORM: INodeParameters = {
		responseType: 'customForm',
		formFields: {
			values: [
				{ fieldLabel: 'Dish', fieldType: 'dropdown', fieldOptions: 'Pasta, Rice' },
				{ fieldLabel: 'Persons', fieldType: 'number', requiredField: true },
				{ fieldLabel: 'Day', fieldType: 'date' },
				{ fieldLabel: 'Mail', fieldType: 'email' },
				{ fieldLabel: 'Agreed', fieldType: 'checkbox' },
			],
		},
	};
	it.each([
		[
			'on a phone with a name that ends like that of a program',
			'Mozilla/5.0 (Linux; Android 11; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
		],
		[
			'in a small browser',
			'Opera/9.80 (Android; Opera Mini/36.2/191.249; U; en) Presto/2.12.423 Version/12.16',
		],
		['in an old browser', 'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)'],
	])('opens for a person %s', async (_, agent) => {
		const { host, buttons } = await ask(stage, chatId, PAGE);
		await open(buttons[0]?.url, { headers: { 'user-agent': agent } });
		expect(await passedOn(host)).toMatchObject({ approved: true });
	});

	it('opens once for two answers at the same moment', async () => {
		const { host, buttons } = await ask(stage, chatId, { ...PAGE, options: {} }, { loop: false });
		const answers = await Promise.all(
			[0, 1, 0, 1].map(async (button) => await open(buttons[button]?.url)),
		);
		const taken = answers.filter(({ text }) => text.includes('Got it, thanks'));
		expect(taken.map(({ csp }) => csp)).toEqual([expect.stringContaining("default-src 'none'")]);
		await passedOn(host);
		expect(host.passed).toHaveLength(1);
	});

	it("says that it is closed while n8n's concurrency limit holds up the answer that opened it", async () => {
		const { host, buttons } = await ask(stage, chatId, { ...PAGE, options: {} });
		const admit = host.holdUp();
		const answers = buttons.map(async ({ url }) => await open(url));
		const { text } = await Promise.race(answers);
		expect(text).toContain('No answer needed');
		admit();
		await passedOn(host);
		const texts = (await Promise.all(answers)).map((answer) => answer.text);
		expect(texts.filter((other) => other.includes('Got it, thanks'))).toHaveLength(1);
	});

	it('opens at the next try for a press that n8n refuses, and does not take one reported again meanwhile for late', async () => {
		let reads = 0;
		const credentials = {
			get botMessagingApi() {
				reads++;
				return stage.credentials.botMessagingApi;
			},
		};
		const { host, buttons } = await ask(stage, chatId, APPROVAL, { credentials });
		const { token } = stage.bot;
		const { url, question } = openTicket(token, buttons[0]?.payload)!;
		const place = { time: 0, callback_id: '', chat_id: '', message_id: '' };
		const person = { user_id: '1', user_name: 'Vera' };
		const signed = signPress(token, { question, choice: 0, ...place, ...person });
		const init = { body: JSON.stringify(signed), headers: { 'content-type': 'application/json' } };
		const report = async () => await open(url, { method: 'POST', ...init });
		const admit = host.holdUp();
		const { admission } = host;
		host.admission = async () => {
			await admission();
			throw new Refusal(500, {});
		};
		reads = 0;
		const reports = [report(), report()];
		// Each is read once, and once more to show the outcome of the first.
		await waitFor(() => reads === 3, { what: 'both reports to be judged' });
		admit();
		const answers = await Promise.all(reports);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([500, 503]);
		host.admission = async () => {};
		expect(JSON.parse((await report()).text)).toEqual({ taken: true });
		expect(await passedOn(host)).toMatchObject({ approved: true });
	});

	const NOTICE = 'Open this link in a browser';
	/** Each has one of the marks that tell it from a browser. */
	const PROGRAMS = [
		...'(compatible; TelegramBot http://a crawler Baiduspider BingPreview urlscan Slack Skype'.split(
			' ',
		),
		...'facebookexternalhit WhatsApp Teams Outlook Lighthouse HeadlessChrome/140'.split(' '),
	].map((name) => `Mozilla/5.0 (X11) ${name}`);
	it('stays closed for programs and browsers that open links ahead of people', async () => {
		const { host, buttons } = await ask(stage, chatId, PAGE);
		const headers = [
			...['', 'Go-http-client/2.0', ...PROGRAMS].map((agent) => ({ 'user-agent': agent })),
			...['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => ({ [name]: 'prefetch' })),
			{ purpose: 'preview' },
		];
		for (const each of headers) {
			const { text, csp } = await open(buttons[0]?.url, { headers: each });
			expect([each, text]).toEqual([each, expect.stringContaining(NOTICE)]);
			expect(csp).toContain("default-src 'none'");
		}
		expect(host.status).toBe('waiting');
	});

	it('has a page that takes fractions, but only years of four digits', async () => {
		const { buttons } = await ask(stage, chatId, FORM);
		const { text } = await open(buttons[0]?.url);
		expect(text).toContain('<input type="number" step="any" ');
		expect(text).toContain('<input type="date" min="1000-01-01" max="9999-12-31" ');
	});

	const complete: [string, string] = ['field-1', '4'];
	it.each<[string, Array<[string, string]>]>([
		['without a required field', []],
		['with a blank one', [['field-1', '  ']]],
		['with an invalid number', [['field-1', 'four']]],
		['with an unknown choice', [complete, ['field-0', 'Soup']]],
		['with an invalid date', [complete, ['field-2', '2026-13-41']]],
		['with a year of two digits, as browsers give it', [complete, ['field-2', '0026-11-30']]],
		['with a year of five digits', [complete, ['field-2', '20266-11-30']]],
		['with a day that its month lacks', [complete, ['field-2', '2026-02-30']]],
		['with an invalid email address', [complete, ['field-3', 'nobody']]],
		['with a field twice', [complete, ['field-1', '5']]],
	])('stays closed for a form %s, and says which field', async (_, fields) => {
		const { host, buttons } = await ask(stage, chatId, FORM);
		const page = await submit(buttons[0]?.url, fields);
		expect(page.status).toBe(400);
		expect(page.text).toMatch(/Go back and fill in: (Dish|Persons|Day|Mail)</);
		expect(host).toMatchObject({ status: 'waiting', opened: 0 });
		await submit(buttons[0]?.url, [complete, ['field-0', 'Rice'], ['field-2', '2026-12-24']]);
		expect(await passedOn(host)).toMatchObject({
			Dish: 'Rice',
			Persons: 4,
			Day: '2026-12-24',
			Mail: '',
			Agreed: false,
		});
	});

	const required = (fieldType: string) =>
		formOf({ fieldLabel: 'Wanted', fieldType, requiredField: true });
	it.each<[string, INodeParameters, string, object]>([
		['a box that has to be ticked', required('checkbox'), 'true', { Wanted: true }],
		['a number', required('number'), '1.5', { Wanted: 1.5 }],
		['a text', { ...TEXT, answer_in: 'page' }, 'Seven', { text: 'Seven' }],
	])('stays closed without %s, and opens with it', async (_, parameters, value, answer) => {
		const { host, buttons } = await ask(stage, chatId, parameters);
		expect(await submit(buttons[0]?.url, [])).toMatchObject({ status: 400 });
		expect(host).toMatchObject({ status: 'waiting', opened: 0 });
		await submit(buttons[0]?.url, [['field-0', value]]);
		expect(await passedOn(host)).toMatchObject(answer);
	});

	it('stays closed while the credential cannot be read', async () => {
		const botMessagingApi = { ...stage.credentials.botMessagingApi };
		const credentials = { botMessagingApi };
		const { host } = await ask(stage, chatId, { answer_in: 'chat' }, { credentials });
		botMessagingApi.accessToken = '';
		const answer = await open(host.resumeUrl(), {
			method: 'POST',
			body: JSON.stringify({ press: '{}', signature: 'x' }),
			headers: { 'content-type': 'application/json' },
		});
		expect(answer.status).toBe(503);
		expect(JSON.parse(answer.text)).toEqual({ taken: false, notification: expect.any(String) });
		expect(host).toMatchObject({ status: 'waiting', opened: 0 });
	});
});
