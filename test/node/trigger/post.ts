import { Agent, fetch } from 'undici';
import type { TriggerHost } from '../support/trigger';

/** Certificates are not the matter here: the platform checks them when it delivers. */
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

interface Answer {
	status: number;
	body: string;
}

/** Sends a request to a trigger's address past the platform, as anybody on the internet can. */
export async function post(
	host: TriggerHost,
	body: string | Buffer,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const { pathname } = new URL(host.webhookUrl());
	const answer = await fetch(`https://127.0.0.1:${host.port}${pathname}`, {
		method: 'POST',
		dispatcher,
		headers: { 'content-type': 'application/json', ...headers },
		body,
	});
	return { status: answer.status, body: await answer.text() };
}

/** The header that carries the secret. */
export const carrying = (secret: string): Record<string, string> => ({
	'x-service-bot-api-secret': secret,
});
