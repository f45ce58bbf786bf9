import { readTrust, trusting, type Trust } from '../../../nodes/BotMessaging/service/trust';
import { createAuthority } from '../../support/tls';

const { ca } = createAuthority();

const trustOf = (text: string): Trust => {
	const trust = readTrust(text);
	if (!trust || 'flaw' in trust) throw new Error('no trust');
	return trust;
};

/** A host that only these authorities vouch for; `tries` are the authorities it was tried with. */
function hostOf(authorities: 'usual' | 'given' | 'nobody') {
	const host = { authorities, tries: [] as string[] };
	const send = async ({ agentOptions }: { agentOptions?: object }): Promise<string> => {
		const given = agentOptions ? 'given' : 'usual';
		host.tries.push(given);
		if (given === host.authorities) return await Promise.resolve('welcome');
		throw Object.assign(new Error('x'), { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' });
	};
	return { host, send };
}

let names = 0;
const address = () => `https://host${++names}.example/path`;

test('The usual authorities are tried first, and what a host needs is remembered', async () => {
	const trust = trustOf(ca);
	const url = address();
	const { host, send } = hostOf('given');
	for (let count = 0; count < 3; count++) expect(await trusting(trust, url, send)).toBe('welcome');
	expect(host.tries).toEqual(['usual', 'given', 'given', 'given']);
});

test('A host that goes back to a usual authority is still reached', async () => {
	const trust = trustOf(ca);
	const url = address();
	const { host, send } = hostOf('given');
	await trusting(trust, url, send);
	host.authorities = 'usual';
	expect(await trusting(trust, url, send)).toBe('welcome');
	expect(host.tries).toEqual(['usual', 'given', 'given', 'usual']);
});

test('What a host needs is remembered separately for each host and credential', async () => {
	const url = address();
	const given = hostOf('given');
	await trusting(trustOf(ca), url, given.send);
	const usual = hostOf('usual');
	await trusting(trustOf(ca), address(), usual.send);
	await trusting(trustOf(ca + createAuthority().ca), url, usual.send);
	expect(usual.host.tries).toEqual(['usual', 'usual']);
});

test('A request that cannot be sent again is not, and the next one tries the other authorities', async () => {
	const trust = trustOf(ca);
	const url = address();
	const { host, send } = hostOf('given');
	await expect(trusting(trust, url, send, { once: true })).rejects.toThrow();
	expect(await trusting(trust, url, send, { once: true })).toBe('welcome');
	expect(host.tries).toEqual(['usual', 'given']);
});

test('Nothing is tried twice without certificates in the credential, or after other failures', async () => {
	const { host, send } = hostOf('given');
	await expect(trusting(undefined, address(), send)).rejects.toThrow();
	const broken = async (): Promise<never> => {
		host.tries.push('broken');
		throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
	};
	await expect(trusting(trustOf(ca), address(), broken)).rejects.toThrow();
	expect(host.tries).toEqual(['usual', 'broken']);
});
