/** A person's or bot's full name. */
export function nameOf(person) {
	return [person?.first_name, person?.last_name].filter(Boolean).join(' ') || 'Somebody';
}

/** One line about a message. */
export function summary(message) {
	const { text, attachments = [] } = message.body ?? {};
	const [first] = visible(attachments);
	return text || first?.filename || first?.type || (message.link ? 'Forwarded message' : 'Message');
}

/** Attachments except the keyboard, which is shown below the message. */
export const visible = (attachments = []) =>
	attachments.filter(({ type }) => type !== 'inline_keyboard');

/** A number of things in words, such as "1 comment". */
export const counted = (number, thing) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** IDs are numbers, or strings if a number cannot hold them, so they are compared as strings. */
export const same = (one, other) => String(one) === String(other);

const pad = (number) => String(number).padStart(2, '0');

/** Hours and minutes of a time in ms. */
export function clockTime(ms) {
	const time = new Date(ms);
	return `${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** The day of a time in ms, in words. */
export const dayName = (ms) =>
	new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Minutes and seconds of a duration in seconds. */
export function playingTime(duration) {
	const seconds = Math.ceil(duration);
	return `${Math.floor(seconds / 60)}:${pad(seconds % 60)}`;
}

/** A number of bytes in words. */
export function byteSize(bytes) {
	const units = ['bytes', 'KB', 'MB', 'GB'];
	let value = bytes;
	let unit = 0;
	for (; value >= 1024 && unit < 3; unit += 1) value /= 1024;
	return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
