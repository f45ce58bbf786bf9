/**
 * The host that the platform delivers webhooks to; test platforms map it to the local port of n8n. It is no special-use
 * name such as `bot.example`: the service refuses link buttons to those, and buttons link to n8n's own pages.
 */
export const WEBHOOK_HOST = 'bot.example.org';

/** The secret that n8n signs addresses of waiting executions with, so that tests can sign others. */
export const SIGNING_SECRET = 'a secret of the tests';

/** What it takes to run n8n's command line: `<node> <script> …` */
export interface CommandLine {
	node: string;
	script: string;
	cwd: string;
	env: NodeJS.ProcessEnv;
}

/** The n8n that all test files share, and what is needed to start another one. */
export interface SharedN8n {
	url: string;
	port: number;
	/** The authority (PEM) that issued both certificates; n8n trusts it. */
	ca: string;
	/** Certificate of n8n, for the webhook host and localhost. */
	tls: { key: string; cert: string };
	/** Certificate for a platform on localhost. */
	platformTls: { key: string; cert: string };
	tarball: string;
	/** Absent where no n8n runs yet. */
	commandLine?: CommandLine;
}

/** Jest passes its environment, and nothing else, to the processes that run the tests. */
const VARIABLE = 'SHARED_N8N';

export function publishShared(shared: SharedN8n) {
	process.env[VARIABLE] = JSON.stringify(shared);
}

export function shared(): SharedN8n {
	const published = process.env[VARIABLE];
	if (published === undefined) throw new Error('These tests need the set-up of the n8n project');
	return JSON.parse(published);
}
