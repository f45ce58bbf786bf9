import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownChat } from '../platform';
import { BrowserPage, SCREENSHOTS } from './support/browser';
import { ACTIVE_EXAMPLE, messengerUrl, startDemo, type Demo } from './support/demo';
import { Editor } from './support/editor';
import { Movie } from './support/movie';
import { N8nClient } from './support/rest';

const IMAGES = join(__dirname, '..', '..', 'docs', 'images');

/** Copies a screenshot to the README's pictures. */
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

/** Takes pictures of the Send form and the credential. */
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
	await window.openNode('Echo');
	await window.screenshot('send');
	keep('send');
	await window.editCredential();
	await window.parameter('baseUrl', window.credentialForm).waitFor();
	await window.parameter('accessToken', window.credentialForm).waitFor();
	await window.screenshot('credential');
	keep('credential');
}

const QUESTION = 'Where is my parcel?';

/** Records the editor and the messenger side by side, while a person writes and the bot answers. */
async function tour(demo: Demo, chatId: ShownChat['chat_id']) {
	const movie = new Movie();
	const workflow = await workflowId(demo);
	const left = await Editor.open(demo.n8n, { width: 1060, height: 700, scale: 0.7 });
	const right = await BrowserPage.open({ width: 500, height: 700, scale: 0.7 });
	try {
		await left.openWorkflow(workflow);
		await left.closeChecklist();
		await left.iconsShown();
		await right.page.goto(messengerUrl(demo, chatId));
		await right.page.getByText('Hello, Vera!').last().waitFor();
		const frame = async (ms: number) =>
			movie.add([await left.picture(), await right.picture()], ms);
		await frame(1500);

		await left.openExecutions(workflow);
		await frame(1000);
		const composer = right.page.getByTestId('composer').locator('textarea');
		for (const word of QUESTION.split(/(?<= )/)) {
			await composer.pressSequentially(word);
			await frame(300);
		}
		/** Waits for the bot's text, and for one more execution in the list. */
		const answered = async (text: string, act: () => Promise<void>) => {
			const before = await left.executions.count();
			await act();
			await right.page.getByText(text).last().waitFor();
			await frame(1000);
			await left.executions.nth(before).waitFor();
			await frame(2000);
		};
		await answered(`You wrote: ${QUESTION}`, () => composer.press('Enter'));
		await answered('You liked this.', () => right.page.getByText('Like', { exact: true }).click());
	} finally {
		await left.close();
		await right.close();
	}
	mkdirSync(IMAGES, { recursive: true });
	writeFileSync(join(IMAGES, 'tour.gif'), movie.gif());
}

/** Takes a picture of the conversation in the messenger window. */
async function messenger(demo: Demo, chatId: ShownChat['chat_id']) {
	const window = await BrowserPage.open({ width: 1200, height: 760 });
	await window.page.goto(messengerUrl(demo, chatId));
	await window.page.getByText(`You wrote: ${QUESTION}`).first().waitFor();
	await window.screenshot('messenger');
	keep('messenger');
	await window.close();
}

async function main() {
	const demo = await startDemo((line) => console.log(line));
	try {
		const { chat_id } = await demo.control.startBot(demo.bot.user_id, demo.user.user_id);
		await editor(demo);
		await tour(demo, chat_id);
		await messenger(demo, chat_id);
	} finally {
		await demo.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
