import { parseArgs } from 'node:util';
import { converse } from './conversation';
import { ACTIVE_EXAMPLE, startDemo, type Demo } from './demo';
import { OWNER } from './rest';

const say = (line: string) => console.log(line);

const USAGE = `npm start                   real n8n, platform and messenger window, until Ctrl+C
npm start -- --once         plays a short conversation, prints it and ends
npm start -- --n8n 2.8.4    takes another version of n8n

BOT_MESSAGING_CACHE=…      moves the folder that n8n is installed in`;

function welcome({ n8n, platform, bot, user }: Demo) {
	say(`
Ready. Open the messenger window and write to ${bot.first_name} as ${user.first_name}: the bot answers.

  Messenger window   ${platform.controlUrl}
  n8n                ${n8n.url}
    log-in           ${OWNER.email}
    password         ${OWNER.password}
    active workflow  examples/${ACTIVE_EXAMPLE}
  Platform API       ${platform.baseUrl}
    access token     ${bot.token}

Ctrl+C stops everything; nothing is kept.`);
}

/** Resolves when the user wants to stop. */
const stopped = () =>
	new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
			process.once(signal, () => resolve());
	});

async function main() {
	const { values } = parseArgs({
		options: { once: { type: 'boolean' }, help: { type: 'boolean' }, n8n: { type: 'string' } },
	});
	if (values.help) return say(USAGE);
	if (values.n8n) process.env.BOT_MESSAGING_N8N = values.n8n;
	const demo = await startDemo(say);
	try {
		if (values.once) {
			say('');
			await converse(demo, say);
		} else {
			welcome(demo);
			await stopped();
			say('Stopping …');
		}
	} catch (error) {
		// The log of n8n mostly tells why.
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
