import { CHATS_SAID } from './chats';
import { CONTENT_SAID } from './content';
import { ABSENT } from './status';

/** What the service says, and what to do about it. A row fits when all that it gives fits. */
export interface Said {
	status?: number;
	/** The service's code. */
	code?: string;
	/** Matched against the service's message. */
	text?: RegExp;
	/** The next step, naming fields by their labels. */
	advice: string;
}

/** The words and codes of the service (wire 8, 3 and 5); the first row that fits gives the advice. */
export const SAID: readonly Said[] = [
	{ status: 404, text: /^(path|route|method|endpoint)\b.* not \w+$/i, advice: ABSENT },
	...CHATS_SAID,
	...CONTENT_SAID,
];
