import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { Form } from '../../../nodes/BotMessaging/form/form';
import { formPage, noticePage } from '../../../nodes/BotMessaging/wait/page';
import { DEFAULT_TEXTS, textsField, textsOf } from '../../../nodes/BotMessaging/wait/texts';
import {
	openTicket,
	readPress,
	sealTicket,
	signPress,
	type Press,
} from '../../../nodes/BotMessaging/wait/ticket';
import { waitTill } from '../../../nodes/BotMessaging/wait/waitTime';
import { nodeOf } from '../../support/node';

const TOKEN = 'f9LHodD0cOL5Wm3xQ';
const ticket = {
	url: `https://flow.example.org/webhook-waiting/4711/1f0c9a7e-3f5b-4c56-9a55-0d4f2a7b9c11?signature=${'a'.repeat(64)}`,
	question: 'cXVlc3Rpb24gbm8gMQ',
	choice: 0,
};

const press: Press = {
	question: 'cXVlc3Rpb24gbm8gMQ',
	choice: 0,
	time: 1785000130000,
	callback_id: 'k0Zr',
	user_id: '110022334',
	user_name: 'Vera Orlova',
	chat_id: '146854609',
	message_id: 'mid.0000000008c0d2d1019f9a4c5e600001',
};

describe('the payload of a button that answers a request', () => {
	it('opens with the token of the same bot', () => {
		expect(openTicket(TOKEN, sealTicket(TOKEN, ticket))).toEqual(ticket);
	});

	it('fits into a payload and reveals nothing of the URL inside', () => {
		const payload = sealTicket(TOKEN, ticket);
		expect(payload.length).toBeLessThanOrEqual(1024);
		expect(Buffer.from(payload.slice(5), 'base64url').toString('latin1')).not.toContain('flow');
	});

	it('does not open with the token of another bot', () => {
		expect(openTicket('another token', sealTicket(TOKEN, ticket))).toBeUndefined();
	});

	it('does not open after any of its characters was changed', () => {
		const payload = sealTicket(TOKEN, ticket);
		for (let index = 5; index < payload.length - 1; index += 7) {
			const other = payload[index] === 'A' ? 'B' : 'A';
			const changed = payload.slice(0, index) + other + payload.slice(index + 1);
			expect(openTicket(TOKEN, changed)).toBeUndefined();
		}
	});

	it.each([undefined, '', 'wait:', 'wait:AAAA', 'wait:%%%', 'order:17:confirm'])(
		'is not recognized in %p',
		(payload) => {
			expect(openTicket(TOKEN, payload)).toBeUndefined();
		},
	);
});

describe('the report of a press', () => {
	it('is read when a trigger of the same bot signed it', () => {
		expect(readPress(TOKEN, signPress(TOKEN, press))).toEqual(press);
	});

	it('is refused when it was changed, signed for another bot, or not signed', () => {
		const signed = signPress(TOKEN, press);
		const forged = { ...signed, press: signed.press.replace('110022334', '999') };
		const bodies = [forged, signPress('another', press), { press: signed.press }, {}, null, 'text'];
		for (const body of bodies) expect(readPress(TOKEN, body)).toBeUndefined();
	});
});

describe('the end of waiting', () => {
	const node = nodeOf();
	const till = (values?: Record<string, unknown>): Date =>
		waitTill(
			new Form(
				node,
				new Map([
					['maxDateAndTime', 'Max Date and Time'],
					['limitType', 'Limit Type'],
					['resumeAmount', 'Amount'],
					['resumeUnit', 'Unit'],
				]),
				(name) => (values && name === 'limitWaitTime' ? { values } : undefined),
			),
			1_000_000,
			'Asia/Tokyo',
		);

	it('never comes without the option', () => {
		expect(till()).toBe(WAIT_INDEFINITELY);
	});

	it.each([
		[2, 'minutes', 120_000],
		[1.5, 'hours', 5_400_000],
		[1, 'days', 86_400_000],
	])('comes after %p %s', (resumeAmount, resumeUnit, ms) => {
		const end = till({ limitType: 'afterTimeInterval', resumeAmount, resumeUnit });
		expect(end.getTime()).toBe(1_000_000 + ms);
	});

	it.each([
		['with its own time zone', '2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'],
		[
			'from the picker, in the time zone of the workflow',
			'2030-01-01T00:00:00',
			'2029-12-31T15:00:00.000Z',
		],
		['in Unix milliseconds', Date.UTC(2030, 0, 1), '2030-01-01T00:00:00.000Z'],
	])('comes at the chosen date: %s', (_, maxDateAndTime, end) => {
		expect(till({ limitType: 'atSpecifiedTime', maxDateAndTime }).toISOString()).toBe(end);
	});

	it.each([
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }, 'Max Date and Time is not a time'],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '' }, 'Max Date and Time is empty'],
		[
			{ limitType: 'atSpecifiedTime', maxDateAndTime: '1970-01-01T00:16:40Z' },
			'Max Date and Time is in the past',
		],
		[
			{ limitType: 'atSpecifiedTime', maxDateAndTime: 1_785_000_183_456_000 },
			'Max Date and Time is too late',
		],
		[{ limitType: 'afterTimeInterval', resumeAmount: null }, 'Amount is empty'],
		[{ limitType: 'afterTimeInterval', resumeAmount: 0 }, 'Amount is no time to wait'],
		[
			{ limitType: 'afterTimeInterval', resumeAmount: -5 },
			'Amount is not a number of at least 0: -5',
		],
		[{ limitType: 'never', resumeAmount: 45 }, 'Limit Type is not one of its choices: never'],
		[
			{ limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'weeks' },
			'Unit is not one of its choices: weeks',
		],
		[{ limitType: 'afterTimeInterval', resumeAmount: 1e300 }, 'Amount is too long'],
		// n8n treats the year 3000 as never, and a year of five digits as past.
		[{ limitType: 'afterTimeInterval', resumeAmount: 10_000_000 }, 'Amount is too long'],
	])('is refused when it is not a valid moment: %p', (values, message) => {
		expect(() => till({ resumeUnit: 'days', ...values })).toThrow(message);
	});
});

describe('pages', () => {
	it('show values as text, never as HTML', () => {
		const evil = `"><script>alert('x')</script>&`;
		const html =
			noticePage(evil, evil) +
			formPage({
				title: evil,
				description: evil,
				buttonLabel: evil,
				fields: ['text', 'textarea', 'dropdown', 'checkbox', evil].map((type) => ({
					name: evil,
					label: evil,
					type,
					required: true,
					choices: [evil],
				})),
			});
		expect(html).not.toContain('<script>');
		expect(html).not.toContain('"">');
	});
});

test('Every text that people read can be replaced in the form', () => {
	const replaceable = textsField.options?.map(({ name }) => name) ?? [];
	expect(replaceable.sort()).toEqual(Object.keys(DEFAULT_TEXTS).sort());
});

test('A text of blanks is replaced by the usual one, since a button or title has to show something', () => {
	const form = new Form(nodeOf(), new Map(), () => ({ howToLabel: ' ', thanksTitle: ' Merci ' }));
	expect(textsOf(form)).toEqual({ ...DEFAULT_TEXTS, thanksTitle: 'Merci' });
});
