import type { Refused } from './types';

/** How the chat of a refused request was used. */
export interface ChatUse {
	/** Requests into it that the service may still count, the refused one among them. */
	inUse: number;
	/** Its pace, in requests per second. */
	rate: number;
	/** Whether it has refused before and its pace is lowered since. */
	isLowered: boolean;
	/** Whether the limit of the whole token is as likely the reason. */
	isTokenSuspect: boolean;
}

/**
 * Whether a refusal is about the limit of its chat and not about that of the whole token. The service's words decide
 * where they tell. Otherwise a chat that had just got another message is held responsible, unless there is reason to
 * suspect the whole token.
 */
export function isAboutChat(refused: Refused, use: ChatUse): boolean {
	const { inUse, rate, isLowered, isTokenSuspect } = use;
	if (refused.aboutChat) return true;
	if (inUse < 2 && !isLowered) return false;
	return refused.limit === undefined ? !isTokenSuspect : refused.limit <= 2 * rate;
}
