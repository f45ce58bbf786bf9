import { PROFILES } from '../platform/profiles';

/** The endpoints of the service as listed in its specification, such as `GET /chats/:chatId`. */
export const ENDPOINTS = Object.keys(PROFILES.current.operations);

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
		const pattern = endpoint.replace(/:\w+/g, '[^/]+');
		return new RegExp(`^${pattern}$`).test(`${method} ${path}`);
	});
}
