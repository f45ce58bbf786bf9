import { parseArgs } from 'node:util';
import { toldToEnd } from '../support/ending';
import type { PlatformOptions } from './options';
import { startPlatform } from './platform';
import { isProfile, type ProfileName, PROFILES } from './profiles';

const HELP = `Plays the bot messaging platform on this machine.

  --profile contract|current|strict   which kind of service is played (default current)
  --port, --upload-port, --control-port N   ports of API, upload origin, control API (default: free ones)
  --latency-ms N         how much later the answers of the API come

Everything else is set while it runs, by its control API: see test/platform/README.md.
`;

const text = { type: 'string' } as const;

const { values } = parseArgs({
	options: {
		profile: text,
		port: text,
		'upload-port': text,
		'control-port': text,
		'latency-ms': text,
		help: { type: 'boolean' },
	},
});

/** A whole number; undefined if not given. */
function number(name: 'port' | 'upload-port' | 'control-port' | 'latency-ms'): number | undefined {
	const value = values[name];
	if (value === undefined) return undefined;
	if (!/^\d+$/.test(value)) throw new Error(`--${name} takes a number, not '${value}'`);
	return Number(value);
}

function profileOption(): ProfileName | undefined {
	const { profile } = values;
	if (profile === undefined || isProfile(profile)) return profile;
	throw new Error(`--profile takes ${Object.keys(PROFILES).join(', ')}, not '${profile}'`);
}

function readOptions(): PlatformOptions {
	return {
		profile: profileOption(),
		port: number('port'),
		uploadPort: number('upload-port'),
		controlPort: number('control-port'),
		latencyMs: number('latency-ms'),
		serialDelivery: true,
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
