import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toldToEnd } from '../support/ending';
import type { Limits, PlatformOptions, Resolve } from './options';
import { startPlatform } from './platform';
import { isProfile, type ProfileName, PROFILES } from './profiles';

const HELP = `Plays the bot messaging platform on this machine.

  --profile contract|current|strict   which kind of service is played (default current)
  --port, --upload-port, --control-port N   ports of API, upload origin, control API (default: free ones)
  --tls-ca FILE          authority (PEM) that webhook certificates are validated against; can be repeated
  --resolve HOST:443:IP:PORT   a webhook's host is served there; can be repeated
  --tls-key FILE --tls-cert FILE   serve API and uploads over https
  --host-name NAME       host in the printed addresses (default 127.0.0.1)
  --requests-per-second N, --messages-per-second-per-chat N
  --latency-ms N, --ready-after-ms N
  --polling-without-marker uncommitted|latest
  --single-subscription
  --concurrent-delivery  webhooks do not wait for the ones before
`;

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const { values } = parseArgs({
	options: {
		profile: text,
		port: text,
		'upload-port': text,
		'control-port': text,
		'tls-ca': list,
		resolve: list,
		'tls-key': text,
		'tls-cert': text,
		'host-name': text,
		'requests-per-second': text,
		'messages-per-second-per-chat': text,
		'latency-ms': text,
		'ready-after-ms': text,
		'polling-without-marker': text,
		'single-subscription': flag,
		'concurrent-delivery': flag,
		help: flag,
	},
});

/** A whole number; undefined if not given. */
function number(name: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	if (!/^\d+$/.test(value)) throw new Error(`--${name} takes a number, not '${value}'`);
	return Number(value);
}

function resolveMap(entries: string[] | undefined): Resolve | undefined {
	return entries && Object.fromEntries(entries.map(resolveEntry));
}

function resolveEntry(entry: string): [string, string] {
	const match = /^(.+:443):(.+:\d+)$/.exec(entry);
	if (match?.[1] === undefined || match[2] === undefined) {
		throw new Error(`--resolve takes HOST:443:IP:PORT, not '${entry}'`);
	}
	return [match[1], match[2]];
}

function limitOptions(): Partial<Limits> {
	return {
		requests_per_second: number('requests-per-second', values['requests-per-second']),
		messages_per_second_per_chat: number(
			'messages-per-second-per-chat',
			values['messages-per-second-per-chat'],
		),
	};
}

function tlsOptions(): PlatformOptions['tls'] {
	const { 'tls-key': key, 'tls-cert': cert } = values;
	if (key === undefined && cert === undefined) return undefined;
	if (key === undefined || cert === undefined) {
		throw new Error('--tls-key and --tls-cert belong together');
	}
	return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

function markerOption(): PlatformOptions['pollingWithoutMarker'] {
	const value = values['polling-without-marker'];
	if (value === undefined || value === 'uncommitted' || value === 'latest') return value;
	throw new Error(`--polling-without-marker takes uncommitted or latest, not '${value}'`);
}

function profileOption(): ProfileName | undefined {
	const { profile } = values;
	if (profile === undefined || isProfile(profile)) return profile;
	throw new Error(`--profile takes ${Object.keys(PROFILES).join(', ')}, not '${profile}'`);
}

function readOptions(): PlatformOptions {
	return {
		profile: profileOption(),
		port: number('port', values.port),
		uploadPort: number('upload-port', values['upload-port']),
		controlPort: number('control-port', values['control-port']),
		trustedCa: values['tls-ca']?.map((file) => readFileSync(file, 'utf8')),
		resolve: resolveMap(values.resolve),
		tls: tlsOptions(),
		hostName: values['host-name'],
		limits: limitOptions(),
		latencyMs: number('latency-ms', values['latency-ms']),
		readyAfterMs: number('ready-after-ms', values['ready-after-ms']),
		pollingWithoutMarker: markerOption(),
		singleSubscription: values['single-subscription'],
		serialDelivery: values['concurrent-delivery'] !== true,
	};
}

async function main(): Promise<void> {
	if (values.help === true) {
		process.stdout.write(HELP);
		return;
	}
	const platform = await startPlatform(readOptions());
	const ready = {
		base_url: platform.baseUrl,
		upload_url: platform.uploadUrl,
		control_url: platform.controlUrl,
		pid: process.pid,
	};
	// Listen before printing: whoever reads the line may end the parent at once.
	const end = toldToEnd();
	process.stdout.write(`${JSON.stringify(ready)}\n`);
	await end;
	await platform.stop();
	process.exit(0);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
});
