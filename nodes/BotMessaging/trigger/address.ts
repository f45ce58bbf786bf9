import { NodeOperationError, type INode } from 'n8n-workflow';

interface Rule {
	breaks(url: URL): boolean;
	message: string;
}

/** Hosts that only this machine or its network knows, by name or as an address. */
const LOCAL_NAME =
	/^[^.]+$|(^|\.)(localhost|local|localdomain|lan|home|internal|intranet|corp|home\.arpa)$/;
const PRIVATE_IPV4 =
	/^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_IPV6 = /^\[(::1?\]|::ffff:|f[cd]|fe[89ab])/;

const isLocal = ({ hostname }: URL): boolean =>
	hostname.startsWith('[')
		? PRIVATE_IPV6.test(hostname)
		: PRIVATE_IPV4.test(hostname) || LOCAL_NAME.test(hostname.replace(/\.$/, ''));

/** What the service demands of the address it calls (interface: Endpoint requirements). */
const RULES: Rule[] = [
	{
		breaks: isLocal,
		message: 'The webhook address is only known inside this machine or its network',
	},
	{ breaks: ({ protocol }) => protocol !== 'https:', message: 'The webhook address is not https' },
	{ breaks: ({ port }) => port !== '', message: 'The webhook address names a port' },
];

/**
 * Checks the address at which this n8n would be called and returns it as the service wants it: international names
 * in punycode, the port 443 not written.
 *
 * @throws NodeOperationError that says what is wrong with the address and what to set
 */
export function publicAddress(node: INode, address: string | undefined): string {
	const url = URL.canParse(address ?? '') ? new URL(address ?? '') : undefined;
	const broken = url ? RULES.find((rule) => rule.breaks(url)) : undefined;
	if (url && !broken) return url.href;
	throw new NodeOperationError(node, broken?.message ?? 'This n8n has no webhook address', {
		description: `The service delivers events to public https:// addresses on port 443 only; this n8n would be called at ${address ?? 'no address'}. Set WEBHOOK_URL of n8n to its public https:// address without a port, or choose Long Polling in Receive By, which needs no public address.`,
	});
}
