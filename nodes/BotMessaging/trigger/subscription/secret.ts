import { createHash, createHmac } from 'crypto';
import { NodeOperationError, type IWebhookFunctions } from 'n8n-workflow';
import { realClock } from '../../service/clock';
import { CREDENTIAL, equalSecrets, deriveKey, readConnection } from '../../service/connection';
import { givenSecret, triggerKey, type TriggerContext } from '../settings/parameters';

type Headers = ReturnType<IWebhookFunctions['getHeaderData']>;

/** The middle part of the header's name is the brand of the service. */
const SECRET_HEADER = /^x-[a-z0-9-]+-bot-api-secret$/;

/** Secrets that the service accepts (interface: POST /subscriptions). */
const ALLOWED = /^[a-zA-Z0-9_-]{5,256}$/;

/** The secret of a trigger's subscription, 64 hex digits: always the same, and only computable with the bot's token. */
export function deriveSecret(token: string, workflowId: string, nodeId: string): string {
	return createHmac('sha256', deriveKey(token, 'webhook secret'))
		.update(`${workflowId}\n${nodeId}`)
		.digest('hex');
}

/** The secret given in the form, or else the derived one. Throws when it is not one that the service takes. */
export async function secretOf(context: TriggerContext, given: string): Promise<string> {
	if (given === '') {
		const { token } = await readConnection(context);
		return deriveSecret(token, context.getWorkflow().id ?? '', context.getNode().id);
	}
	if (ALLOWED.test(given)) return given;
	throw new NodeOperationError(context.getNode(), 'Secret is not one that the service takes', {
		description:
			"Use 5 to 256 letters (A to Z, a to z), digits, underscores and hyphens, or remove 'Secret': then a secret is generated that nobody knows.",
	});
}

/** Identifies a subscription made with this secret, which the service never returns, without revealing the secret. */
export const markOf = (url: string, secret: string): string =>
	createHash('sha256').update(`subscription\n${url}\n${secret}`).digest('hex').slice(0, 32);

const secretHeaders = (headers: Headers): string[] =>
	Object.keys(headers).filter((name) => SECRET_HEADER.test(name));

/** Whether a request carries the secret, compared in constant time. More than one such header is refused. */
export function carriesSecret(headers: Headers, secret: string): boolean {
	const [name = '', another] = secretHeaders(headers);
	const value = headers[name];
	return another === undefined && typeof value === 'string' && equalSecrets(value, secret);
}

/** How long a cached secret is used, and the shortest time between two reads after a mismatch, in ms. */
const FRESH_MS = 60_000;
const REREAD_MS = 5_000;

const cachedSecrets = new Map<string, { secret: string; readAt: number }>();

/** Whether a request carries this trigger's secret, which is cached: forged requests cost no database access. */
export async function isAuthentic(
	context: IWebhookFunctions,
	given = givenSecret(context),
): Promise<boolean> {
	const { id, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, credentials?.[CREDENTIAL]?.id, given]);
	const cached = cachedSecrets.get(key);
	const age = realClock.now() - (cached?.readAt ?? 0);
	const headers = context.getHeaderData();
	if (cached && age < FRESH_MS && carriesSecret(headers, cached.secret)) return true;
	if (cached && age < REREAD_MS) return false;
	const secret = await secretOf(context, given);
	cachedSecrets.set(key, { secret, readAt: realClock.now() });
	if (carriesSecret(headers, secret)) return true;
	if (secretHeaders(headers).length > 0) calledWithOther.add(triggerKey(context));
	return false;
}

/** Shortest time between two renewals of a subscription because of such calls, in ms. */
const RENEWAL_MS = 600_000;

/** Triggers that were called with a wrong secret since their subscription was last renewed. */
const calledWithOther = new Set<string>();

/** Forgets such calls: the subscription of the trigger has its own secret again. */
export const forgetOtherSecret = (trigger: string): void => void calledWithOther.delete(trigger);

/**
 * Whether a subscription has to be renewed after calls with a wrong secret, as someone else may have subscribed its
 * address. `renewedAt`: when it last was for that reason, Unix ms.
 */
export const wasCalledWithOtherSecret = (trigger: string, renewedAt = 0): boolean =>
	calledWithOther.has(trigger) && realClock.now() - renewedAt > RENEWAL_MS;
