import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import { equalSecrets } from '../service/connection';
import { at, listAt, textAt } from '../service/read';

/** What a button of a question carries: where its execution waits, for which question, and what it decides. */
export interface Ticket {
	/** Signed address that resumes the execution. n8n signs it over execution and node only. */
	url: string;
	/** ID of the question, so that the button does not answer a later one of the same node. */
	question: string;
	/** Index of the choice; `null` when the answer is to be written. */
	choice: number | null;
	/** What people are told who answer too late, unless it is the usual text: the question may be gone by then. */
	late?: string;
}

const PREFIX = 'wait:';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key that follows from the bot's token, so that every process of the bot has it and nobody else. */
const keyOf = (token: string, purpose: string): Buffer =>
	createHmac('sha256', token).update(purpose).digest();

/**
 * Seals a ticket into the payload of a button (at most 1024 characters). People in the chat can read payloads: the
 * resume address must not be among what they read, or they could answer for somebody else.
 */
export function sealTicket(token: string, ticket: Ticket): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(token, 'ticket'), iv);
	const sealed = Buffer.concat([cipher.update(JSON.stringify(ticket), 'utf8'), cipher.final()]);
	return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The sealed ticket among the buttons of a message body, sent or received. */
export function ticketIn(body: unknown): string | undefined {
	const rows = listAt(body, 'attachments').flatMap((one) => listAt(one, 'payload', 'buttons'));
	const buttons = rows.flatMap((row) => (Array.isArray(row) ? row : []));
	return buttons.map((button) => textAt(button, 'payload')).find(isSealed);
}

/** Whether the payload of a button has the form of a sealed ticket. */
export const isSealed = (payload: string | undefined): payload is string =>
	payload?.startsWith(PREFIX) === true;

/** Opens the payload of a button; `undefined` for anything that this bot's token did not seal. */
export function openTicket(token: string, payload: string | undefined): Ticket | undefined {
	if (!isSealed(payload)) return undefined;
	const bytes = Buffer.from(payload.slice(PREFIX.length), 'base64url');
	if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
	try {
		const decipher = createDecipheriv(CIPHER, keyOf(token, 'ticket'), bytes.subarray(0, IV_BYTES));
		decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		const sealed = bytes.subarray(IV_BYTES + TAG_BYTES);
		const text = Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
		const ticket: unknown = JSON.parse(text);
		return isTicket(ticket) ? ticket : undefined;
	} catch {
		return undefined;
	}
}

const isTicket = (value: unknown): value is Ticket =>
	typeof at(value, 'url') === 'string' &&
	typeof at(value, 'question') === 'string' &&
	['number', 'undefined'].includes(typeof at(value, 'choice'));

/** The press of a button, or a message that answers, as the trigger reports it to the execution that waits. */
export interface Press {
	question: string;
	/** Index of the choice; `null` for a message, and for the button that tells how to answer. */
	choice: number | null;
	/** Empty for a message. */
	callback_id: string;
	user_id: string;
	user_name: string;
	chat_id: string;
	/** The message that asks; empty when it was deleted. */
	message_id: string;
	/** The message that answers; `null` for a press. */
	written: { message_id: string; text: string; attachments: unknown[] } | null;
}

/** A press as it is posted to the resume address. */
export interface SignedPress {
	/** The press as JSON text, the very text that was signed. */
	press: string;
	signature: string;
}

/** Signs a press, so that the waiting execution knows it comes from a trigger of the same bot. */
export function signPress(token: string, press: Press): SignedPress {
	const text = JSON.stringify(press);
	return { press: text, signature: signatureOf(token, text) };
}

/** Reads a signed press; `undefined` when the signature is missing or not of this bot's token. */
export function readPress(token: string, body: unknown): Press | undefined {
	const press = at(body, 'press');
	const signature = at(body, 'signature');
	if (typeof press !== 'string' || typeof signature !== 'string') return undefined;
	if (!equalSecrets(signature, signatureOf(token, press))) return undefined;
	const read: Press = JSON.parse(press);
	return read;
}

const signatureOf = (token: string, text: string): string =>
	createHmac('sha256', keyOf(token, 'press')).update(text).digest('base64url');
