import {
	Control,
	startPlatform,
	type Platform,
	type PlatformOptions,
	type ShownBot,
	type ShownChat,
	type ShownMessage,
	type ShownUser,
} from '../../platform';
import { waitFor } from '../../support/wait';
import { N8nClient, type Credential, type Workflow } from './rest';
import { Session, type RequestOptions } from './session';
import { shared, WEBHOOK_HOST } from './shared';
import { CREDENTIAL, type WorkflowDraft } from './workflow';

/** What a test file works with: the shared n8n, and a platform of its own with a bot and a person. */
export class Stage {
	n8n!: N8nClient;
	platform!: Platform;
	control!: Control;
	bot!: ShownBot;
	user!: ShownUser;
	dialog!: ShownChat;
	credential!: Credential;
	/** Fields of the bot's credential. */
	access!: { baseUrl: string; accessToken: string };
	private workflows: Workflow[] = [];

	/** A new stage for each test of the `describe` where this is called. */
	static forEachTest(options?: PlatformOptions): Stage {
		const stage = new Stage();
		beforeEach(async () => await stage.start(options));
		afterEach(async () => await stage.close());
		return stage;
	}

	/** `close()` must be called at the end. */
	static async open(options?: PlatformOptions, place = shared()): Promise<Stage> {
		const stage = new Stage();
		await stage.start(options, place);
		return stage;
	}

	/** The API uses TLS, webhooks go to the shared n8n over TLS, and the person has a dialog with the bot. */
	private async start(options: PlatformOptions = {}, place = shared()): Promise<void> {
		const { url, port, ca, platformTls } = place;
		this.platform = await startPlatform({
			tls: platformTls,
			hostName: 'localhost',
			trustedCa: ca,
			resolve: { [`${WEBHOOK_HOST}:443`]: `127.0.0.1:${port}` },
			...options,
		});
		const { baseUrl, controlUrl } = this.platform;
		this.control = new Control(controlUrl);
		this.n8n = await N8nClient.open({ url, ca });
		this.bot = await this.control.createBot({ first_name: 'Clerk' });
		this.user = await this.control.createUser({ first_name: 'Vera' });
		this.dialog = await this.control.createDialog(this.bot.user_id, this.user.user_id);
		this.access = { baseUrl, accessToken: this.bot.token };
		this.credential = await this.n8n.createCredential(`Clerk ${baseUrl}`, CREDENTIAL, this.access);
		this.workflows = [];
	}

	/** Saves a workflow that is deleted with the stage. */
	async create(draft: WorkflowDraft): Promise<Workflow> {
		const workflow = await this.n8n.createWorkflow(draft);
		this.workflows.push(workflow);
		return workflow;
	}

	/** Saves and activates. */
	async createActive(draft: WorkflowDraft): Promise<Workflow> {
		return await this.n8n.activate(await this.create(draft));
	}

	/** The bot's subscriptions. */
	async subscriptions() {
		return await this.control.subscriptions(this.bot.user_id);
	}

	/** Another program calls the service with the bot's token. Throws an N8nError if it is refused. */
	async call(method: string, path: string, options: RequestOptions) {
		const authorization = this.access.accessToken;
		const service = new Session(this.access.baseUrl, shared().ca, { authorization });
		await service.request(method, path, options).finally(() => service.close());
	}

	/** Waits for a message from the bot, in the person's dialog unless another chat is given. */
	async answer(
		wanted: (message: ShownMessage) => boolean,
		chatId = this.dialog.chat_id,
	): Promise<ShownMessage> {
		let seen: ShownMessage[] = [];
		return await waitFor(
			async () => {
				seen = await this.control.messages(chatId);
				return seen.find((message) => message.author_id === this.bot.user_id && wanted(message));
			},
			{
				timeout: 30_000,
				what: () => `the bot's answer among ${JSON.stringify(seen.map(({ body }) => body.text))}`,
			},
		);
	}

	/** Deletes everything that this stage made. The platform is stopped even if n8n reports an error. */
	async close() {
		try {
			for (const workflow of this.workflows) await this.n8n.deleteWorkflow(workflow);
			await this.n8n.deleteCredential(this.credential);
		} finally {
			await this.n8n.close();
			await this.platform.stop();
		}
	}
}
