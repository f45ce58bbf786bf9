import type { INodeParameters } from 'n8n-workflow';
import { fetch, type RequestInit } from 'undici';
import type { ShownButton, ShownMessage } from '../../platform';
import { BROWSER, buttonsOf } from '../../support/question';
import { waitFor } from '../../support/wait';
import type { Stage } from '../support/stage';
import type { WaitingHost, WaitingUse } from '../support/waiting';

export interface Asked {
	host: WaitingHost;
	question: ShownMessage;
	buttons: ShownButton[];
}

/** Parameters of a question that is approved or declined by a button. */
export const APPROVAL = {
	answer_in: 'chat',
	approvalOptions: { values: { approvalType: 'double' } },
};

/** Parameters of a question that is answered by one of three buttons. */
export const SIZES: INodeParameters = { responseType: 'choices', choices: 'Small, Medium, Large' };

/** Parameters of a question that is answered in words. */
export const TEXT: INodeParameters = { responseType: 'freeText' };

/** Parameters of a question that is answered in a form with these fields. */
export const formOf = (...values: INodeParameters[]): INodeParameters => ({
	responseType: 'customForm',
	formFields: { values },
});

/** The newest message of a chat, with its buttons. */
export async function newest(stage: Stage, chatId: number | string) {
	const [question] = await stage.control.messages(chatId, 1);
	if (!question) throw new Error('Nothing was sent');
	return { question, buttons: buttonsOf(question) };
}

/** Runs an execution whose node asks in a chat, until it waits or ends. */
export async function asking(
	stage: Stage,
	chatId: number | string,
	parameters: INodeParameters,
	more: Partial<WaitingUse> = {},
): Promise<WaitingHost> {
	const given = { chat_id: String(chatId), message: 'Really?', ...parameters };
	const host = await stage.asking(given, more);
	await host.run();
	return host;
}

/** The same for a question that is sent: the execution that waits, with the question as it stands in the chat. */
export async function ask(
	stage: Stage,
	chatId: number | string,
	parameters: INodeParameters = {},
	more: Partial<WaitingUse> = {},
): Promise<Asked> {
	const host = await asking(stage, chatId, parameters, more);
	if (host.status !== 'waiting') throw new Error(host.error?.message ?? host.status);
	return { host, ...(await newest(stage, chatId)) };
}

/** Credentials that n8n's database gives, except as often as `failures` says. */
export function atTimes({ credentials }: Stage) {
	const database = { failures: 0 };
	const given = {
		get botMessagingApi() {
			if (database.failures-- > 0) throw new Error('the database system is starting up');
			return credentials.botMessagingApi;
		},
	};
	return { database, credentials: given };
}

/** Opens an address as a browser does, unless told otherwise. */
export async function open(url: string | undefined, init: RequestInit = {}) {
	const answer = await fetch(url ?? '', {
		...init,
		redirect: 'manual',
		headers: { 'user-agent': BROWSER, ...init.headers } as Record<string, string>,
	});
	const csp = answer.headers.get('content-security-policy');
	return { status: answer.status, csp, text: await answer.text() };
}

/** Parameters of a question that waits for 60 ms. */
export const EXPIRING: INodeParameters = {
	options: {
		limitWaitTime: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.001, resumeUnit: 'minutes' },
		},
	},
};

/** Waits until a question of this kind that was asked before has expired. */
export async function expiry(): Promise<void> {
	const over = Date.now() + 60;
	await waitFor(() => Date.now() > over, { what: 'the end of the wait' });
}

/** Submits the form of a page. */
export const submit = async (url: string | undefined, fields: Array<[string, string]>) =>
	await open(url, { method: 'POST', body: new URLSearchParams(fields) });

/** Presses a button of the question. */
export const press = async (
	{ control }: Stage,
	{ question }: Pick<Asked, 'question'>,
	text: string,
) => await control.press(question.body.mid, { text });

/** What the step after the question was given, once it ran. */
export async function passedOn(host: WaitingHost): Promise<Record<string, unknown>> {
	await waitFor(() => host.passed[0], { interval: 5, what: 'the step after the question' });
	return host.passed[0]?.[0]?.json.data as Record<string, unknown>;
}
