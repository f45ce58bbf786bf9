import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../support/wait';
import { BrowserPage, SCREENSHOTS } from './browser';
import { ACTIVE_EXAMPLE, startDemo, type Demo } from './demo';
import { Editor } from './editor';
import { N8nClient } from './rest';

const IMAGES = join(__dirname, '..', '..', 'docs', 'images');

/** Keeps a screenshot that was taken as one of the README's pictures. */
function keep(name: string) {
	mkdirSync(IMAGES, { recursive: true });
	copyFileSync(join(SCREENSHOTS, `${name}.png`), join(IMAGES, `${name}.png`));
}

async function workflowId(demo: Demo): Promise<string> {
	const client = await N8nClient.open(demo.n8n);
	const workflows = await client.workflows();
	await client.close();
	const found = workflows.find(({ active }) => active);
	if (!found) throw new Error(`${ACTIVE_EXAMPLE.name} is not active`);
	return found.id;
}

/** The workflow on the canvas, the form of Send, and the credential. */
async function editor(demo: Demo) {
	const window = await Editor.open(demo.n8n);
	try {
		await photograph(window, await workflowId(demo));
	} finally {
		await window.close();
	}
}

async function photograph(window: Editor, workflow: string) {
	await window.openWorkflow(workflow);
	await window.closeChecklist();
	await window.iconsShown();
	await window.screenshot('workflow');
	keep('workflow');
	await window.openNode('Echo');
	await window.screenshot('send');
	keep('send');
	await window.editCredential();
	await window.screenshot('credential');
	keep('credential');
}

/** A conversation with the example bot in the messenger window. */
async function messenger({ platform, control, bot, user }: Demo) {
	const dialog = await control.startBot(bot.user_id, user.user_id);
	await control.userWrites(dialog.chat_id, { user_id: user.user_id, text: 'Good morning!' });
	await waitFor(async () => (await control.messages(dialog.chat_id)).length >= 3, {
		timeout: 30_000,
		what: 'the answers of the bot',
	});
	const window = await BrowserPage.open({ width: 1200, height: 760 });
	await window.page.goto(`${platform.controlUrl}/#user=${user.user_id}&chat=${dialog.chat_id}`);
	await window.page.getByText('You wrote: Good morning!').first().waitFor();
	await window.screenshot('messenger');
	keep('messenger');
	await window.close();
}

async function main() {
	const demo = await startDemo((line) => console.log(line));
	try {
		await editor(demo);
		await messenger(demo);
	} finally {
		await demo.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
