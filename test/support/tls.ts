import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

/** A private certificate authority for tests that speak TLS. */
export interface Authority {
	/** The root certificate (PEM), which clients have to trust. */
	ca: string;
	/** Issues a server certificate for these host names or IP addresses: its key and the full chain, both PEM. */
	issue(hosts: string[]): { key: string; cert: string };
}

const DAY_MS = 86_400_000;
/** The longest lifetime of a server certificate that common clients accept. */
const LIFETIME_DAYS = 825;

/** Made by Node itself, in a fraction of a second. */
const createKeys = () => forge.pki.rsa.generateKeyPair(2048);

/** A certificate with subject, unique serial number and validity, but without issuer and signature. */
function draft(publicKey: forge.pki.rsa.PublicKey, commonName: string): forge.pki.Certificate {
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = publicKey;
	// A leading zero byte or a set top bit would make the serial number ambiguous or negative.
	certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
	certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
	certificate.validity.notAfter = new Date(Date.now() + LIFETIME_DAYS * DAY_MS);
	certificate.setSubject([{ name: 'commonName', value: commonName }]);
	return certificate;
}

/** RFC 5280, 4.2.1.6: alternative names have different types for addresses and hosts. */
const alternativeName = (host: string) =>
	isIP(host) ? { type: 7, ip: host } : { type: 2, value: host };

/**
 * Creates a root certificate authority in memory. SHA-256 throughout, valid from yesterday on. `issue` throws a
 * RangeError if no host is given.
 */
export function createAuthority(): Authority {
	const keys = createKeys();
	const root = draft(keys.publicKey, `Test Root ${randomBytes(4).toString('hex')}`);
	root.setIssuer(root.subject.attributes);
	root.setExtensions([
		{ name: 'basicConstraints', critical: true, cA: true },
		{ name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
		{ name: 'subjectKeyIdentifier' },
	]);
	root.sign(keys.privateKey, forge.md.sha256.create());
	const ca = forge.pki.certificateToPem(root);
	// The same for all certificates: making keys takes longer than all else that most tests do.
	const leafKeys = createKeys();

	return {
		ca,
		issue(hosts) {
			const [first] = hosts;
			if (first === undefined) throw new RangeError('A certificate needs at least one host');
			// A common name has at most 64 characters; clients read the alternative names anyway.
			const leaf = draft(leafKeys.publicKey, first.slice(0, 64));
			leaf.setIssuer(root.subject.attributes);
			leaf.setExtensions([
				{ name: 'basicConstraints', critical: true, cA: false },
				{ name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
				{ name: 'extKeyUsage', serverAuth: true },
				{ name: 'subjectAltName', altNames: hosts.map(alternativeName) },
				{ name: 'subjectKeyIdentifier' },
				{
					name: 'authorityKeyIdentifier',
					keyIdentifier: root.generateSubjectKeyIdentifier().getBytes(),
				},
			]);
			leaf.sign(keys.privateKey, forge.md.sha256.create());
			return {
				key: forge.pki.privateKeyToPem(leafKeys.privateKey),
				cert: forge.pki.certificateToPem(leaf) + ca,
			};
		},
	};
}
