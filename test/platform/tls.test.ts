import { X509Certificate } from 'node:crypto';
import { createServer, get } from 'node:https';
import { close, listen } from '../support/server';
import { type Authority, createAuthority } from '../support/tls';

/** What an HTTPS client that trusts only `ca` gets from a server with this certificate: the body, or the error code. */
async function visit(certificate: { key: string; cert: string }, ca: string, servername: string) {
	const server = createServer(certificate, (_request, response) => response.end('welcome'));
	const port = await listen(server);
	try {
		return await new Promise<string>((resolve) => {
			get({ host: '127.0.0.1', port, servername, ca, agent: false }, (response) => {
				response.setEncoding('utf8').on('data', resolve);
			}).on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
		});
	} finally {
		await close(server);
	}
}

describe('A test certificate authority', () => {
	let authority: Authority;
	let leaf: { key: string; cert: string };

	beforeAll(() => {
		authority = createAuthority();
		leaf = authority.issue(['bot.example', '127.0.0.1']);
	});

	it('issues certificates that a client trusting its root accepts', async () => {
		expect(await visit(leaf, authority.ca, 'bot.example')).toBe('welcome');
	});

	it('is not trusted by a client that trusts another root', async () => {
		expect(await visit(leaf, createAuthority().ca, 'bot.example')).toMatch(
			/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)/,
		);
	});

	it('does not vouch for a host that is not in the certificate', async () => {
		expect(await visit(leaf, authority.ca, 'other.example')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
	});

	it('names hosts and addresses, in a chain that ends at the root', () => {
		const [first, second] = leaf.cert.split(/(?<=-----END CERTIFICATE-----\r?\n)/);
		const certificate = new X509Certificate(first ?? '');
		expect(certificate.checkHost('bot.example')).toBe('bot.example');
		expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
		expect(certificate.verify(new X509Certificate(authority.ca).publicKey)).toBe(true);
		expect(second).toBe(authority.ca);
	});

	it('is valid since yesterday and for 825 days, with another serial number each time', () => {
		const certificate = new X509Certificate(leaf.cert);
		const days = (text: string) => (Date.parse(text) - Date.now()) / 86_400_000;
		expect(days(certificate.validFrom)).toBeCloseTo(-1, 1);
		expect(days(certificate.validTo)).toBeCloseTo(825, 1);
		const other = new X509Certificate(authority.issue(['bot.example']).cert);
		expect(other.serialNumber).not.toBe(certificate.serialNumber);
	});

	it('refuses to issue a certificate without a host', () => {
		expect(() => authority.issue([])).toThrow(RangeError);
	});
});
