/**
 * Lints the package the way n8n scans a published one: the compiled files and package.json of the packed tarball, and
 * the sources; inline disables don't count. Stricter in one respect: warnings count as findings.
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

/** Lints a folder; prints each finding and returns the number of files and findings. */
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
