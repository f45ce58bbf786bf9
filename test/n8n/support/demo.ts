import { readdirSync } from 'node:fs';
import {
	Control,
	startPlatform,
	type Platform,
	type ShownBot,
	type ShownChat,
	type ShownUser,
} from '../../platform';
import type { Say } from '../../support/command';
import { startFront } from './front';
import { freePort } from './ports';
import { createAuthority } from '../../support/tls';
import type { N8nInstance } from './instance';
import { packTarball } from './package';
import { N8nClient } from './rest';
import { WEBHOOK_HOST } from './shared';
import { startTemporary } from './temporary';
import { CREDENTIAL, example, EXAMPLES } from './workflow';

/** The example that is active from the start. */
export const ACTIVE_EXAMPLE = { file: 'echo-with-keyboard.json', name: 'Echo with keyboard' };

/** Preferred ports; any free port replaces one that is taken. */
const PORTS = { n8n: 5678, window: 7080, api: 7081, uploads: 7082 };

/** Everything that `npm start` shows: platform, real n8n, bot and person. */
export interface Demo {
	n8n: N8nInstance;
	platform: Platform;
	control: Control;
	bot: ShownBot;
	user: ShownUser;
	stop(): Promise<void>;
}

/** The address of the messenger window that shows a chat as this person. */
export function messengerUrl({ platform, user }: Demo, chatId: ShownChat['chat_id']): string {
	const selection = new URLSearchParams({ user: String(user.user_id), chat: String(chatId) });
	return `${platform.controlUrl}/#${selection}`;
}

/** Sets everything up, with more variables for n8n, and reports what it does. If it fails, it cleans up after itself. */
export async function startDemo(say: Say, env: Record<string, string> = {}): Promise<Demo> {
	const cleanUp: Array<() => unknown> = [];
	const stop = async () => {
		for (const step of cleanUp.splice(0).reverse()) await step();
	};
	try {
		return { ...(await build(say, env, cleanUp)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function build(
	say: Say,
	env: Record<string, string>,
	cleanUp: Array<() => unknown>,
): Promise<Omit<Demo, 'stop'>> {
	const tarball = await packTarball(say);

	// The platform delivers over TLS only. n8n runs behind a TLS front, as behind a reverse proxy, so that a browser can
	// open its editor without a warning.
	const authority = createAuthority();
	const n8nPort = await freePort(PORTS.n8n);
	const front = await startFront(authority.issue([WEBHOOK_HOST]), n8nPort);
	cleanUp.push(() => front.stop());

	say('Starting the platform …');
	const platform = await startPlatform({
		port: await freePort(PORTS.api),
		uploadPort: await freePort(PORTS.uploads),
		controlPort: await freePort(PORTS.window),
		trustedCa: authority.ca,
		// Replies should come in the order of the messages they answer.
		serialDelivery: true,
		resolve: { [`${WEBHOOK_HOST}:443`]: `127.0.0.1:${front.port}` },
		// A browser should reach the pages of Send and Wait.
		openAs: { [`https://${WEBHOOK_HOST}/`]: `http://localhost:${n8nPort}/` },
	});
	cleanUp.push(() => platform.stop());

	const { instance: n8n, close } = await startTemporary({ tarball, port: n8nPort, env }, say);
	cleanUp.push(close);

	say('Installing the example workflows …');
	const control = new Control(platform.controlUrl);
	const bot = await control.createBot({ first_name: 'Clerk', username: 'clerk_bot' });
	const user = await control.createUser({ first_name: 'Vera' });
	await furnish(n8n, { baseUrl: platform.baseUrl, accessToken: bot.token });
	return { n8n, platform, control, bot, user };
}

/** Installs the credential and the examples, one of them active. */
async function furnish(n8n: N8nInstance, access: { baseUrl: string; accessToken: string }) {
	const client = await N8nClient.open(n8n);
	const credential = await client.createCredential('Clerk', CREDENTIAL, access);
	for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'))) {
		const workflow = await client.createWorkflow(example(file, credential));
		if (file === ACTIVE_EXAMPLE.file) await client.activate(workflow);
	}
	await client.close();
}
