import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Control, startPlatform, type Platform } from '../platform';
import { waitFor } from '../support/wait';
import { converse } from './support/conversation';
import { shared } from './support/shared';

const ROOT = join(__dirname, '..', '..');

/** Starts a command. Returns what it has printed so far, a promise of its exit code, and a way to stop it. */
function start(command: string, args: string[]) {
	const child = spawn(command, args, {
		cwd: ROOT,
		env: { ...process.env, BOT_MESSAGING_TARBALL: shared().tarball },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const end = new Promise<number | null>((resolve, reject) => {
		child.once('error', reject).once('close', resolve);
	});
	return { output: () => output, end, stop: () => child.kill('SIGTERM') };
}

/** Runs a command to its end. Resolves to its exit code and what it printed. */
async function finished(command: string, args: string[]) {
	const { output, end } = start(command, args);
	return { code: await end, output: output() };
}

describe('npm start -- --once', () => {
	it('plays a conversation with the example bot, prints it and exits with 0', async () => {
		const { code, output } = await finished('npm', ['start', '--', '--once']);

		expect(output).toContain(
			[
				'Vera starts the bot',
				'  Clerk: Hello, Vera! Write something, and I will send it back.',
				'Vera: Where is my parcel?',
				'  Clerk: You wrote: Where is my parcel? [Like] [Dislike]',
				'Vera presses [Like]',
				'  Clerk changes the message: You wrote: Where is my parcel? / You liked this. [Like] [Dislike]',
				'  Clerk shows a notification: Noted: liked',
			].join('\n'),
		);
		expect(code).toBe(0);
	});

	it('refuses an unknown option', async () => {
		const { code, output } = await finished('npx', ['tsx', 'test/n8n/start.ts', '--twice']);

		expect(output).toContain('--twice');
		expect(code).toBe(1);
	});
});

describe('npm start', () => {
	it('says which two windows to open, lets the bot answer in the dialog of the first one, and ends with npm', async () => {
		const child = start('npm', ['start']);
		await waitFor(() => child.output().includes('nothing is kept'), {
			timeout: 150_000,
			what: () => `the welcome in ${child.output()}`,
		});
		const [, window = '', user, chat = ''] =
			/(http\S+)\/#user=(\d+)&chat=(-?\d+)/.exec(child.output()) ?? [];
		expect(child.output()).toMatch(/Log in: \S+@\S+ \/ \S+\n/);
		expect(child.output()).toContain('Unpublish it first if you publish your own');

		const control = new Control(window);
		const texts = async () => (await control.messages(chat)).map(({ body }) => body.text);
		const hears = async (text: string) =>
			await waitFor(async () => (await texts()).some((heard) => heard?.startsWith(text)), {
				timeout: 30_000,
				what: text,
			});
		await hears('Hello, Vera!');
		await control.userWrites(chat, { user_id: user, text: 'Good morning' });
		await hears('You wrote: Good morning');

		child.stop();
		await child.end;
		expect(child.output()).toContain('Stopping …');
		await expect(control.state()).rejects.toThrow('fetch failed');
	}, 240_000);
});

describe('the scripted conversation', () => {
	let platform: Platform;
	let control: Control;

	beforeAll(async () => {
		platform = await startPlatform();
		control = new Control(platform.controlUrl);
	});
	afterAll(async () => await platform.stop());

	it('fails in time when the bot does not answer, naming what is missing', async () => {
		const bot = await control.createBot({ first_name: 'Mute' });
		const user = await control.createUser({ first_name: 'Vera' });
		const transcript: string[] = [];

		await expect(
			converse({ control, bot, user }, (line) => transcript.push(line), 500),
		).rejects.toThrow('Waited in vain for the greeting');
		expect(transcript).toEqual(['Vera starts the bot']);
	});
});
