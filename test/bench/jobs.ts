import type { Cost } from './measure';
import type { Target } from './stand';

/** A message to send. */
export interface Message {
	chatId: string;
	text: string;
}

/** What there is to do, by kind, with what it needs besides the target. */
interface Work {
	/** The action node, in n8n's engine. */
	node: { messages: Message[]; options?: Record<string, number> };
	/** A loop over n8n's request helper, one request after the other, in n8n's engine. */
	loop: { messages: Message[] };
	/** The client undici, one request every so many ms. */
	undici: { messages: Message[]; everyMs: number };
	/** Single replies by the action node: some on their own, then some while a broadcast runs in the same process. */
	replies: { broadcast: Message[]; replies: Message[]; everyMs: number };
	/** The upload operation, with a file of the given size. */
	upload: { bytes: number; method: 'automatic' | 'multipart' };
}

export type Kind = keyof Work;

/** What a worker does in a process of its own. */
export type Job<K extends Kind = Kind> = { [P in K]: { kind: P; target: Target } & Work[P] }[K];

/** The result from a worker. */
export interface JobResult {
	cost: Cost;
	/** Durations that the job collects, in ms. */
	aloneMs?: number[];
	duringMs?: number[];
}

/** The request for a message, as the platform takes it. */
export function requestOf({ baseUrl }: Target, { chatId, text }: Message) {
	return {
		method: 'POST' as const,
		url: `${baseUrl}/messages?chat_id=${chatId}`,
		body: JSON.stringify({ text }),
	};
}
