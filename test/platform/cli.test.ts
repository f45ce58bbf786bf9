import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch as fetchWith } from 'undici';
import { createAuthority } from '../support/tls';
import { waitFor } from '../support/wait';
import { Control } from './control';
import { Hook } from './hook';
import { BotClient } from './scene';

const root = join(__dirname, '..', '..');

interface Ready {
	base_url: string;
	upload_url: string;
	control_url: string;
	pid: number;
}

let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'platform-'));
});

afterEach(() => child?.kill('SIGKILL'));

afterAll(() => rm(folder, { recursive: true }));

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
	return { process: started, output, ready, ended: once(started, 'exit') };
}

const file = async (name: string, content: string) => {
	await writeFile(join(folder, name), content);
	return join(folder, name);
};

it('prints one line when it is ready, serves, and stops when told to by SIGTERM', async () => {
	const command = run('--requests-per-second', '7');
	const { base_url, upload_url, control_url, pid } = await command.ready();
	expect(new Set([base_url, upload_url, control_url]).size).toBe(3);
	const control = new Control(control_url);
	expect((await control.state()).limits.requests_per_second).toBe(7);
	const bot = new BotClient(base_url, await control.createBot());
	expect((await bot.get('/me')).status).toBe(200);
	expect((await fetch(upload_url)).status).toBe(404);
	process.kill(pid, 'SIGTERM');
	expect(await command.ended).toEqual([0, null]);
	expect(command.output.stdout.trim().split('\n')).toHaveLength(1);
});

it.each(['SIGINT', 'SIGHUP'])('stops when told to by %s', async (signal) => {
	const command = run();
	const { pid } = await command.ready();
	process.kill(pid, signal);
	expect(await command.ended).toEqual([0, null]);
});

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

it('delivers over the given authority and addresses', async () => {
	const authority = createAuthority();
	const hook = await Hook.open(authority.issue(['bot.example']));
	const ca = await file('ca.pem', authority.ca);
	const command = run('--tls-ca', ca, '--resolve', `bot.example:443:${hook.address}`);
	const { base_url, control_url } = await command.ready();
	const control = new Control(control_url);
	const bot = new BotClient(base_url, await control.createBot());
	await bot.post('/subscriptions', { url: 'https://bot.example/hook' });
	const user = await control.createUser();
	await control.startBot(bot.id, user.user_id);
	await waitFor(() => hook.received.length > 0, { what: 'the update' });
	expect(hook.received[0]?.update.update_type).toBe('bot_started');
	await hook.close();
});

it('serves API and uploads over https', async () => {
	const authority = createAuthority();
	const { key, cert } = authority.issue(['localhost']);
	const files = [
		'--tls-key',
		await file('key.pem', key),
		'--tls-cert',
		await file('cert.pem', cert),
	];
	const { base_url, upload_url } = await run(...files, '--host-name', 'localhost').ready();
	expect(base_url).toMatch(/^https:\/\/localhost:/);
	const dispatcher = new Agent({ connect: { ca: authority.ca } });
	for (const url of [`${base_url}/me`, upload_url]) {
		expect((await fetchWith(url, { dispatcher })).status).toBeGreaterThanOrEqual(400);
	}
	await expect(fetch(`${base_url}/me`)).rejects.toThrow('fetch failed');
	await dispatcher.close();
});

it.each([
	[['--port', 'many'], '--port takes a number'],
	[['--resolve', 'bot.example'], '--resolve takes HOST:443:IP:PORT'],
	[['--tls-key', 'a.pem'], 'belong together'],
	[['--unknown'], '--unknown'],
])('refuses %j and says why', async (args, message) => {
	const command = run(...args);
	expect((await command.ended)[0]).toBe(1);
	expect(command.output.stderr).toContain(message);
	expect(command.output.stdout).toBe('');
});
