import { createHash, X509Certificate } from 'crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { isUnknownAuthority } from './hints/system';
import { systemCode } from './failure';

/** Authorities that a credential trusts besides the usual ones. */
export interface Trust {
	/** Their certificates, PEM. */
	pem: string;
	/** Names them in memory. */
	key: string;
}

type AgentOptions = Pick<IHttpRequestOptions, 'agentOptions'>;

const BLOCK =
	/-----BEGIN (?:TRUSTED )?CERTIFICATE-----([^-]*)-----END (?:TRUSTED )?CERTIFICATE-----/g;

/**
 * Reads one or several certificates (PEM) as they are pasted into a field: line breaks may be lost, doubled or written
 * as `\n`, and other lines may stand between them. `undefined` for an empty field.
 *
 * @returns the reason, a sentence about Trusted Certificates, for what is no certificate
 */
export function readTrust(field: string): Trust | { flaw: string } | undefined {
	const text = field.replace(/\\[nr]/g, '\n').trim();
	if (!text) return undefined;
	if (/PRIVATE KEY/.test(text)) {
		return { flaw: 'Trusted Certificates holds a private key: paste certificates only' };
	}
	const blocks = [...text.matchAll(BLOCK)].map(([, body = '']) => body.replace(/\s+/g, ''));
	if (blocks.length === 0 || blocks.length < text.split('-----BEGIN').length - 1) {
		return {
			flaw: 'Trusted Certificates is not in PEM form: -----BEGIN CERTIFICATE----- … -----END CERTIFICATE-----',
		};
	}
	const certificates = blocks.map(
		(body) =>
			`-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
	);
	const unreadable = certificates.findIndex((certificate) => !isCertificate(certificate));
	if (unreadable >= 0) {
		return { flaw: `Certificate ${unreadable + 1} of Trusted Certificates cannot be read` };
	}
	const pem = certificates.join('');
	return { pem, key: createHash('sha256').update(pem).digest('base64') };
}

function isCertificate(pem: string): boolean {
	try {
		new X509Certificate(pem);
		return true;
	} catch {
		return false;
	}
}

/** Which authorities vouch for a host, as it was learnt; by the trust's key and the host. */
const learnt = new Map<string, 'usual' | 'given'>();

const MOST_HOSTS = 1000;

const keyOf = ({ key }: Trust, url: string): string => `${key} ${new URL(url).host}`;

/** Whether it is known which authorities vouch for the host of an address, or none has to. */
export const knowsHost = (trust: Trust, url: string): boolean =>
	!/^https:/i.test(url) || learnt.has(keyOf(trust, url));

/**
 * Sends a request to one host, no redirects followed: trusting the usual authorities first, and the given ones once
 * the usual do not know the host's. The given replace the usual ones in a request, so it is remembered which a host
 * needs. `once` is for a body that cannot be sent again: then the next request tries the others.
 */
export async function trusting<T>(
	trust: Trust | undefined,
	url: string,
	send: (options: AgentOptions) => Promise<T>,
	{ once = false } = {},
): Promise<T> {
	if (!trust || !URL.canParse(url)) return await send({});
	const key = keyOf(trust, url);
	const first = learnt.get(key) ?? 'usual';
	const second = first === 'usual' ? 'given' : 'usual';
	const sendBy = async (authorities: 'usual' | 'given'): Promise<T> => {
		const result = await send(authorities === 'given' ? { agentOptions: { ca: trust.pem } } : {});
		if (learnt.size >= MOST_HOSTS) learnt.clear();
		learnt.set(key, authorities);
		return result;
	};
	return await sendBy(first).catch(async (error: unknown) => {
		if (!isUnknownAuthority(systemCode(error))) throw error;
		if (!once) return await sendBy(second);
		learnt.set(key, second);
		throw error;
	});
}
