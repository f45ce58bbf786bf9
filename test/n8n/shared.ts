/**
 * The host that the platform delivers webhooks to; test platforms map it to the local port of n8n. The service refuses
 * link buttons to names of special use such as `bot.example`, and n8n's own pages are linked at this host.
 */
export const WEBHOOK_HOST = 'bot.example.org';

/** n8n signs the addresses of waiting executions with it, so that tests can sign others. */
export const SIGNING_SECRET = 'a secret of the tests';

/** The n8n that all test files share, and what another one would be made of. */
export interface SharedN8n {
	url: string;
	port: number;
	/** The authority (PEM) behind both certificates; n8n trusts it. */
	ca: string;
	/** Certificate of n8n, for the webhook host and localhost. */
	tls: { key: string; cert: string };
	/** Certificate for a platform on localhost. */
	platformTls: { key: string; cert: string };
	tarball: string;
}

/** Jest hands its environment, and nothing else, on to the processes that run the tests. */
const VARIABLE = 'SHARED_N8N';

export function publishShared(shared: SharedN8n) {
	process.env[VARIABLE] = JSON.stringify(shared);
}

export function shared(): SharedN8n {
	const published = process.env[VARIABLE];
	if (published === undefined) throw new Error('These tests need the set-up of the n8n project');
	return JSON.parse(published);
}
