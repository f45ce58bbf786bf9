const CHECK_ADDRESS = 'Check Base URL in the credential, and the network of n8n.';

const UNKNOWN_AUTHORITY =
	'The certificate of the service was issued by an authority that n8n does not know. Start n8n with NODE_EXTRA_CA_CERTS pointing at its root certificate, see the README.';

const BROKEN =
	'The connection broke before the service answered. It may or may not have done what was asked: check before sending again.';

/** What to do when there is no answer at all, by the system's code. */
const SYSTEM: Readonly<Record<string, string>> = {
	ECONNREFUSED:
		'Nothing listens at this address, nothing was sent. Check Base URL in the credential, or try again when the service is up.',
	ENOTFOUND: 'No such host. Check Base URL in the credential.',
	EAI_AGAIN: `The name of the host could not be looked up at the moment. ${CHECK_ADDRESS}`,
	EHOSTUNREACH: `There is no way to this host. ${CHECK_ADDRESS}`,
	ENETUNREACH: `There is no way to this host. ${CHECK_ADDRESS}`,
	ECONNRESET: BROKEN,
	EPIPE: BROKEN,
	ERR_NETWORK: BROKEN,
	ETIMEDOUT: BROKEN,
	ECONNABORTED: BROKEN,
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
	SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
	DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
	CERT_HAS_EXPIRED:
		'The certificate of the service has expired. Check the clock of the machine; otherwise the platform has to renew it.',
	ERR_TLS_CERT_ALTNAME_INVALID:
		'The certificate belongs to another host. Check Base URL in the credential.',
	EPROTO: 'The host does not speak https on this port. Check Base URL in the credential.',
};

/** What n8n or this package says without any code. */
const WORDS: ReadonlyArray<{ text: RegExp; advice: string }> = [
	{
		text: /was stopped/,
		advice: 'Nothing was sent after that. Run the workflow again for what is left.',
	},
	{
		text: /domain not allowed|not allowed to access/i,
		advice:
			'The credential does not allow this host. Open the credential and add the host of Base URL to Allowed Domains.',
	},
];

/** The next step after a failure without an answer of the service. */
export function systemAdvice(code: string | undefined, message: string): string {
	const known = code !== undefined && Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined;
	return known ?? WORDS.find(({ text }) => text.test(message))?.advice ?? BROKEN;
}
