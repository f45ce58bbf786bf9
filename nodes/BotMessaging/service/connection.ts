import { createHash } from 'crypto';
import {
	NodeOperationError,
	type IAllExecuteFunctions,
	type ICredentialsDecrypted,
} from 'n8n-workflow';
import { CREDENTIAL } from './types';

/** What the credential says, checked. */
export interface Connection {
	/** Base url without a trailing slash. */
	baseUrl: string;
	/** Names the bot in this process without revealing its token. */
	botKey: string;
	/** Key of the webhook secret: the token itself, never shown. */
	token: string;
	/** The credential's own list of allowed domains, comma separated. */
	allowedDomains?: string;
	/** The credential as n8n's request helper takes it, so that it is not read again for each request. */
	credential: ICredentialsDecrypted;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether the token may go to an address: over https, or without leaving this machine. */
export const isSafeForToken = ({ protocol, hostname }: URL): boolean =>
	protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

/**
 * Reads the credential of the node.
 *
 * @throws NodeOperationError when Base URL is not https (http is for loopback hosts only) or Access Token is empty
 */
export async function readConnection(context: IAllExecuteFunctions): Promise<Connection> {
	const data = await context.getCredentials(CREDENTIAL);
	const fail = (message: string, description: string): never => {
		throw new NodeOperationError(context.getNode(), message, { description });
	};
	const token = textOf(data.accessToken);
	if (!token) fail('Access Token is empty', 'Open the credential and fill in Access Token.');
	const url = parseUrl(textOf(data.baseUrl));
	if (!url) {
		return fail(
			'Base URL is not an address',
			'Open the credential and fill in Base URL, for example https://api.example.com.',
		);
	}
	if (!isSafeForToken(url)) {
		fail(
			'Base URL does not begin with https://',
			'Open the credential and enter an https:// address as Base URL. Plain http is for a service on this machine only.',
		);
	}
	const restricted = data.allowedHttpRequestDomains === 'domains';
	const allowedDomains = textOf(data.allowedDomains);
	if (restricted && !allowedDomains) {
		fail(
			'The credential allows no domain',
			'Open the credential and fill in Allowed Domains with the host of Base URL, or allow all domains.',
		);
	}
	return {
		baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
		botKey: createHash('sha256').update(`${url.origin}\n${token}`).digest('base64'),
		token,
		allowedDomains: restricted ? allowedDomains : undefined,
		credential: { id: '', name: CREDENTIAL, type: CREDENTIAL, data },
	};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const parseUrl = (text: string): URL | undefined =>
	URL.canParse(text) ? new URL(text) : undefined;
