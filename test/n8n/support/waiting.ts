import { createHmac } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { Agent, fetch, FormData, type RequestInit } from 'undici';
import type { ShownMessage } from '../../platform';
import { BROWSER } from '../../support/question';
import { standIn } from '../../support/standIn';
import { waitFor } from '../../support/wait';
import type { Workflow } from './rest';
import { shared, SIGNING_SECRET } from './shared';
import { Stage } from './stage';
import { ACTION, TRIGGER, workflow, type WorkflowDraft } from './workflow';

/** What the step after the question received. */
export const dataOf = ({ body }: ShownMessage): Record<string, unknown> =>
	JSON.parse(body.text?.slice('Answer: '.length) ?? '{}');

/** Changes the query of a waiting execution's address, and signs it as n8n would. */
export function signed(address: string, change: (query: URLSearchParams) => void): string {
	const url = new URL(address);
	url.searchParams.delete('signature');
	change(url.searchParams);
	const text = `${url.pathname}${url.search}`;
	const signature = createHmac('sha256', SIGNING_SECRET).update(text).digest('hex');
	url.searchParams.set('signature', signature);
	return url.toString();
}

/** A question in the chat, and the workflow that asked it. */
export interface Asked {
	active: Workflow;
	question: ShownMessage;
}

/** Workflows that ask the person of a stage and wait. */
export class Asking {
	private readonly dispatcher = new Agent({
		connect: { ca: shared().ca, servername: 'localhost' },
	});

	constructor(private readonly stage: Stage) {}

	/** Asks the person who writes, then repeats their answer; with `loop` it then asks again. */
	workflow(
		parameters: INodeParameters,
		{ delivery = 'webhook', loop = false }: { delivery?: string; loop?: boolean } = {},
	): WorkflowDraft {
		const { credential } = this.stage;
		const ask: INodeParameters = {
			operation: 'sendAndWait',
			chat_id: "={{ $('Trigger').first().json.chat_id }}",
			message: "=Really: {{ $('Trigger').first().json.text }}?",
			...parameters,
		};
		const tell: INodeParameters = {
			chat_id: "={{ $('Trigger').first().json.chat_id }}",
			text: '=Answer: {{ JSON.stringify($json.data) }}',
		};
		const events = ['message_created', 'message_callback'];
		return workflow(
			'Ask',
			[
				{ name: 'Trigger', type: TRIGGER, credential, parameters: { events, delivery } },
				{ name: 'Ask', type: ACTION, credential, parameters: ask },
				{ name: 'Tell', type: ACTION, credential, parameters: tell },
			],
			[['Trigger', 'Ask'], ['Ask', 'Tell'], ...(loop ? [['Tell', 'Ask'] as [string, string]] : [])],
		);
	}

	/** Activates a workflow, lets the person write, and waits for the question. */
	async askAtOnce(
		parameters: INodeParameters,
		more: { delivery?: string; loop?: boolean } = {},
	): Promise<Asked> {
		const active = await this.stage.createActive(this.workflow(parameters, more));
		return { active, question: await this.write('dinner') };
	}

	/** The same, and waits until n8n has stored the execution as waiting. */
	async ask(
		parameters: INodeParameters,
		more: { delivery?: string; loop?: boolean } = {},
	): Promise<Asked> {
		const asked = await this.askAtOnce(parameters, more);
		await this.waits(asked.active);
		return asked;
	}

	/** The person writes; returns the question that follows. */
	async write(text: string): Promise<ShownMessage> {
		await this.stage.control.userWrites(this.stage.dialog.chat_id, text);
		return await this.stage.answer(({ body }) => body.text === `Really: ${text}?`);
	}

	/** Waits until the newest execution is stored as waiting. */
	async waits(active: Workflow): Promise<void> {
		await waitFor(async () => (await this.statuses(active))[0] === 'waiting', {
			timeout: 30_000,
			what: 'the execution to wait',
		});
	}

	/** The statuses of a workflow's executions, newest first. */
	async statuses(active: Workflow) {
		return (await this.stage.n8n.executions.list(active)).map(({ status }) => status);
	}

	/** What the step after the question wrote into the chat, newest first. */
	async allTold(): Promise<ShownMessage[]> {
		const messages = await this.stage.control.messages(this.stage.dialog.chat_id);
		return messages.filter(({ body }) => body.text?.startsWith('Answer: ') === true);
	}

	/** Waits until the step after the question has run with an answer. */
	async told(): Promise<ShownMessage> {
		return await this.stage.answer(({ body }) => body.text?.startsWith('Answer: {') === true);
	}

	/** Sends a request for an address with the public name to the local n8n. */
	async request(url: string | undefined, init: RequestInit = {}) {
		const { pathname, search } = new URL(url ?? '');
		const { dispatcher } = this;
		const answer = await fetch(`${shared().url}${pathname}${search}`, {
			dispatcher,
			redirect: 'manual',
			...init,
		});
		return { status: answer.status, text: await answer.text(), headers: answer.headers };
	}

	/** Opens the link of a button, or submits the form on its page, as a browser does. */
	async open(
		url: string | undefined,
		{ agent = BROWSER, form }: { agent?: string; form?: Record<string, string> } = {},
	) {
		const body = new FormData();
		for (const [name, value] of Object.entries(form ?? {})) body.append(name, value);
		return await this.request(url, {
			headers: { 'user-agent': agent },
			...(form && { method: 'POST', body }),
		});
	}

	/** Ends the connections. */
	async close(): Promise<void> {
		await this.dispatcher.close();
	}
}

/** A stage and workflows that ask on it, new for each surrounding test. */
export function useAsking(): Readonly<{ stage: Stage; asking: Asking }> {
	let open: { stage: Stage; asking: Asking } | undefined;
	beforeEach(async () => {
		const stage = await Stage.open();
		open = { stage, asking: new Asking(stage) };
	});
	afterEach(async () => {
		await open?.asking.close();
		await open?.stage.close();
	});
	return standIn('The stage', () => open);
}
