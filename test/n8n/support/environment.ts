import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './cache';
import { pathWith } from './node24';
import type { N8nInstallation } from './install';
import type { N8nInstance } from './instance';
import { publish } from './package';
import { SIGNING_SECRET } from './shared';

/** Keeps n8n to itself: nothing leaves the machine, nothing welcomes the user. */
const QUIET = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
};

/** n8n often begins a publication only when it looks for one; by default, it does so every 15 seconds. */
const PROMPT = { N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '2000' };

/** n8n sets up an expression engine once there is an expression to evaluate, not for each webhook and execution. */
export const LAZY_ENGINE = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** n8n serves no editor, whose files it would otherwise prepare at each start, a third of the work. */
export const NO_EDITOR = { N8N_DISABLE_UI: 'true' };

/** n8n starts no process for code in workflows: a sixth of the work of a start. */
export const NO_CODE = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'of no runner' };

/** Modules that the tests don't need and that use the network or take time. */
const UNWANTED_MODULES = ['mcp-registry', 'instance-ai', 'chat-hub', 'agents'];

/** Those that this version has: n8n refuses unknown names. */
function unwantedModules({ script }: N8nInstallation): string {
	const folder = join(script, '..', '..', 'dist', 'modules');
	return UNWANTED_MODULES.filter((name) => existsSync(join(folder, name))).join(',');
}

/** The environment of an instance's processes; writes the files that it refers to. */
export function environmentOf(instance: N8nInstance): NodeJS.ProcessEnv {
	const { installation, folder, tls, webhookUrl, ca, tarball } = instance.options;
	const path = pathWith(installation.runtime);
	const file = (name: string, content: string) => {
		const path = join(folder, name);
		writeFileSync(path, content, { mode: 0o600 });
		return path;
	};
	mkdirSync(folder, { recursive: true });
	return {
		...QUIET,
		...PROMPT,
		N8N_HMAC_SIGNATURE_SECRET: SIGNING_SECRET,
		N8N_DISABLED_MODULES: unwantedModules(installation),
		// Take only this from our own environment: a test runner's variables would change how n8n behaves.
		PATH: tarball ? publish(tarball, folder, path) : path,
		HOME: homedir(),
		// Each start of n8n takes a second less of processor time when its compiled code is kept.
		NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'),
		N8N_USER_FOLDER: folder,
		N8N_HOST: 'localhost',
		N8N_PORT: String(instance.port),
		N8N_RUNNERS_BROKER_PORT: String(instance.brokerPort),
		N8N_SECURE_COOKIE: tls ? 'true' : 'false',
		...(tls && {
			N8N_PROTOCOL: 'https',
			N8N_SSL_KEY: file('server.key', tls.key),
			N8N_SSL_CERT: file('server.crt', tls.cert),
		}),
		// Versions before 2.30 know the old name only.
		...(webhookUrl && { N8N_WEBHOOK_URL: webhookUrl, WEBHOOK_URL: webhookUrl }),
		...(ca && { NODE_EXTRA_CA_CERTS: file('trusted.crt', ca) }),
	};
}
