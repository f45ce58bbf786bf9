import { reasonOf, systemCode, type Failure } from '../failure';

/** What system error codes mean, and the next step. */
interface SystemFailure {
	code: RegExp;
	/** Completes `No answer from the service: …`. */
	words: string;
	/** Absent where it is unclear whether the service did what was asked. */
	advice?: string;
}

const CHECK_BASE_URL = "Check 'Base URL' in the credential.";

const CHECK_ADDRESS = "Check 'Base URL' in the credential, and the network of n8n.";

const UNKNOWN_AUTHORITY =
	/^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/;

const WRONG_TIME =
	'Check the clock of the machine that n8n runs on; if it is right, the platform has to renew the certificate.';

/** Of TLS (OpenSSL), HTTP (Node's parser) and compression (zlib) there are many codes, told by how they begin. */
const SYSTEM: readonly SystemFailure[] = [
	{
		code: /^ECONNREFUSED$/,
		words: 'nothing listens at its address',
		advice:
			"Nothing was sent. Check 'Base URL' in the credential, or try again when the service is up.",
	},
	{ code: /^ENOTFOUND$/, words: 'there is no host of this name', advice: CHECK_BASE_URL },
	{
		code: /^EAI_AGAIN$/,
		words: 'the name of its host could not be looked up',
		advice: CHECK_ADDRESS,
	},
	{
		code: /^ERR_PROXY_CLOSED$/,
		words: 'the proxy on the way closed the connection',
		advice: 'Nothing was sent. Check HTTPS_PROXY of n8n, or try again when that proxy is up.',
	},
	{ code: /^(EHOSTUNREACH|ENETUNREACH)$/, words: 'there is no route to this host' },
	{ code: /^(ECONNRESET|EPIPE|ERR_BAD_RESPONSE)$/, words: 'the connection broke' },
	{ code: /^(ETIMEDOUT|ECONNABORTED)$/, words: 'it took too long' },
	{
		code: UNKNOWN_AUTHORITY,
		words: 'its certificate was issued by an authority that is not trusted here',
		advice:
			"Open the credential and paste the root certificate of that authority (PEM) into 'Trusted Certificates', or start n8n with NODE_EXTRA_CA_CERTS pointing at it. Before n8n 2.20, only the latter helps.",
	},
	{ code: /^CERT_HAS_EXPIRED$/, words: 'its certificate has expired', advice: WRONG_TIME },
	{ code: /^CERT_NOT_YET_VALID$/, words: 'its certificate is not valid yet', advice: WRONG_TIME },
	{
		code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
		words: 'its certificate belongs to another host',
		advice: CHECK_BASE_URL,
	},
	{ code: /^EPROTO$/, words: 'it refuses https on this port', advice: CHECK_BASE_URL },
	// Unlike EPROTO, this also comes after the request.
	{ code: /^ERR_SSL_/, words: 'the secure connection broke' },
	{ code: /^(HPE_|Z_|ZSTD_)|ERROR_FORMAT_/, words: 'its answer cannot be read' },
];

const failureBy = (given = ''): SystemFailure | undefined =>
	SYSTEM.find(({ code }) => code.test(given));

/** Whether a certificate was refused only because its authority is unknown. */
export const isUnknownAuthority = (code = ''): boolean => UNKNOWN_AUTHORITY.test(code);

/** Why there is no answer: what the system's code means, or else the bare code, or else `reason`. */
export function systemWords(code: string | undefined, reason: string): string {
	const known = failureBy(code);
	return known ? `${known.words} (${code})` : (code ?? reason);
}

/** Why something broke off: what the code of an error means, or else the error's own words. */
export function brokenWords(error: unknown): string {
	const code = systemCode(error);
	return failureBy(code) ? systemWords(code, '') : reasonOf(error);
}

/** The next step after a failure about which nothing more is known. */
export const UNKNOWN =
	'The service may or may not have done what was asked: check before sending again.';

/** The same for a request that can be made again without doing anything twice. */
const UNKNOWN_HARMLESS = `Try again. ${CHECK_ADDRESS}`;

/** What n8n or this package says when it does not send, and what to do about it. */
export const NOT_SENT: ReadonlyArray<{ text: RegExp; advice: string }> = [
	{
		text: /was stopped/,
		advice: 'Nothing was sent after that. Run the workflow again for what is left.',
	},
	{
		text: /domain not allowed|not allowed to access/i,
		advice:
			"Open the credential and add the name of this host, without scheme and port, to 'Allowed Domains'.",
	},
	{
		text: /restricted IP address|hostname is restricted/i,
		advice:
			"n8n's protection of its own network (N8N_SSRF_PROTECTION_ENABLED) blocks this host, so nothing was sent. If n8n may reach it, add it to N8N_SSRF_ALLOWED_HOSTNAMES, an IP address with /32 to N8N_SSRF_ALLOWED_IP_RANGES.",
	},
];

/** The advice where there is no answer. */
export function systemAdvice({ code, syscall, message, isHarmless = false }: Failure): string {
	const known = failureBy(code)?.advice;
	if (!known && syscall === 'connect')
		return `There was no connection, so nothing was sent. ${CHECK_ADDRESS}`;
	const notSent = NOT_SENT.find(({ text }) => text.test(message))?.advice;
	return known ?? notSent ?? (isHarmless ? UNKNOWN_HARMLESS : UNKNOWN);
}
