import { tryToParseDateTime } from 'n8n-workflow';
import type { Form } from './form';
import { excerpt } from './values';

/** A date such as 01.02.2026, of which nobody can tell whether the day or the month comes first. */
const YEAR_LAST = /^\s*\d{1,2}[./-]\d/;

/** A Unix time written as text; shorter numbers are dates such as 20260131. */
const UNIX_TIME = /^\s*\d{9,}(?:\.\d+)?\s*$/;

/** A time zone: a name that JavaScript knows, or an offset behind a time of day, as in `12:00 -0300`. */
const ZONED =
	/(?<![a-z])(?:utc?|gmt|z|[ecmp][sd]t)(?![a-z])|:\d\d(?:\.\d+)?\s*(?:[ap]m\s*)?[+-]\d/i;

/** The year of a date; without one, JavaScript takes 2001. */
const YEAR = /\d{4}/;

/** Larger numbers are milliseconds: times in ms exceed this since 1973, times in seconds not for 3000 years. */
const MOST_SECONDS = 1e11;

/**
 * A date without a time zone as ISO 8601, if only JavaScript reads its notation, such as `25 Jul 2026` or `2026/7/25`:
 * n8n's parser would take it for a time of the server's zone. Empty if it lacks the year.
 */
function asIso(text: string): string {
	const written = ZONED.test(text) ? NaN : Date.parse(`${text} UTC`);
	if (Number.isNaN(written)) return text;
	return YEAR.test(text) ? new Date(written).toISOString().slice(0, -1) : '';
}

/**
 * A time as Unix milliseconds, from the date picker (in the workflow's time zone), a date in any common notation but
 * one with the year last, or a Unix time in milliseconds or seconds. `undefined` if the field is empty.
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
		const written = typeof value === 'string' ? asIso(value) : value;
		// A list of one entry would be parsed like that entry; refuse it instead.
		const isRefused = Array.isArray(value) || YEAR_LAST.test(String(value));
		return tryToParseDateTime(isRefused ? '' : written, timezone).toMillis();
	} catch {
		return form.refuse(
			name,
			`is not a time: ${excerpt(value)}`,
			'Choose a date and time, or give one such as 2026-07-25T12:00, or Unix milliseconds such as 1785000183456.',
		);
	}
}
