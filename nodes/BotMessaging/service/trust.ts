import { createHash, X509Certificate } from 'crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { BoundedMap } from './boundedMap';
import { isUnknownAuthority } from './hints/system';
import { systemCode } from './failure';

/** Certificate authorities that a credential trusts in addition to the usual ones. */
export interface Trust {
	/** Their certificates, PEM. */
	pem: string;
	/** Identifies them in memory: a hash of `pem`. */
	key: string;
}

type AgentOptions = Pick<IHttpRequestOptions, 'agentOptions'>;

const BLOCK =
	/-----BEGIN (?:TRUSTED )?CERTIFICATE-----([^-]*)-----END (?:TRUSTED )?CERTIFICATE-----/g;

/**
 * Reads certificates (PEM) as pasted into a field: line breaks may be lost, doubled or written as `\n`, and other lines
 * may stand in between. `undefined` for an empty field; for an invalid one the `flaw`, a sentence.
 */
export function readTrust(field: string): Trust | { flaw: string } | undefined {
	const text = field.replace(/\\[nr]/g, '\n');
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

/** Which authorities turned out to vouch for a host, by the trust's key and the host. */
const learnt = new BoundedMap<string, 'usual' | 'given'>(1000);

const hostKey = ({ key }: Trust, url: string): string => `${key} ${new URL(url).host}`;

/** Whether it is known which authorities vouch for a url's host, or none is needed because it is not https. */
export const knowsHost = (trust: Trust, url: string): boolean =>
	!/^https:/i.test(url) || learnt.has(hostKey(trust, url));

/**
 * Sends a request to one host (`send` follows no redirects): trusts the usual authorities first, then the given ones if
 * the host's authority is unknown. As the given ones replace the usual ones in a request, the choice is remembered per
 * host. With `once`, for a body that cannot be sent again, only the next request tries the others.
 */
export async function trusting<T>(
	trust: Trust | undefined,
	url: string,
	send: (options: AgentOptions) => Promise<T>,
	{ once = false } = {},
): Promise<T> {
	if (!trust) return await send({});
	const key = hostKey(trust, url);
	const first = learnt.get(key) ?? 'usual';
	const second = first === 'usual' ? 'given' : 'usual';
	const sendBy = async (authorities: 'usual' | 'given'): Promise<T> => {
		const result = await send(authorities === 'given' ? { agentOptions: { ca: trust.pem } } : {});
		learnt.set(key, authorities);
		return result;
	};
	return await sendBy(first).catch(async (error: unknown) => {
		if (!isUnknownAuthority(systemCode(error))) throw error;
		learnt.set(key, second);
		if (once) throw error;
		return await sendBy(second);
	});
}
