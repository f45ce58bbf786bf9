import type { FaultRule } from './faults';
import type { JournalFilter } from './journal';
import type { Limits } from './options';
import type {
	Pressed,
	ShownBot,
	ShownChat,
	ShownEntry,
	ShownMessage,
	ShownNotification,
	ShownState,
	ShownSubscription,
	ShownUser,
} from './control-shown';
import type {
	BotOptions,
	ChatOptions,
	ControlId,
	MemberOptions,
	Press,
	SentMessage,
	UserOptions,
} from './control-types';
import { parseJson, writeJson } from './json';

type CallQuery = Record<string, string | number | boolean | ControlId | undefined>;

/**
 * A test's client of the control API: acts as people, sets up chats, looks behind the scenes. Works on a platform in
 * the same process or in another. IDs are numbers, or strings of digits beyond 2^53; both are accepted.
 */
export class Control {
	/** @param url `controlUrl` of a platform */
	constructor(readonly url: string) {}

	/**
	 * Sends any request to the control API.
	 * @throws Error with the platform's text if it refuses
	 */
	async call<T>(method: string, path: string, body?: unknown, query: CallQuery = {}): Promise<T> {
		const url = new URL(path, this.url);
		for (const [name, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		const headers = { 'content-type': 'application/json' };
		const init = body === undefined ? {} : { headers, body: writeJson(body) };
		const response = await fetch(url, { method, ...init });
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		// The control API itself guarantees the shapes.
		return parseJson(text) as T;
	}

	createBot(bot: BotOptions = {}): Promise<ShownBot> {
		return this.call('POST', '/bots', bot);
	}

	changeBot(botId: ControlId, changes: BotOptions): Promise<ShownBot> {
		return this.call('PATCH', `/bots/${botId}`, changes);
	}

	/** Gives a bot another token; the old one becomes invalid. */
	rotateToken(botId: ControlId): Promise<ShownBot> {
		return this.call('POST', `/bots/${botId}/token`);
	}

	revokeToken(botId: ControlId): Promise<ShownBot> {
		return this.call('DELETE', `/bots/${botId}/token`);
	}

	createUser(user: UserOptions = {}): Promise<ShownUser> {
		return this.call('POST', '/users', user);
	}

	changeUser(userId: ControlId, changes: UserOptions): Promise<ShownUser> {
		return this.call('PATCH', `/users/${userId}`, changes);
	}

	createChat(chat: ChatOptions): Promise<ShownChat> {
		return this.call('POST', '/chats', chat);
	}

	/** Creates a dialog without starting the bot. */
	createDialog(botId: ControlId, userId: ControlId): Promise<ShownChat> {
		return this.call('POST', '/chats', { type: 'dialog', bot_id: botId, user_id: userId });
	}

	chat(chatId: ControlId): Promise<ShownChat> {
		return this.call('GET', `/chats/${chatId}`);
	}

	/** A change of the title with `by` sends an event; other changes are silent. */
	changeChat(
		chatId: ControlId,
		changes: Partial<ChatOptions> & { by?: ControlId },
	): Promise<ShownChat> {
		return this.call('PATCH', `/chats/${chatId}`, changes);
	}

	addMember(chatId: ControlId, member: MemberOptions): Promise<ShownChat> {
		return this.call('POST', `/chats/${chatId}/members`, member);
	}

	/** `permissions: null` makes an ordinary member, a list an administrator with exactly these rights. */
	changeMember(
		chatId: ControlId,
		userId: ControlId,
		changes: Omit<MemberOptions, 'user_id'>,
	): Promise<ShownChat> {
		return this.call('PATCH', `/chats/${chatId}/members/${userId}`, changes);
	}

	/** Without `by` the member leaves on its own. */
	removeMember(chatId: ControlId, userId: ControlId, by?: ControlId): Promise<ShownChat> {
		return this.call('DELETE', `/chats/${chatId}/members/${userId}`, undefined, { by });
	}

	/** A person presses Start; returns the dialog. */
	startBot(botId: ControlId, userId: ControlId, payload?: string): Promise<ShownChat> {
		return this.call('POST', '/start', { bot_id: botId, user_id: userId, payload });
	}

	/** A person stops the bot, or clears, removes, mutes or unmutes the dialog. */
	treatDialog(
		chatId: ControlId,
		action: 'stop' | 'clear' | 'remove' | 'mute' | 'unmute',
		options: { muted_until?: number } = {},
	): Promise<ShownChat> {
		return this.call('POST', `/chats/${chatId}/${action}`, options);
	}

	/** A person writes into a chat. */
	async userWrites(chatId: ControlId, message: SentMessage | string): Promise<ShownMessage> {
		const body = typeof message === 'string' ? { text: message } : message;
		const answer = await this.call<Said>('POST', `/chats/${chatId}/messages`, body);
		return answer.message;
	}

	async userEdits(mid: string, changes: SentMessage): Promise<ShownMessage> {
		return (await this.call<Said>('PATCH', `/messages/${mid}`, changes)).message;
	}

	/** The author deletes a message. */
	async userDeletes(mid: string): Promise<void> {
		await this.call('DELETE', `/messages/${mid}`);
	}

	async userComments(mid: string, comment: SentMessage): Promise<ShownMessage> {
		return (await this.call<Said>('POST', `/messages/${mid}/comments`, comment)).message;
	}

	/** A person presses a button, given by `payload`, `text`, or `row` and `column`. */
	press(mid: string, button: Press = {}): Promise<Pressed> {
		return this.call('POST', `/messages/${mid}/press`, button);
	}

	/** The newest messages of a chat, newest first. */
	async messages(chatId: ControlId, limit = 100): Promise<ShownMessage[]> {
		const query = { limit };
		return (await this.call<Listed>('GET', `/chats/${chatId}/messages`, undefined, query)).messages;
	}

	message(mid: string): Promise<ShownMessage> {
		return this.call('GET', `/messages/${mid}`);
	}

	async notifications(userId?: ControlId): Promise<ShownNotification[]> {
		const query = { user_id: userId };
		const answer: { notifications: ShownNotification[] } = await this.call(
			'GET',
			'/notifications',
			undefined,
			query,
		);
		return answer.notifications;
	}

	async subscriptions(botId: ControlId): Promise<ShownSubscription[]> {
		const { bots } = await this.state();
		return bots.find(({ user_id }) => user_id === botId)?.subscriptions ?? [];
	}

	/** Sends a bot an update exactly as given. */
	async enqueue(botId: ControlId, update: Record<string, unknown>): Promise<void> {
		await this.call('POST', '/updates', { bot_id: botId, update });
	}

	/** Replaces all faults. */
	setFaults(rules: FaultRule[]): Promise<FaultRule[]> {
		return this.call('PUT', '/faults', rules);
	}

	/** The faults, with their remaining counts. */
	faults(): Promise<FaultRule[]> {
		return this.call('GET', '/faults');
	}

	/** Sets the given limits; the others stay. */
	setLimits(limits: Partial<Limits>): Promise<Limits> {
		return this.call('PUT', '/limits', limits);
	}

	/** Changes settings, by their names in the control API (`ready_after_ms` …). */
	setSettings(settings: Record<string, unknown>): Promise<Record<string, unknown>> {
		return this.call('PATCH', '/settings', settings);
	}

	/** Moves the platform's clock forward; resolves once everything that became due has happened. */
	async advance(ms: number): Promise<number> {
		return (await this.call<{ now: number }>('POST', '/clock/advance', { ms })).now;
	}

	/** The journal of requests and deliveries: entries of the kind in the filter, or of all kinds. */
	async journal<K extends ShownEntry['kind']>(
		filter: JournalFilter & { kind?: K } = {},
	): Promise<Array<Extract<ShownEntry, { kind: K }>>> {
		const query: CallQuery = { ...filter };
		type Answer = { entries: Array<Extract<ShownEntry, { kind: K }>> };
		return (await this.call<Answer>('GET', '/journal', undefined, query)).entries;
	}

	async clearJournal(): Promise<void> {
		await this.call('DELETE', '/journal');
	}

	state(): Promise<ShownState> {
		return this.call('GET', '/state');
	}
}

interface Said {
	message: ShownMessage;
}

interface Listed {
	messages: ShownMessage[];
}
