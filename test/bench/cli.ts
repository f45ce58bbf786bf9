import { parseArgs } from 'node:util';
import { measureBroadcast } from './broadcast';
import { measureLoad } from './load';
import { build } from './package';
import { measureProcesses, PROCESSES } from './processes';
import { measureReplies } from './replies';
import { save } from './results';
import { isMet, toMarkdown, type Report } from './report';
import { measureTrigger } from './trigger';
import { measureUpload } from './upload';

type Measure = (say: (line: string) => void, processes?: number) => Promise<Report>;

const BENCHES: Record<string, Measure[]> = {
	broadcast: [measureBroadcast, measureProcesses],
	replies: [measureReplies],
	upload: [measureUpload],
	trigger: [measureTrigger],
	load: [measureLoad],
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
		for (const measure of measures) {
			if (processes !== undefined && measure !== measureProcesses) continue;
			reports.push(await measure((line) => process.stderr.write(`${line}\n`), processes));
		}
	}
	if (options.save) save(reports);
	if (options.json) {
		const rows = (report: Report) => report.rows.map((row) => ({ ...row, met: isMet(row) }));
		const json = reports.map((report) => ({ ...report, rows: rows(report) }));
		process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
	} else process.stdout.write(reports.map(toMarkdown).join('\n'));
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exit(1);
});
