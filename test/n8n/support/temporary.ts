import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Say } from '../../support/command';
import { installN8n, wantedVersion } from './install';
import { N8nInstance, type InstanceOptions } from './instance';
import { N8nClient } from './rest';
import { WEBHOOK_HOST } from './shared';
import { PACKAGE } from './workflow';

/** An n8n in a folder of its own. */
export interface TemporaryN8n {
	instance: N8nInstance;
	/** Stops it and removes its folder. */
	close(): Promise<void>;
}

/** Starts an n8n with the package installed, which gets its webhooks under the public name of the tests. */
export async function startTemporary(
	options: Omit<InstanceOptions, 'installation' | 'folder' | 'webhookUrl'>,
	say: Say = () => {},
): Promise<TemporaryN8n> {
	const installation = await installN8n(wantedVersion(), say);
	const folder = mkdtempSync(join(tmpdir(), 'n8n-bot-messaging-'));
	const webhookUrl = `https://${WEBHOOK_HOST}/`;
	say(`Starting n8n ${installation.version} …`);
	const instance = await N8nInstance.start({ ...options, installation, folder, webhookUrl });
	const close = async () => {
		await instance.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		const client = await N8nClient.open(instance);
		await client.installPackage(PACKAGE);
		await client.close();
		return { instance, close };
	} catch (error) {
		await close();
		throw error;
	}
}
