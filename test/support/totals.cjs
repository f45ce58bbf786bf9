const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '..', '..', 'test-output');

/**
 * Jest reporter: writes the totals of a run, over all projects, to test-output/totals.json for `.ci/run`, and names at
 * the end the tests that passed at their second try only (`n8n/patience.ts`).
 */
module.exports = class Totals {
	again = [];

	onRunStart(results) {
		this.write(results);
	}

	/** Writes after each file, so that an interrupted run leaves the totals so far. */
	onTestResult(_test, { testResults }, results) {
		const passedAgain = testResults.filter(
			({ status, invocations }) => status === 'passed' && invocations > 1,
		);
		this.again.push(...passedAgain.map(({ fullName }) => fullName));
		this.write(results);
	}

	onRunComplete(_contexts, results) {
		this.write(results);
		for (const name of this.again) console.log(`Passed at the second try: ${name}`);
	}

	write({
		numPassedTests,
		numFailedTests,
		numRuntimeErrorTestSuites,
		numPendingTests,
		numTodoTests,
	}) {
		// A test file that could not be loaded has no failed test, but counts as one failure.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		const skipped = numPendingTests + numTodoTests;
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'totals.json'),
			JSON.stringify({ passed: numPassedTests, failed, skipped }),
		);
	}
};
