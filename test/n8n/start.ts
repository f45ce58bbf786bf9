import { parseArgs } from 'node:util';
import { toldToEnd } from '../support/ending';
import { converse } from './support/conversation';
import { ACTIVE_EXAMPLE, messengerUrl, startDemo, type Demo } from './support/demo';
import { NO_EDITOR } from './support/environment';
import { OWNER } from './support/rest';

const say = (line: string) => console.log(line);

const USAGE = `npm start                   real n8n, platform and messenger window, until Ctrl+C
npm start -- --once         plays a short conversation, prints it and ends
npm start -- --n8n 2.8.4    takes another version of n8n

BOT_MESSAGING_CACHE=…      moves the folder that n8n is installed in`;

/** Lets the person start the bot, so that their dialog is open, and prints what to do. */
async function welcome(demo: Demo) {
	const { n8n, platform, control, bot, user } = demo;
	const { chat_id } = await control.startBot(bot.user_id, user.user_id);
	say(`
Ready. Open these two windows beside each other:

  1. Messenger   ${messengerUrl(demo, chat_id)}
     You are ${user.first_name}. Write to ${bot.first_name}, for example "Good morning": the bot answers. Press its buttons.
  2. n8n         ${n8n.url}
     Log in: ${OWNER.email} / ${OWNER.password}
     "${ACTIVE_EXAMPLE.name}" is the workflow that answers; its Executions show each message.
     Unpublish it first if you publish your own: each published workflow gets every event of the bot.

For other clients: Base URL ${platform.baseUrl}, Access Token ${bot.token}

Ctrl+C stops everything; nothing is kept.`);
}

async function main() {
	const { values } = parseArgs({
		options: { once: { type: 'boolean' }, help: { type: 'boolean' }, n8n: { type: 'string' } },
	});
	if (values.help) return say(USAGE);
	if (values.n8n !== undefined) process.env.BOT_MESSAGING_N8N = values.n8n;
	// Nobody looks at the editor of a demo that ends by itself.
	const demo = await startDemo(say, values.once ? NO_EDITOR : {});
	try {
		if (values.once) {
			say('');
			await converse(demo, say);
		} else {
			await welcome(demo);
			await toldToEnd();
			say('Stopping …');
		}
	} catch (error) {
		// The log of n8n usually shows the cause.
		say(demo.n8n.log.slice(-15).join('\n'));
		throw error;
	} finally {
		await demo.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
