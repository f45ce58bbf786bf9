import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitFor } from '../support/wait';
import { Control } from './control';
import { BotClient } from './scene';

const root = join(__dirname, '..', '..');

interface Ready {
	base_url: string;
	upload_url: string;
	control_url: string;
	pid: number;
}

let child: ChildProcess | undefined;

afterEach(() => child?.kill('SIGKILL'));

/** Starts the command and collects what it prints. */
function run(...args: string[]) {
	// One process, unlike the tsx command: killing it at the end ends the server itself.
	const script = ['--import', 'tsx', join(__dirname, 'cli.ts')];
	const started = spawn(process.execPath, [...script, ...args], { cwd: root });
	child = started;
	const output = { stdout: '', stderr: '' };
	started.stdout.on('data', (chunk: Buffer) => (output.stdout += String(chunk)));
	started.stderr.on('data', (chunk: Buffer) => (output.stderr += String(chunk)));
	const ready = async (): Promise<Ready> => {
		await waitFor(() => output.stdout.endsWith('\n'), {
			what: () => `the ready line; stderr: ${output.stderr}`,
		});
		return JSON.parse(output.stdout);
	};
	return { output, ready, ended: once(started, 'exit') };
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
	'prints one line when it is ready, serves, and stops when told to by %s',
	async (signal) => {
		const command = run('--profile', 'contract');
		const { base_url, upload_url, control_url, pid } = await command.ready();
		expect(new Set([base_url, upload_url, control_url]).size).toBe(3);
		const control = new Control(control_url);
		const bot = new BotClient(base_url, await control.createBot());
		expect((await bot.get('/subscriptions')).status).toBe(200);
		expect((await bot.get('/me')).status).toBe(404);
		expect((await fetch(upload_url)).status).toBe(401);
		process.kill(pid, signal);
		expect(await command.ended).toEqual([0, null]);
		expect(command.output.stdout.trim().split('\n')).toHaveLength(1);
	},
);

it('stops with the npm that runs it', async () => {
	const npm = spawn('npm', ['run', '--silent', 'platform'], { cwd: root });
	child = npm;
	let printed = '';
	npm.stdout.on('data', (chunk: Buffer) => (printed += String(chunk)));
	await waitFor(() => printed.endsWith('\n'), { what: 'the ready line' });
	const { control_url }: Ready = JSON.parse(printed);
	npm.kill('SIGTERM');
	const serves = () => fetch(control_url).then(Boolean, () => false);
	await waitFor(async () => !(await serves()), { what: 'the end' });
});

it.each([
	[['--port', 'many'], '--port takes a number'],
	[['--profile', 'old'], '--profile takes contract, current, strict'],
	[['--unknown'], '--unknown'],
])('refuses %j and says why', async (args, message) => {
	const command = run(...args);
	expect((await command.ended)[0]).toBe(1);
	expect(command.output.stderr).toContain(message);
	expect(command.output.stdout).toBe('');
});
