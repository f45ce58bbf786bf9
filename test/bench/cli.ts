import { measureBroadcast } from './broadcast';
import { measureLoad } from './load';
import { build } from './package';
import { measureReplies } from './replies';
import { save } from './results';
import { isMet, toMarkdown, type Report } from './report';
import { measureTrigger } from './trigger';
import { measureUpload } from './upload';

type Measure = (say: (line: string) => void) => Promise<Report>;

const BENCHES: Record<string, Measure> = {
	broadcast: measureBroadcast,
	replies: measureReplies,
	upload: measureUpload,
	trigger: measureTrigger,
	load: measureLoad,
};

const HELP = `Measures the package against the local platform, each number beside what it is compared with.

  npm run bench -- [${Object.keys(BENCHES).join('|')}] [--json] [--save]

--json prints the numbers as JSON, --save puts them into test/bench/RESULTS.md.
Without a name, everything is measured, which takes about half an hour. A quiet machine gives better numbers.
`;

async function main(): Promise<void> {
	const args = process.argv.slice(2);
	const asJson = args.includes('--json');
	const names = args.filter((arg) => !arg.startsWith('--'));
	const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
	if (args.includes('--help') || unknown.length > 0) {
		process.stdout.write(HELP);
		process.exitCode = unknown.length > 0 ? 2 : 0;
		return;
	}
	await build();
	const reports: Report[] = [];
	for (const [name, measure] of Object.entries(BENCHES)) {
		if (names.length > 0 && !names.includes(name)) continue;
		reports.push(await measure((line) => process.stderr.write(`${line}\n`)));
	}
	if (args.includes('--save')) save(reports);
	if (asJson) {
		const rows = (report: Report) => report.rows.map((row) => ({ ...row, met: isMet(row) }));
		const json = reports.map((report) => ({ ...report, rows: rows(report) }));
		process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
	} else process.stdout.write(reports.map(toMarkdown).join('\n'));
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exit(1);
});
