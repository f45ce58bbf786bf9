const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Jest reporter: leaves the totals of a run, over all projects, in test-output/totals.json for `.ci/run`. */
module.exports = class Totals {
	onRunComplete(_contexts, results) {
		const folder = join(__dirname, '..', '..', 'test-output');
		// A file of tests that could not be loaded has no failed test, and is one failure all the same.
		const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'totals.json'),
			JSON.stringify({ passed: results.numPassedTests, failed }),
		);
	}
};
