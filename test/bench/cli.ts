import { parseArgs } from 'node:util';
import { measureBroadcast } from './broadcast';
import { measureLoad } from './load';
import { build } from './package';
import { measureProcesses, PROCESSES } from './processes';
import { measureReplies } from './replies';
import { save } from './results';
import { isMet, toLine, toMarkdown, type Measure, type Report, type Row } from './report';
import { measureTrigger } from './trigger';
import { measureUpload } from './upload';

/** By name, the measurements with the titles of their reports. */
const BENCHES: Record<string, Record<string, Measure>> = {
	broadcast: { Broadcast: measureBroadcast, 'Broadcasts of several processes': measureProcesses },
	replies: { Replies: measureReplies },
	upload: { Upload: measureUpload },
	trigger: { Trigger: measureTrigger },
	load: { Load: measureLoad },
};

const HELP = `Measures the package against the local platform, each number beside what it is compared with.

  npm run bench -- [${Object.keys(BENCHES).join('|')}] [--processes n] [--json] [--save]

--processes measures only how so many processes share the limit of one bot; without it, broadcast does that with ${PROCESSES}.
--json prints the numbers as JSON, --save puts them into test/bench/RESULTS.md.
Without a name, everything is measured, which takes about half an hour. A quiet machine gives better numbers.
`;

const OPTIONS = {
	processes: { type: 'string' },
	json: { type: 'boolean' },
	save: { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

/** The parsed arguments; undefined if they are not understood. */
function readArguments() {
	try {
		const { values, positionals: names } = parseArgs({ options: OPTIONS, allowPositionals: true });
		const processes = values.processes === undefined ? undefined : Number(values.processes);
		const isCount = processes === undefined || (Number.isInteger(processes) && processes > 0);
		const isKnown = names.every((name) => Object.hasOwn(BENCHES, name));
		return isCount && isKnown ? { ...values, processes, names } : undefined;
	} catch {
		return undefined;
	}
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
	const options = readArguments();
	if (!options || options.help) {
		process.stdout.write(HELP);
		process.exitCode = options ? 0 : 2;
		return;
	}
	const { processes, names } = options;
	await build();
	const reports: Report[] = [];
	for (const [name, measures] of Object.entries(BENCHES)) {
		if (names.length > 0 && !names.includes(name)) continue;
		for (const [title, measure] of Object.entries(measures)) {
			if (processes !== undefined && measure !== measureProcesses) continue;
			const rows: Row[] = [];
			for await (const row of measure({ say, processes })) {
				rows.push(row);
				say(toLine(row));
			}
			reports.push({ title, rows });
		}
	}
	if (options.save) await save(reports);
	if (options.json) {
		const judged = (rows: Row[]) => rows.map((row) => ({ ...row, met: isMet(row) }));
		const json = reports.map(({ title, rows }) => ({ title, rows: judged(rows) }));
		process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
	} else process.stdout.write(reports.map(toMarkdown).join('\n'));
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exit(1);
});
