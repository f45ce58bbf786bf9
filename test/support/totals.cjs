const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '..', '..', 'test-output');

/** Jest reporter: leaves the totals of a run, over all projects, in test-output/totals.json for `.ci/run`. */
module.exports = class Totals {
	onRunStart(results) {
		this.write(results);
	}

	/** After each file, so that a run that is cut short leaves what it got to. */
	onTestResult(_test, _result, results) {
		this.write(results);
	}

	onRunComplete(_contexts, results) {
		this.write(results);
	}

	write({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
		// A file of tests that could not be loaded has no failed test, and is one failure all the same.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'totals.json'), JSON.stringify({ passed: numPassedTests, failed }));
	}
};
