import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { toMarkdown, type Report } from './report';

const FILE = join(__dirname, 'RESULTS.md');

const GB = 1024 ** 3;

const INTRODUCTION = `# Results of \`npm run bench\`

Written by \`npm run bench -- --save\`; each part stands as it was measured last. Everything runs on one machine over the
loopback address: the platform in a process of its own, with the latency set in it, and the package, as compiled for
publishing, in n8n's own engine (the trigger: in a real n8n). "The minimum" is what the service's limits demand: the number of
messages divided by the rate.
`;

const machine = (): string =>
	`Measured on ${cpus().length} cores, ${Math.round(totalmem() / GB)} GB of memory, Node ${process.version}.`;

/** Writes reports to RESULTS.md, replacing earlier ones with the same title. */
export async function save(reports: Report[]): Promise<void> {
	const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
	const sections = new Map<string, string>();
	for (const section of old.split(/^(?=### )/m).slice(1)) {
		sections.set(section.slice('### '.length, section.indexOf('\n')), section.trimEnd());
	}
	for (const report of reports) {
		sections.set(report.title, `${toMarkdown(report).trimEnd()}\n\n${machine()}`);
	}
	const text = [INTRODUCTION, ...sections.values()].join('\n\n');
	writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), filepath: FILE }));
}
