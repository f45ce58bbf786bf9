import { runNode, type NodeResult, type NodeRun } from './engine';
import type { INodeParameters } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../../nodes/BotMessaging/BotMessagingTrigger.node';
import {
	Control,
	startPlatform,
	type ChatOptions,
	type Platform,
	type PlatformOptions,
	type ShownBot,
	type ShownEntry,
	type ShownSubscription,
	type ShownUser,
} from '../../platform';
import type { JournalFilter } from '../../platform/journal';
import type { FaultAction, FaultRule } from '../../platform/faults';
import { botStarted } from '../../support/botStarted';
import { createAuthority, type Authority } from '../../support/tls';
import { waitFor } from '../../support/wait';
import type { CredentialData } from './credentials';
import type { Cancelable } from './execution';
import { TriggerHost, type TriggerOptions } from './trigger';
import { WaitingHost, type WaitingUse } from './waiting';

/** Created when the first trigger needs it, since generating keys takes a moment. */
let authority: Authority | undefined;

let hosts = 0;

/**
 * A platform with one bot, and n8n's own engine beside it in the test process: real n8n-core, expressions, requests,
 * binary data and contexts. This folder plays what n8n's server adds (database, credentials, web server). The package's
 * nodes run there with the bot's credential.
 */
export class Stage {
	platform!: Platform;

	control!: Control;

	bot!: ShownBot;

	/** The bot's credential. Nodes read it on each use, so a change takes effect at once. */
	credentials!: CredentialData & { botMessagingApi: Record<string, string> };

	private addresses: Record<string, string> = {};

	private triggers: TriggerHost[] = [];

	private waiting: WaitingHost[] = [];

	private constructor(private readonly options: PlatformOptions = {}) {}

	/** A new stage for each test of the file or `describe` where this is called. */
	static forEachTest(options?: PlatformOptions): Stage {
		const stage = new Stage(options);
		beforeEach(async () => await stage.open());
		afterEach(async () => await stage.stop());
		return stage;
	}

	/** One stage for all tests of the file or `describe` around it; each finds an empty journal and no faults. */
	static forAllTests(options?: PlatformOptions): Stage {
		const stage = new Stage(options);
		beforeAll(async () => await stage.open());
		beforeEach(async () => {
			await stage.control.clearJournal();
			await stage.control.setFaults([]);
		});
		afterAll(async () => await stage.stop());
		return stage;
	}

	/** Starts afresh; also possible after `stop()`. */
	async open(options = this.options): Promise<void> {
		this.platform = await startPlatform(options);
		this.control = new Control(this.platform.controlUrl);
		this.bot = await this.control.createBot();
		const { baseUrl } = this.platform;
		this.credentials = { botMessagingApi: { baseUrl, accessToken: this.bot.token } };
		this.addresses = {};
		this.triggers = [];
		this.waiting = [];
	}

	/** A person who has started the bot, and their dialog. */
	async dialog(first_name = 'Vera'): Promise<{ user: ShownUser; chatId: string }> {
		const user = await this.control.createUser({ first_name });
		const { chat_id } = await this.control.startBot(this.bot.user_id, user.user_id);
		return { user, chatId: String(chat_id) };
	}

	/** The ID of a new group chat, of which the bot is an administrator. */
	async group(chat: ChatOptions = {}): Promise<string> {
		const admins = [{ user_id: this.bot.user_id }];
		return String((await this.control.createChat({ admins, ...chat })).chat_id);
	}

	/** A person starts the bot: an event with this payload, at the service's time unless told otherwise. */
	async happen(payload: string, more: object = {}): Promise<void> {
		await this.control.enqueue(this.bot.user_id, { ...botStarted(payload), ...more });
		// What one person does in one millisecond is one event, whatever its payload.
		const sentAt = Date.now();
		await waitFor(() => Date.now() > sentAt, { interval: 1, what: 'the next millisecond' });
	}

	/** Replaces all faults of the platform with one: for one request, or as many as `count` says (-1: all). */
	async fault(
		match: FaultRule['match'],
		then: FaultAction,
		more: Pick<FaultRule, 'count' | 'after'> = {},
	): Promise<void> {
		await this.control.setFaults([{ match, then, ...more }]);
	}

