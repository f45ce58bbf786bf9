import type { Refused } from './limit';

/** Rates of one bot token (interface: Limits), in requests per second. */
export interface Pace {
	requestsPerSecond: number;
	messagesPerSecondPerChat: number;
}

/** Who wants to send: one execution of a node. */
export interface Party {
	readonly pace: Pace;
	/** How long its requests wait for a service that asked for a pause, in ms. */
	readonly patienceMs: number;
	/** Asked often: whether nothing more is to be sent. */
	stopped(): boolean;
	/** Answers that the service had too many requests; counted by the budget. */
	refusals: number;
}

/** What a request asks for. */
export interface Wish {
	/** The chat whose own limit it counts against. */
	chat?: string;
	/** Whether it repeats a refused request: it then goes before all others of its party. */
	again?: boolean;
	/** How many requests for the same chat wait behind it: of a party's requests the longest row goes first. */
	backlog?: () => number;
	/** `low` goes only while nothing else waits, and most of the bot's pace is unused. */
	priority?: 'low';
	/** Ends the waiting. */
	signal?: AbortSignal;
}

/** The right to send one request now. Once its end is known, one of the methods is called, once. */
export interface Turn {
	/** The service counted the request and answered it, well or badly. */
	accepted(): void;
	/** The service said that these are too many requests. */
	refused(refused: Refused): void;
	/** There was no answer. */
	lost(): void;
}

/** Why there is no turn: the party was stopped, or the service asked for a pause beyond its patience. */
export interface NoTurn {
	denied: 'stopped' | 'impatient';
}
