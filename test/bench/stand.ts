import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { Control, type Limits } from '../platform';

const CLI = join(__dirname, '..', 'platform', 'cli.ts');

/** Where a measurement sends to. */
export interface Target {
	baseUrl: string;
	token: string;
	chatIds: string[];
}

interface StandOptions {
	latencyMs: number;
	limits?: Partial<Limits>;
	chats: number;
}

/** The platform in a process of its own, so that its work is not measured, with a bot that is in some chats. */
export class Stand {
	private constructor(
		readonly control: Control,
		readonly target: Target,
		readonly uploadUrl: string,
		readonly stop: () => Promise<void>,
	) {}

	static async start({ latencyMs, limits, chats }: StandOptions): Promise<Stand> {
		const args = ['--import', 'tsx', CLI, '--latency-ms', String(latencyMs)];
		const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
		const stop = async (): Promise<void> => {
			child.kill();
			if (child.exitCode === null) await once(child, 'exit');
		};
		const [line] = await once(createInterface(child.stdout), 'line');
		const { base_url, upload_url, control_url } = JSON.parse(String(line));
		const control = new Control(control_url);
		if (limits) await control.setLimits(limits);
		const bot = await control.createBot();
		const chatIds: string[] = [];
		while (chatIds.length < chats) {
			const chat = await control.createChat({ admins: [{ user_id: bot.user_id }], silent: true });
			chatIds.push(String(chat.chat_id));
		}
		return new Stand(control, { baseUrl: base_url, token: bot.token, chatIds }, upload_url, stop);
	}

	/** Starts a stand for the time of some work. */
	static async during<T>(options: StandOptions, work: (stand: Stand) => Promise<T>): Promise<T> {
		const stand = await Stand.start(options);
		try {
			return await work(stand);
		} finally {
			await stand.stop();
		}
	}

	/** The number of requests to the API that were refused because of a limit. */
	async refused(): Promise<number> {
		return (await this.control.journal({ origin: 'api', status: 429 })).length;
	}

	/** Texts of the messages of a chat, oldest first. */
	async texts(chatId: string, limit: number): Promise<string[]> {
		const messages = await this.control.messages(chatId, limit);
		return messages.map(({ body }) => body.text ?? '').reverse();
	}
}
