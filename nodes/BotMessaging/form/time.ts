import { tryToParseDateTime } from 'n8n-workflow';
import type { Form } from './form';
import { excerpt } from './values';

/** A Unix time written as text; shorter ones are dates such as 20260131. */
const UNIX_TIME = /^\d{9,}$/;

/** The milliseconds of every time since 1973 are more than this, and the seconds of every time for 3000 years fewer. */
const MOST_SECONDS = 1e11;

/**
 * A time as Unix milliseconds: a date of the picker (in the workflow's time zone), a date of any usual notation, or
 * a Unix time in milliseconds or seconds. `undefined` when the field is not filled in.
 */
export function timeOf(form: Form, name: string, timezone: string): number | undefined {
	const value = form.filled(name);
	if (value === undefined) return undefined;
	const isUnixTime =
		typeof value === 'number' || (typeof value === 'string' && UNIX_TIME.test(value));
	const time = isUnixTime ? Number(value) : NaN;
	const ms = Math.trunc(time < MOST_SECONDS ? time * 1000 : time);
	if (Number.isSafeInteger(ms)) return ms;
	try {
		// A list of one entry has the text of that entry.
		return tryToParseDateTime(Array.isArray(value) ? '' : value, timezone).toMillis();
	} catch {
		return form.refuse(
			name,
			`is not a time: ${excerpt(value)}`,
			'Choose a date and time, or give Unix milliseconds such as 1785000183456.',
		);
	}
}
