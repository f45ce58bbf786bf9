import type { Limits } from '../options';

/** A refusal of the API: status, code and text as in wire section 8. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

/** 400: something about the request itself is wrong. */
export function badRequest(message: string): ApiError {
	return new ApiError(400, 'proto.payload', message);
}

/** 400: the body's shape is wrong. */
export function cannotDeserialize(): ApiError {
	return badRequest("Can't deserialize body");
}

/** 400: a required parameter is missing. */
export function missing(parameter: string): ApiError {
	return badRequest(`Missing required parameter: ${parameter}`);
}

/** 403: the chat does not allow this to the bot. */
export function chatDenied(message: string): ApiError {
	return new ApiError(403, 'chat.denied', message);
}

/** 403: the bot lacks a right. */
export function accessDenied(message: string): ApiError {
	return new ApiError(403, 'access.denied', message);
}

/** 404: a message, mini-app or other object does not exist or is not visible. */
export function notFound(message: string): ApiError {
	return new ApiError(404, 'not.found', message);
}

/** 404: there is no such chat. */
export function chatNotFound(chatId: bigint | string): ApiError {
	return new ApiError(404, 'chat.not.found', `Chat ${chatId} not found`);
}

/** 429: too fast. */
export function tooManyRequests(limit: number, { unnamed }: Limits): ApiError {
	const named = unnamed ? '' : ` Limit is: ${limit} calls per second.`;
	return new ApiError(429, 'too.many.requests', `Too many requests.${named}`);
}

/** 401: the token is missing, invalid or malformed. */
export function unauthorized(message: string): ApiError {
	return new ApiError(401, 'verify.token', message);
}

/** 405: the path exists, but not with this method. */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
	const headers = { allow: allowed.join(', ') };
	return new ApiError(405, 'method.not.allowed', `Method ${method} is not allowed`, headers);
}
