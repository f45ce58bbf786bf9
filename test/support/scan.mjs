/**
 * Lints the package the way n8n scans a published one: the packed tarball's compiled files and package.json, and the
 * sources that they come from; inline disables don't count. Stricter in one point: a warning is a finding, too.
 */
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pack, root } from './pack.mjs';

/** Lints in the folder; returns the number of files looked at and prints each finding. */
async function lint(folder, patterns) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
		errorOnUnmatchedPattern: true,
	});
	const results = await eslint.lintFiles(patterns);
	for (const { filePath, messages } of results) {
		for (const { line, column, severity, message, ruleId } of messages) {
			const kind = severity === 2 ? 'error' : 'warning';
			console.log(`${relative(folder, filePath)}:${line}:${column} ${kind} ${message} (${ruleId})`);
		}
	}
	const findings = results.reduce((sum, { messages }) => sum + messages.length, 0);
	return { files: results.length, findings };
}

const unpacked = mkdtempSync(join(tmpdir(), 'n8n-scan-'));
try {
	const tarball = pack();
	const tar = spawnSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	if (tar.status !== 0) throw new Error(`The tarball can't be unpacked: ${tar.stderr}`);

	const legs = [
		['tarball', await lint(unpacked, ['**/*.js', 'package.json'])],
		['sources', await lint(root, SOURCE_FILE_PATTERNS)],
	];
	for (const [name, { files, findings }] of legs) {
		console.log(`Scan of the ${name}: ${files} files, ${findings} findings`);
	}
	if (legs.some(([, { findings }]) => findings > 0)) process.exitCode = 1;
} finally {
	rmSync(unpacked, { recursive: true, force: true });
}
