import { Control } from './control';
import type { ShownBot, ShownChat } from './control-shown';
import type { BotOptions, ChatOptions, ControlId } from './control-types';
import { parseJson, writeJson } from './json';
import { NO_LIMITS, type PlatformOptions } from './options';
import { type Platform, startPlatform } from './platform';

/** An answer of the API. Integers beyond 2^53 are bigint. */
interface ApiAnswer {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed body; undefined if it is not JSON. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
	body: any;
}

/** A bot's client of the API: plain HTTP with its token. */
export class BotClient {
	private marker: bigint | number | undefined;

	constructor(
		readonly baseUrl: string,
		readonly shown: ShownBot,
	) {}

	get id(): ControlId {
		return this.shown.user_id;
	}

	get = (path: string) => this.send('GET', path);
	delete = (path: string) => this.send('DELETE', path);
	post = (path: string, body?: unknown) => this.send('POST', path, body);
	put = (path: string, body?: unknown) => this.send('PUT', path, body);
	patch = (path: string, body?: unknown) => this.send('PATCH', path, body);

	/** Sends a request; a string as body is sent as is. */
	async send(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<ApiAnswer> {
		const sent = typeof body === 'string' ? body : body === undefined ? undefined : writeJson(body);
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: {
				authorization: this.shown.token,
				...(sent === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			body: sent,
		});
		return readAnswer(response);
	}

	/** Sends a text into a chat. */
	say(chatId: ControlId, text: string, more: object = {}): Promise<ApiAnswer> {
		return this.post(`/messages?chat_id=${chatId}`, { text, ...more });
	}

	/** The updates since the last call; does not wait. */
	async updates(): Promise<ApiAnswer['body'][]> {
		const marker = this.marker === undefined ? '' : `&marker=${this.marker}`;
		const { body } = await this.get(`/updates?timeout=0&limit=1000${marker}`);
		this.marker = body.marker;
		return body.updates;
	}
}

/** A platform for tests, without limits unless asked for. */
export class Scene {
	platform!: Platform;

	control!: Control;

	/** `close()` must be called at the end. */
	static async open(options?: PlatformOptions): Promise<Scene> {
		const scene = new Scene();
		await scene.start(options);
		return scene;
	}

	/** One scene for all tests of the file or `describe` where this is called. */
	static forAllTests(options?: PlatformOptions): Scene {
		const scene = new Scene();
		beforeAll(async () => await scene.start(options));
		afterAll(async () => await scene.close());
		return scene;
	}

	private async start(options: PlatformOptions = {}): Promise<void> {
		this.platform = await startPlatform({
			...options,
			limits: { ...NO_LIMITS, ...options.limits },
		});
		this.control = new Control(this.platform.controlUrl);
	}

	close(): Promise<void> {
		return this.platform.stop();
	}

	async bot(options: BotOptions = {}): Promise<BotClient> {
		return new BotClient(this.platform.baseUrl, await this.control.createBot(options));
	}

	/** A person that has started the bot; that update is already consumed. */
	async dialog(bot: BotClient): Promise<{ userId: ControlId; chatId: ControlId }> {
		const user = await this.control.createUser({ first_name: 'Vera', last_name: 'Orlova' });
		const chat = await this.control.startBot(bot.id, user.user_id);
		await bot.updates();
		return { userId: user.user_id, chatId: chat.chat_id };
	}

	/** A group chat or channel with an owner, where the bot is an administrator with these rights (or all). */
	async group(
		bot: BotClient,
		{ permissions, ...options }: ChatOptions & { permissions?: string[] | null } = {},
	): Promise<{ ownerId: ControlId; chatId: ControlId; chat: ShownChat }> {
		const owner = await this.control.createUser({ first_name: 'Olga' });
		const plain = permissions === null;
		const admin = { user_id: bot.id, ...(permissions ? { permissions } : {}) };
		const chat = await this.control.createChat({
			owner_id: owner.user_id,
			silent: true,
			...options,
			admins: [...(plain ? [] : [admin]), ...(options.admins ?? [])],
			members: [...(plain ? [bot.id] : []), ...(options.members ?? [])],
		});
		return { ownerId: owner.user_id, chatId: chat.chat_id, chat };
	}
}

/** Reads an answer to its end. */
export async function readAnswer(response: Response): Promise<ApiAnswer> {
	const text = await response.text();
	const { status, headers } = response;
	const isJson = headers.get('content-type')?.startsWith('application/json') === true;
	return { status, headers, text, body: isJson ? parseJson(text) : undefined };
}

/** The statuses of refusals, by their codes (wire 8). */
const STATUSES = {
	'proto.payload': 400,
	'attachment.not.ready': 400,
	'verify.token': 401,
	'chat.denied': 403,
	'access.denied': 403,
	'chat.not.found': 404,
	'dialog.not.found': 404,
	'not.found': 404,
	'method.not.allowed': 405,
	'unsupported.media.type': 415,
	'comments.timeout_exceeded': 422,
	'too.many.requests': 429,
};

type Answering = Pick<ApiAnswer, 'status' | 'body'> | Promise<Pick<ApiAnswer, 'status' | 'body'>>;

/** Expects a refusal with this code, and with exactly this text if it is given. */
export async function refuses(
	answer: Answering,
	code: keyof typeof STATUSES,
	message = expect.any(String),
): Promise<void> {
	expect(await answer).toMatchObject({ status: STATUSES[code], body: { code, message } });
}

/** Expects a 400 with this text. */
export const isBad = async (answer: Answering, message: string) =>
	await refuses(answer, 'proto.payload', message);

/** Expects a status operation to succeed. */
export const succeeds = async (answer: Answering) =>
	expect((await answer).body).toEqual({ success: true });

/** Expects a status operation to have no success, which is nevertheless a 200. */
export const fails = async (answer: Answering) =>
	expect(await answer).toMatchObject({
		status: 200,
		body: { success: false, message: expect.any(String) },
	});

/** A keyboard with one button. */
export const keyboard = {
	type: 'inline_keyboard',
	payload: { buttons: [[{ type: 'callback', text: 'A', payload: 'a' }]] },
};
