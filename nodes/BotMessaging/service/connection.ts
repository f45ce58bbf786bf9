import { createHash, hkdfSync, timingSafeEqual } from 'crypto';
import {
	NodeOperationError,
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
} from 'n8n-workflow';
import { fromDatabase } from './clock';
import { readTrust, type Trust } from './trust';

/** Name of the credential type that holds `baseUrl` and `accessToken`. */
export const CREDENTIAL = 'botMessagingApi';

/** The contents of the credential, validated. */
export interface Connection {
	/** Base url without a trailing slash. */
	baseUrl: string;
	/** Identifies the bot within this process without revealing its token. */
	botKey: string;
	/** The access token, never shown. Webhook secrets are derived from it. */
	token: string;
	/** The credential's own list of allowed domains, comma separated. */
	allowedDomains?: string;
	trust?: Trust;
	/** The decrypted credential for n8n's request helper, which would otherwise read it again for each request. */
	credential: ICredentialsDecrypted;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether the token may be sent to a url: over https, or to this machine only. */
export const isSafeForToken = ({ protocol, hostname }: URL): boolean =>
	protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

/** What is wrong with a credential, and what to do about it. */
interface CredentialFlaw {
	flaw: string;
	advice: string;
}

const flawed = (flaw: string, advice: string): CredentialFlaw => ({
	flaw,
	advice: `Open the credential and ${advice}`,
});

const BEGIN_WITH_HTTPS = flawed(
	'Base URL does not begin with https://',
	"enter an https:// address as 'Base URL', such as https://api.example.com. Plain http is for a service on this machine only.",
);

/** Validates the fields: returns a connection, or the first thing that is wrong. Sends nothing. */
export function checkCredential(data: ICredentialDataDecryptedObject): Connection | CredentialFlaw {
	const token = textOf(data.accessToken);
	if (!token) return flawed('Access Token is empty', "fill in 'Access Token'.");
	// The HTTP client would silently drop such characters.
	if (/[^!-~]/.test(token)) {
		return flawed(
			'Access Token has a character that tokens cannot have',
			'enter the token again, alone: without "Bearer", spaces, line breaks or invisible characters.',
		);
	}
	const written = textOf(data.baseUrl);
	if (!written) return flawed('Base URL is empty', "fill in 'Base URL'.");
	if (!/^https?:\/\//i.test(written)) return BEGIN_WITH_HTTPS;
	// With a backslash or a user name, the real host is not the one that the address seems to show.
	const url = URL.canParse(written) && !/[\s\\]/.test(written) ? new URL(written) : undefined;
	if (!url || url.username || url.password) {
		return flawed(
			'Base URL is not an address of a service',
			"fill in 'Base URL' with the scheme, the host and perhaps a path, such as https://api.example.com.",
		);
	}
	if (!isSafeForToken(url)) return BEGIN_WITH_HTTPS;
	const restricted = data.allowedHttpRequestDomains === 'domains';
	const allowedDomains = textOf(data.allowedDomains);
	if (restricted && !allowedDomains) {
		return flawed(
			'The credential allows no domain',
			"fill in 'Allowed Domains' with the host of 'Base URL', or allow all domains.",
		);
	}
	const trust = readTrust(textOf(data.trustedAuthorities));
	if (trust && 'flaw' in trust) {
		return flawed(trust.flaw, 'paste the root certificates as they are in the file (PEM).');
	}
	return {
		baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
		botKey: createHash('sha256').update(`${url.origin}\n${token}`).digest('base64'),
		token,
		allowedDomains: restricted ? allowedDomains : undefined,
		trust,
		credential: { id: '', name: CREDENTIAL, type: CREDENTIAL, data },
	};
}

/** The credential of the node. Throws what is wrong with it, or NoAnswer when n8n does not read it. */
export async function readConnection(context: IAllExecuteFunctions): Promise<Connection> {
	const checked = checkCredential(await fromDatabase(context.getCredentials(CREDENTIAL)));
	if (!('flaw' in checked)) return checked;
	throw new NodeOperationError(context.getNode(), checked.flaw, { description: checked.advice });
}

/** Whether a url has the service's own origin, which gets the token anyway. */
export const isOwnHost = ({ baseUrl }: Connection, url: string): boolean =>
	new URL(url).origin === new URL(baseUrl).origin;

/** Whether the user listed a url's host in Allowed Domains, by name or as `*.parent`. */
export function listsHost({ allowedDomains = '' }: Connection, url: string): boolean {
	const host = new URL(url).hostname.replace(/\.$/, '');
	return allowedDomains.split(',').some((entry) => {
		const domain = entry.trim().toLowerCase();
		return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
	});
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time. Comparing digests, all of one length, hides the secrets' lengths too. */
export const equalSecrets = (a: string, b: string): boolean =>
	timingSafeEqual(digest(a), digest(b));

/**
 * A key of 32 bytes that only processes of the bot have, another one for each purpose. It is not simply an HMAC with the
 * token as its key: the service gives that of any text, as the hash of a contact card (wire 3.4).
 */
export const deriveKey = (token: string, purpose: string): Buffer =>
	Buffer.from(hkdfSync('sha256', token, '', purpose, 32));
