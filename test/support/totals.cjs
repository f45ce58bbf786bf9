const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '..', '..', 'test-output');

/** Jest reporter: writes the totals of a run, over all projects, to test-output/totals.json for `.ci/run`. */
module.exports = class Totals {
	onRunStart(results) {
		this.write(results);
	}

	/** Writes after each file, so that an interrupted run leaves the totals so far. */
	onTestResult(_test, _result, results) {
		this.write(results);
	}

	onRunComplete(_contexts, results) {
		this.write(results);
	}

	write({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
		// A test file that could not be loaded has no failed test, but counts as one failure.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'totals.json'), JSON.stringify({ passed: numPassedTests, failed }));
	}
};
