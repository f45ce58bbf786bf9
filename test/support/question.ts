import type { Control, ShownButton, ShownMessage, ShownUser } from '../platform';
import { waitFor } from './wait';

/** User agent of a person's browser. */
export const BROWSER =
	'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

/** The buttons of a message, row by row. */
export const buttonsOf = ({ body }: ShownMessage): ShownButton[] =>
	(body.attachments ?? []).flatMap(({ payload }) => payload?.buttons?.flat() ?? []);

/** Resolves to a message once it shows a text. */
export const shown = async (
	{ control }: { control: Control },
	mid: string,
	text: string,
): Promise<ShownMessage> =>
	await waitFor(
		async () => {
			const message = await control.message(mid);
			return message.body.text === text && message;
		},
		{ timeout: 30_000, interval: 20, what: `the message to show: ${text}` },
	);

/** The texts of a person's notifications, once there are any. */
export const notified = async (
	{ control }: { control: Control },
	{ user_id }: ShownUser,
): Promise<string[]> =>
	await waitFor(
		async () => {
			const seen = await control.notifications(user_id);
			return seen.length > 0 && seen.map(({ text }) => text);
		},
		{ timeout: 30_000, interval: 20, what: 'a notification' },
	);