	/** Waits until the first fault is used up: the request that it affects has arrived. */
	async faultMet(): Promise<void> {
		const isMet = async () => (await this.control.faults())[0]?.count === 0;
		await waitFor(isMet, { interval: 5, what: 'the request that a fault waits for' });
	}

	/** Waits until the journal has this many entries of a kind, and returns them. */
	async seen<K extends ShownEntry['kind']>(filter: JournalFilter & { kind?: K }, count = 1) {
		return await waitFor(
			async () => {
				const entries = await this.control.journal(filter);
				return entries.length >= count && entries;
			},
			{ interval: 20, what: `entry ${count} in the journal with ${JSON.stringify(filter)}` },
		);
	}

	/** Replaces the bot's token, in its credential as well. */
	async renewToken(): Promise<void> {
		const { token } = await this.control.rotateToken(this.bot.user_id);
		this.credentials.botMessagingApi.accessToken = token;
	}

	/** The bot's credential with changes, for one run. */
	credentialsWith(change: object): CredentialData {
		return { botMessagingApi: { ...this.credentials.botMessagingApi, ...change } };
	}

	/** Runs the action node. */
	run(parameters: INodeParameters, more: Partial<NodeRun> = {}): Cancelable<NodeResult> {
		const { credentials } = this;
		return runNode({ node: new BotMessaging(), parameters, credentials, ...more });
	}

	/**
	 * Starts an n8n with the trigger node, which the platform reaches over HTTPS under a host name of its own. The
	 * workflow is not active yet.
	 */
	async trigger(
		parameters: INodeParameters = {},
		more: Partial<TriggerOptions> = {},
	): Promise<TriggerHost> {
		const name = `n8n${++hosts}.example`;
		authority ??= createAuthority();
		const host = await TriggerHost.start({
			node: new BotMessagingTrigger(),
			parameters,
			credentials: this.credentials,
			publicUrl: `https://${name}`,
			certificate: authority.issue([name]),
			...more,
		});
		this.triggers.push(host);
		this.addresses[`${name}:443`] = `127.0.0.1:${host.port}`;
		await this.control.setSettings({ trusted_ca: authority.ca, resolve: this.addresses });
		return host;
	}

	/** The same, with the workflow active. */
	async activeTrigger(
		parameters: INodeParameters = {},
		more: Partial<TriggerOptions> = {},
	): Promise<TriggerHost> {
		const host = await this.trigger(parameters, more);
		await host.activate();
		return host;
	}

	/** Starts an n8n with an execution whose action node asks a person and waits. It is not running yet. */
	async asking(parameters: INodeParameters, more: Partial<WaitingUse> = {}): Promise<WaitingHost> {
		const host = await WaitingHost.start({
			node: new BotMessaging(),
			credentials: this.credentials,
			...more,
			parameters: { resource: 'message', operation: 'sendAndWait', ...parameters },
		});
		this.waiting.push(host);
		return host;
	}

	/** The bot's subscriptions, as the service has them. */
	async subscriptions(): Promise<ShownSubscription[]> {
		return await this.control.subscriptions(this.bot.user_id);
	}

	/** Subscribes the bot from outside the trigger. */
	async subscribe(url: string, more: object = {}): Promise<void> {
		await this.call('POST', '/subscriptions', { url, ...more });
	}

	/** Removes a subscription of the bot from outside the trigger. */
	async unsubscribe(url: string): Promise<void> {
		await this.call('DELETE', `/subscriptions?url=${encodeURIComponent(url)}`);
	}

	/** A request of the bot past the package; answers with the body. */
	async call(method: string, path: string, body?: object): Promise<string> {
		const { baseUrl = '', accessToken = '' } = this.credentials.botMessagingApi;
		const headers = { authorization: accessToken, 'content-type': 'application/json' };
		const init = { method, headers, body: body && JSON.stringify(body) };
		return await (await fetch(`${baseUrl}${path}`, init)).text();
	}

	/** Ends everything that was started here. */
	async stop(): Promise<void> {
		for (const host of this.waiting) await host.stop();
		for (const host of this.triggers) await host.stop();
		await this.platform.stop();
	}
}
