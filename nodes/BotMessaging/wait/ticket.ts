import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import { equalSecrets, deriveKey } from '../service/connection';
import { at, listAt, textAt } from '../service/read';

/** The data in a button of a question: where the execution waits, for which question, and what the button decides. */
export interface Ticket {
	/** Signed address that resumes the execution. n8n's signature covers only the execution and the node. */
	url: string;
	/** ID of the question, so that the button does not answer a later question of the same node. */
	question: string;
	/** Index of the choice; `null` when the person answers by writing. */
	choice: number | null;
	/** Text for people who answer too late, unless it is the default. Kept here, as the question may be gone by then. */
	late?: string;
	/** When the execution stops waiting, Unix ms; absent if never. */
	till?: number;
}

const PREFIX = 'wait:';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a ticket into a payload: people can read these, and could answer for somebody else by the address. */
export function sealTicket(token: string, ticket: Ticket): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, deriveKey(token, 'ticket'), iv);
	const sealed = Buffer.concat([cipher.update(JSON.stringify(ticket), 'utf8'), cipher.final()]);
	return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The sealed ticket in the buttons of a message body, sent or received. */
export function ticketIn(body: unknown): string | undefined {
	const rows = listAt(body, 'attachments').flatMap((one) => listAt(one, 'payload', 'buttons'));
	const payloads = rows.flat().map((button) => textAt(button, 'payload'));
	return payloads.find(isSealed);
}

/** Sealed tickets hold an address and two IDs: a workflow's own payload such as `wait:5` is none. */
const SEALED = new RegExp(`^${PREFIX}[\\w-]{80,}$`);

/** Whether the payload of a button looks like a sealed ticket. */
const isSealed = (payload: string | undefined): payload is string =>
	payload !== undefined && SEALED.test(payload);

/** The sealed ticket of the button that an event tells the press of, if it is one that answers a question. */
export function ticketPressed(update: unknown): string | undefined {
	const payload = textAt(update, 'callback', 'payload');
	return isSealed(payload) ? payload : undefined;
}

/** Decrypts the payload of a button; `undefined` for anything that was not sealed with this bot's token. */
export function openTicket(token: string, payload: string | undefined): Ticket | undefined {
	if (!isSealed(payload)) return undefined;
	const bytes = Buffer.from(payload.slice(PREFIX.length), 'base64url');
	try {
		const iv = bytes.subarray(0, IV_BYTES);
		const decipher = createDecipheriv(CIPHER, deriveKey(token, 'ticket'), iv);
		decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		const sealed = bytes.subarray(IV_BYTES + TAG_BYTES);
		const text = Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
		const ticket: Ticket = JSON.parse(text);
		return ticket;
	} catch {
		return undefined;
	}
}

/** A button press or an answering message, as the trigger reports it to the waiting execution. */
export interface Press {
	question: string;
	/** Index of the choice; `null` for a message, and for the button that explains how to answer. */
	choice: number | null;
	/** When it happened, Unix ms: the ID below may be the same for two presses of one person. */
	time: number;
	/** Empty for a message. */
	callback_id: string;
	user_id: string;
	user_name: string;
	chat_id: string;
	/** The message that asks; empty when it was deleted. */
	message_id: string;
	/** The message that answers; absent for a press. */
	written?: { message_id: string; text: string; attachments: unknown[] };
}

/** A press as it is posted to the resume address. */
export interface SignedPress {
	/** The press as JSON text, exactly as it was signed. */
	press: string;
	signature: string;
}

/** Signs a press, to prove to the waiting execution that it comes from a trigger of the same bot. */
export function signPress(token: string, press: Press): SignedPress {
	const text = JSON.stringify(press);
	return { press: text, signature: signatureOf(token, text) };
}

/** Reads a signed press; `undefined` when the signature is missing or was not made with this bot's token. */
export function readPress(token: string, body: unknown): Press | undefined {
	const press = at(body, 'press');
	const signature = at(body, 'signature');
	if (typeof press !== 'string' || typeof signature !== 'string') return undefined;
	if (!equalSecrets(signature, signatureOf(token, press))) return undefined;
	const read: Press = JSON.parse(press);
	return read;
}

const signatureOf = (token: string, text: string): string =>
	createHmac('sha256', deriveKey(token, 'press')).update(text).digest('base64url');
