import type { Bot } from '../world/types';
import type { World } from '../world/world';
import type { Fields } from './fields';
import type { Query } from './query';

/** One request to the API, authenticated and parsed. */
export interface Call {
	world: World;
	bot: Bot;
	/** The variable parts of the path, by name. */
	path: Record<string, string>;
	query: Query;
	/** The JSON body; empty if it is absent or the operation takes none. */
	body: Fields;
	/** Time of arrival in real, monotonic milliseconds. */
	arrival: number;
	/** Returns a signal that aborts when the client disconnects. */
	gone: () => AbortSignal;
}

/** Does the work of an operation; the result is the body of the 200. */
export type Handler = (call: Call) => object | Promise<object>;

/**
 * Operations of the interface by method and path. Variable parts are written `:chatId`, `:userId`, `:messageId`,
 * `:commentId`, `:token`.
 */
export type Routes = Readonly<Record<string, Handler>>;

/** The result of a status operation. */
interface SimpleResult {
	success: boolean;
	message?: string;
}

export const SUCCESS: SimpleResult = { success: true };

/** An unsuccessful result, which is nevertheless a 200. */
export function failure(message: string): SimpleResult {
	return { success: false, message };
}
