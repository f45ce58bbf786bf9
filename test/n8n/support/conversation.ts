import type { ShownMessage } from '../../platform';
import type { Say } from '../../support/command';
import { buttonsOf } from '../../support/question';
import { waitFor } from '../../support/wait';
import type { Demo } from './demo';

/** How long the bot may take for one answer. */
const PATIENCE_MS = 30_000;

/**
 * A person starts the bot, writes to it and presses a button. Says everything as a transcript; throws if an expected
 * answer does not come in time.
 */
export async function converse(
	{ control, bot, user }: Pick<Demo, 'control' | 'bot' | 'user'>,
	say: Say,
	timeout = PATIENCE_MS,
) {
	const me = user.first_name;
	const it = bot.first_name;
	const wait = <T>(what: string, look: () => Promise<T>) => waitFor(look, { timeout, what });

	say(`${me} starts the bot`);
	const { chat_id } = await control.startBot(bot.user_id, user.user_id);
	const answer = (what: string, text: string) =>
		wait(what, async () => {
			const messages = await control.messages(chat_id);
			return messages.find((message) => message.body.text?.includes(text));
		});
	say(`  ${it}: ${show(await answer('the greeting', `Hello, ${me}!`))}`);

	const words = 'Where is my parcel?';
	say(`${me}: ${words}`);
	await control.userWrites(chat_id, words);
	const echo = await answer('the echo', `You wrote: ${words}`);
	say(`  ${it}: ${show(echo)}`);
	const [button] = buttonsOf(echo);
	if (!button) throw new Error('The answer has no keyboard');

	say(`${me} presses [${button.text}]`);
	await control.press(echo.body.mid, { text: button.text });
	const changed = await wait('the change of the message', async () => {
		const message = await control.message(echo.body.mid);
		return message.body.text !== echo.body.text && message;
	});
	say(`  ${it} changes the message: ${show(changed)}`);
	const notification = await wait('the notification', async () => {
		const [shown] = await control.notifications(user.user_id);
		return shown;
	});
	say(`  ${it} shows a notification: ${notification.text}`);
}

/** A message on one line, with its buttons in brackets. */
function show(message: ShownMessage): string {
	const text = (message.body.text ?? '').replaceAll('\n', ' / ');
	return [text, ...buttonsOf(message).map((button) => `[${button.text}]`)].join(' ');
}
