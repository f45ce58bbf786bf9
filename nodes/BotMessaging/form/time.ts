import { tryToParseDateTime, type INodeProperties } from 'n8n-workflow';
import type { Form } from './form';
import type { TimeSpan } from './history';

/** An option for one end of a time span. */
export const timeOption = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description: `${description}. A date and time, or Unix milliseconds.`,
});

/** A number of milliseconds written as text; shorter ones are dates such as 20260131. */
const MILLISECONDS = /^\d{9,}$/;

/**
 * A time as Unix milliseconds: a date of the picker (in the workflow's time zone), a date of any usual notation, or
 * a number of milliseconds. `undefined` when the field is not filled in.
 */
export function timeOf(form: Form, name: string, timezone: string): number | undefined {
	const value = form.value(name);
	if (value === undefined || value === '') return undefined;
	if (typeof value === 'number' || (typeof value === 'string' && MILLISECONDS.test(value))) {
		return Math.trunc(Number(value));
	}
	try {
		return tryToParseDateTime(value, timezone).toMillis();
	} catch {
		return form.refuse(
			name,
			`is not a time: ${String(value).slice(0, 80)}`,
			'Choose a date and time, or give Unix milliseconds such as 1785000183456.',
		);
	}
}

/** The time span of the options After and Before, in Unix ms. */
export const spanOf = (options: Form, timezone: string): TimeSpan => ({
	since: timeOf(options, 'after', timezone),
	until: timeOf(options, 'before', timezone),
});
