import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { choice, groupField, menuField, numberField, timeField } from '../form/fields';
import type { Form } from '../form/form';
import { timeOf } from '../form/time';

const DATE = 'maxDateAndTime';

const limitTypeField = menuField('Limit Type', 'limitType', { default: 'afterTimeInterval' }, [
	choice('After Time Interval', 'afterTimeInterval'),
	choice('At Specified Time', 'atSpecifiedTime'),
]);

const unitField = menuField(
	'Unit',
	'resumeUnit',
	{ default: 'minutes', displayOptions: { show: { limitType: ['afterTimeInterval'] } } },
	[choice('Days', 'days'), choice('Hours', 'hours'), choice('Minutes', 'minutes')],
);

const amountField = numberField('Amount', 'resumeAmount', {
	typeOptions: { minValue: 0, numberPrecision: 2 },
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	default: 45,
});

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** The option that limits the wait: to an interval, or until a date. */
export const limitWaitTimeOption = groupField('Limit Wait Time', 'limitWaitTime', {
	description: 'When to stop waiting for an answer; the node then outputs its input',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				limitTypeField,
				amountField,
				unitField,
				timeField('Max Date and Time', DATE, {
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
					description: "When to stop waiting, in the workflow's time zone",
				}),
			],
		},
	],
});

/** Unix ms: n8n takes a date whose year has five digits for one in the past. */
const LATEST = Date.UTC(10_000, 0);

const NO_ANSWER = 'The message was not sent, as nobody could have answered it. Give more time.';

/**
 * When the wait ends: a date, or n8n's constant for no limit. Intervals start at `now`, Unix ms; dates without a time
 * zone are in the workflow's. Refuses a limit that is no moment, or leaves no time to answer.
 */
export function waitTill(options: Form, now: number, timezone: string): Date {
	if (!options.has('limitWaitTime')) return WAIT_INDEFINITELY;
	const values = options.part('limitWaitTime').part('values');
	if (values.choice(limitTypeField) === 'atSpecifiedTime') {
		const time = timeOf(values, DATE, timezone) ?? values.refuseEmpty(DATE);
		if (time <= now) values.refuse(DATE, 'is in the past', NO_ANSWER);
		return time < LATEST ? new Date(time) : values.refuse(DATE, 'is too late a time');
	}
	const { name } = amountField;
	const amount = values.number(amountField, NO_ANSWER) ?? values.refuseEmpty(name);
	if (amount === 0) values.refuse(name, 'is no time to wait', NO_ANSWER);
	const till = now + amount * UNIT_MS[values.choice(unitField)];
	return till < LATEST ? new Date(till) : values.refuse(name, 'is too long a time');
}
