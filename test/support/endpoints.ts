/**
 * The endpoints of the service as listed in its specification, extracted from the two documents with
 *
 *     grep -oE '^### (GET|POST|PUT|PATCH|DELETE) [^ ]+' interface.md
 *     grep 'referenced but not detailed' interface.md
 *     sed -n '/^## 5/,/^## 6/p' wire.md | grep -oE '(GET|POST|PUT|PATCH|DELETE) /[A-Za-z/{}]*' | sort -u
 *
 * except those that it calls withdrawn or no longer documented (`DELETE /chats/{chatId}`, `GET /chats`,
 * `GET /chats/{link}`, `PATCH /me`). Where wire.md says "DELETE of the same path", added by hand.
 */
export const ENDPOINTS = [
	'DELETE /chats/{chatId}/members',
	'DELETE /chats/{chatId}/members/admins/{userId}',
	'DELETE /chats/{chatId}/members/me',
	'DELETE /chats/{chatId}/pin',
	'DELETE /messages',
	'DELETE /messages/{messageId}/comments',
	'DELETE /subscriptions',
	'GET /chats/{chatId}',
	'GET /chats/{chatId}/members',
	'GET /chats/{chatId}/members/admins',
	'GET /chats/{chatId}/members/me',
	'GET /chats/{chatId}/pin',
	'GET /me',
	'GET /messages',
	'GET /messages/{messageId}',
	'GET /messages/{messageId}/comments',
	'GET /messages/{messageId}/comments/{commentId}',
	'GET /subscriptions',
	'GET /updates',
	'GET /videos/{videoToken}',
	'PATCH /chats/{chatId}',
	'PATCH /me/commands',
	'POST /answers',
	'POST /chats/{chatId}/actions',
	'POST /chats/{chatId}/members',
	'POST /chats/{chatId}/members/admins',
	'POST /messages',
	'POST /messages/{messageId}/comments',
	'POST /subscriptions',
	'POST /uploads',
	'PUT /chats/{chatId}/pin',
	'PUT /messages',
	'PUT /messages/{messageId}/comments',
];

/** Operations of the node (resource and operation) without an endpoint in interface.md: newer services have them. */
export const NEWER_OPERATIONS = [
	'bot get',
	'bot setCommands',
	'chat get',
	'chat leave',
	'pinnedMessage get',
	'message get',
	'message delete',
	'file getVideo',
	'comment create',
	'comment edit',
	'comment get',
	'comment getAll',
	'comment delete',
];

/** The endpoint of a request; `undefined` if the specification has none. */
export function endpointOf(method: string, path: string): string | undefined {
	return ENDPOINTS.find((endpoint) => {
		const pattern = endpoint.replace(/\{\w+\}/g, '[^/]+');
		return new RegExp(`^${pattern}$`).test(`${method} ${path}`);
	});
}
