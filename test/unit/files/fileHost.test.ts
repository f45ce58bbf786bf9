import { brokenConnection } from '../../../nodes/BotMessaging/files/fileHost';

const context = {};

test.each<[string, object, RegExp]>([
	['n8n refuses the host', { message: 'Domain not allowed: a.example' }, /'Allowed Domains'/],
	[
		'n8n protects its own network',
		{ message: 'The request was blocked because it resolves to a restricted IP address' },
		/N8N_SSRF_ALLOWED_HOSTNAMES/,
	],
	['n8n refuses for another reason', { message: 'Blocked' }, /n8n can reach the host of the file/],
	['nothing listens', { code: 'ECONNREFUSED' }, /n8n can reach the host of the file/],
	[
		'its certificate authority is unknown',
		{ code: 'SELF_SIGNED_CERT_IN_CHAIN' },
		/'Trusted Certificates'/,
	],
])('A failed connection to a file host comes with the right advice: %s', (_, error, advice) => {
	expect(brokenConnection(context, Object.assign(new Error('x'), error)).advice).toMatch(advice);
});
