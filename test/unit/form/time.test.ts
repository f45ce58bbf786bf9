import { tryToParseDateTime } from 'n8n-workflow';
import { timeOf } from '../../../nodes/BotMessaging/form/time';
import { operation } from '../../../nodes/BotMessaging/actions/message/getMany';
import { formOf } from './formOf';

const ZONE = 'Asia/Tokyo';
const read = (value: unknown) => timeOf(formOf(operation, { before: value }), 'before', ZONE);

const NOON_IN_TOKYO = Date.UTC(2026, 6, 25, 3);

test.each([
	['a number of milliseconds', 1785000183456, 1785000183456],
	['the Unix epoch', 0, 0],
	['milliseconds as text', '1785000183456', 1785000183456],
	['seconds', 1785000183, 1785000183000],
	['seconds with a fraction', 1785000183.456, 1785000183456],
	['seconds as text', '1785000183', 1785000183000],
	['seconds with a fraction as text', '1785000183.456', 1785000183456],
	['a time as text with blanks around it', ' 1785000183456\n', 1785000183456],
	[
		'a date from the picker, in the time zone of the workflow',
		'2026-07-25T12:00:00',
		NOON_IN_TOKYO,
	],
	['a date with its own time zone', '2026-07-25T03:00:00Z', NOON_IN_TOKYO],
	['a date without a time', '2026-07-25', Date.UTC(2026, 6, 24, 15)],
	['a date in the format of databases', '2026-07-25 12:00:00', NOON_IN_TOKYO],
	['a date in the format of databases with an offset', '2026-07-25 05:00:00+02', NOON_IN_TOKYO],
	['a date in the format of e-mail', 'Sat, 25 Jul 2026 05:00:00 +0200', NOON_IN_TOKYO],
	['a date in that format without a weekday', '25 Jul 2026 05:00 +0200', NOON_IN_TOKYO],
	['a date in words with an offset', 'July 24, 2026 10:00 pm -05:00', NOON_IN_TOKYO],
	['a date with milliseconds and an offset', '2026/7/25 05:00:00.000 +2', NOON_IN_TOKYO],
	['a date in American time', '24 Jul 2026 22:00 EST', NOON_IN_TOKYO],
	['a date without separators', '20260725', Date.UTC(2026, 6, 24, 15)],
	['a date in words, in the time zone of the workflow', '25 Jul 2026 12:00', NOON_IN_TOKYO],
	['a date in American words', 'July 25, 2026 12:00 PM', NOON_IN_TOKYO],
	['a date with slashes', '2026/7/25 12:00', NOON_IN_TOKYO],
	['a time before its date in words', '12:00 July 25, 2026', NOON_IN_TOKYO],
	['the last moment of a year', '2025-12-31 24:00', Date.UTC(2025, 11, 31, 15)],
	[
		'a date in words in a time zone of its own, without a time',
		'25 Jul 2026 GMT',
		Date.UTC(2026, 6, 25),
	],
	['a time before its date and its time zone', '3:00 25 Jul 2026 GMT', NOON_IN_TOKYO],
	['a date in words with its own time zone', 'July 25, 2026 3:00 am UTC', NOON_IN_TOKYO],
	[
		'a date as JavaScript writes it',
		'Sat Jul 25 2026 05:00:00 GMT+0200 (Central European Summer Time)',
		NOON_IN_TOKYO,
	],
	['a date from an expression', tryToParseDateTime(new Date(NOON_IN_TOKYO)), NOON_IN_TOKYO],
	['a JavaScript Date', new Date(NOON_IN_TOKYO), NOON_IN_TOKYO],
	['nothing', '', undefined],
	['no field', undefined, undefined],
])('%s', (_name, value, expected) => {
	expect(read(value)).toBe(expected);
});

test.each([[[{ hour: 5 }]], [[1]], [['2026-07-25']]])(
	'The refusal of a list shows its content: %j',
	(list) => {
		expect(() => read(list)).toThrow(`Before is not a time: ${JSON.stringify(list)}`);
	},
);

test.each([
	'yesterday',
	'NaN',
	'31.31.2026',
	'01.02.2026',
	'1/2/2026 10:00',
	'3-4-26',
	// JavaScript reads these as months of 2001.
	'5',
	'order 12',
	{},
	NaN,
	Infinity,
	1e300,
	'99999999999999999999',
])('%p is refused with the label of the field', (value) => {
	expect(() => read(value)).toThrow('Before is not a time');
});
