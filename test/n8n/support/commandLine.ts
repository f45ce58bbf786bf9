import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../support/command';
import { shared } from './shared';
import type { WorkflowDraft } from './workflow';

/** Imports a workflow as `n8n import:workflow` does. Unlike the editor, it leaves nodes without webhook ID as they are. */
export async function importWorkflow(draft: WorkflowDraft, id: string): Promise<void> {
	const { commandLine } = shared();
	if (!commandLine) throw new Error('There is no n8n to import into');
	const { node, script, cwd, env } = commandLine;
	const file = join(cwd, `${id}.json`);
	writeFileSync(file, JSON.stringify({ ...draft, id, active: false }));
	const what = 'The import of a workflow';
	await run(node, [script, 'import:workflow', `--input=${file}`], { cwd, env, what });
}
