import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { INodeParameters } from 'n8n-workflow';
import { listen } from '../support/server';
import type { N8nClient, Workflow } from '../n8n/support/rest';
import { CREDENTIAL, TRIGGER, workflow, type NodeDraft } from '../n8n/support/workflow';
import type { Stand } from './stand';

/** Where events are sent: a path of n8n, and the headers it requires. */
export interface Entrance {
	workflow: Workflow;
	path: string;
	headers: Record<string, string>;
}

/** A trigger to measure, in a workflow of its own. */
export interface Rival {
	name: string;
	prepare(client: N8nClient, stand: Stand): Promise<Entrance>;
	/** A new event as this trigger's service delivers it; no two are the same. */
	event(): string;
}

let written = 0;

const USER = { user_id: 110022334, first_name: 'Vera', is_bot: false, name: 'Vera' };

/** An event of the platform. Each comes from a chat of its own, so that none waits for another. */
function platformEvent(): string {
	const seq = 116981768090823485n + BigInt(written++ * 65536);
	const mid = `mid.0000000008c0d2d1${seq.toString(16).padStart(16, '0')}`;
	const recipient = { chat_id: 146854609 + written, chat_type: 'dialog', user_id: 240000111 };
	const time = 1785000123456 + written;
	return `{"update_type":"message_created","timestamp":${time},"user_locale":"en","message":{"sender":${JSON.stringify(USER)},
		"recipient":${JSON.stringify(recipient)},"timestamp":${time},"body":{"mid":"${mid}","seq":${seq},"text":"Where is my parcel?"}}}`;
}

/** The same as a Telegram message. */
function telegramEvent(): string {
	const from = { id: 110022334, is_bot: false, first_name: 'Vera', language_code: 'en' };
	const chat = { id: 146854609 + ++written, first_name: 'Vera', type: 'private' };
	const message = {
		message_id: written,
		from,
		chat,
		date: 1785000123,
		text: 'Where is my parcel?',
	};
	return JSON.stringify({ update_id: written, message });
}

const activate = async (client: N8nClient, name: string, node: NodeDraft): Promise<Workflow> =>
	await client.activate(await client.createWorkflow(workflow(name, [node])));

/** The trigger of this package, with these options. */
const ours = (name: string, options: INodeParameters): Rival => ({
	name,
	event: platformEvent,
	prepare: async (client, stand) => {
		const bot = await stand.control.createBot({ first_name: name });
		const access = { baseUrl: stand.target.baseUrl, accessToken: bot.token };
		const credential = await client.createCredential(name, CREDENTIAL, access);
		const parameters = { options };
		const node = { name: 'Trigger', type: TRIGGER, credential, parameters };
		const active = await activate(client, name, node);
		const [subscription] = await stand.control.subscriptions(bot.user_id);
		if (!subscription) throw new Error('The trigger has not subscribed');
		return {
			workflow: active,
			path: new URL(subscription.url).pathname,
			headers: { 'x-service-bot-api-secret': subscription.secret ?? '' },
		};
	},
});

/** n8n's Webhook node, open to everybody or with a header that it checks. */
const webhook = (name: string, path: string, header?: { name: string; value: string }): Rival => ({
	name,
	event: platformEvent,
	prepare: async (client) => {
		const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
		const node = { name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 };
		const at = { path: `/webhook/${path}`, headers: {} };
		if (!header) return { ...at, workflow: await activate(client, name, { ...node, parameters }) };
		const credential = await client.createCredential(name, 'httpHeaderAuth', header);
		const guarded = {
			...node,
			credential,
			parameters: { ...parameters, authentication: 'headerAuth' },
		};
		return {
			workflow: await activate(client, name, guarded),
			path: at.path,
			headers: { [header.name]: header.value },
		};
	},
});

/** n8n's Telegram Trigger; its service is a server that answers OK to everything. */
const telegram: Rival = {
	name: 'Telegram Trigger',
	event: telegramEvent,
	prepare: async (client) => {
		let subscribed = { url: '', secret_token: '' };
		const server = createServer((request, response) => {
			void text(request).then((body) => {
				if (request.url?.endsWith('/setWebhook')) subscribed = JSON.parse(body);
				response.setHeader('content-type', 'application/json').end('{"ok":true,"result":true}');
			});
		});
		const port = await listen(server);
		// n8n calls it once more at its end, and it must not keep this process alive.
		server.unref();
		const credential = await client.createCredential('Telegram', 'telegramApi', {
			accessToken: '1:token',
			baseUrl: `http://127.0.0.1:${port}`,
		});
		const node = { name: 'Trigger', type: 'n8n-nodes-base.telegramTrigger', typeVersion: 1.2 };
		const parameters = { updates: ['message'], additionalFields: {} };
		return {
			workflow: await activate(client, 'Telegram', { ...node, credential, parameters }),
			path: new URL(subscribed.url).pathname,
			headers: { 'x-telegram-bot-api-secret-token': subscribed.secret_token },
		};
	},
};

export const OURS = ours('Trigger', {});
/** Without ordering by chat, like the rivals. */
export const UNORDERED = ours('Trigger, all at once', { order: 'at_once' });
export const BATCHED = ours('Trigger, several events per execution', { several_events: true });
export const TELEGRAM = telegram;
export const GUARDED = webhook('Webhook node with header authentication', 'guarded', {
	name: 'x-bench-secret',
	value: 'a-secret-of-the-bench',
});
export const BARE = webhook('Webhook node', 'bare');
