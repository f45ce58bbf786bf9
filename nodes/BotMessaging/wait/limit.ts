import { WAIT_INDEFINITELY, type INodeProperties } from 'n8n-workflow';
import { choice, menuField, numberField } from '../form/fields';
import type { Form } from '../form/form';
import { timeOf } from '../form/history';

const DATE = 'maxDateAndTime';
const AMOUNT = 'resumeAmount';

const UNIT = 'resumeUnit';

const AT_TIME = 'atSpecifiedTime';

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** The option that ends the waiting: after some time, or at a date. */
export const limitWaitTimeOption: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	description: 'When the workflow goes on without an answer; it then outputs its input',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				menuField('Limit Type', 'limitType', { default: 'afterTimeInterval' }, [
					choice('After Time Interval', 'afterTimeInterval'),
					choice('At Specified Time', AT_TIME),
				]),
				numberField('Amount', AMOUNT, {
					typeOptions: { minValue: 0, numberPrecision: 2 },
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					default: 45,
				}),
				{
					displayName: 'Unit',
					name: UNIT,
					type: 'options',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					options: [choice('Days', 'days'), choice('Hours', 'hours'), choice('Minutes', 'minutes')],
					default: 'minutes',
				},
				{
					displayName: 'Max Date and Time',
					name: DATE,
					type: 'dateTime',
					displayOptions: { show: { limitType: [AT_TIME] } },
					default: '',
				},
			],
		},
	],
};

/**
 * When the waiting ends: a date, or n8n's mark for no limit. Times are counted from `now` in ms, dates without a zone
 * are those of the workflow's.
 */
export function waitTill(options: Form, now: number, timezone: string): Date {
	if (!options.has('limitWaitTime')) return WAIT_INDEFINITELY;
	const values = options.part('limitWaitTime').part('values');
	const type = values.choice('limitType', ['afterTimeInterval', AT_TIME], 'afterTimeInterval');
	if (type === AT_TIME) {
		return new Date(timeOf(values, DATE, timezone) ?? values.refuseEmpty(DATE));
	}
	const amount = values.number(AMOUNT) ?? values.refuseEmpty(AMOUNT);
	const unit = values.choice(UNIT, ['minutes', 'hours', 'days'], 'minutes');
	const till = new Date(now + amount * UNIT_MS[unit]);
	return Number.isNaN(till.getTime()) ? values.refuse(AMOUNT, 'is too long a time') : till;
}
