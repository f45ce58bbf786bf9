const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const folder = join(__dirname, '..', '..', 'test-output');

/** Where the errors of a failed try were thrown stands in the log. */
const reason = (errors = []) =>
	errors.map((error) => stripVTControlCharacters(error).split('\n    at ')[0]).join('\n');

/**
 * Jest reporter: writes the totals of a run, over all projects, to test-output/totals.json for `.ci/run`, and names at
 * the end the tests that passed at their second try only (`n8n/patience.ts`), and why the first one failed.
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
		this.again.push(
			...passedAgain.map(({ fullName, retryReasons }) => `${fullName}\n${reason(retryReasons)}`),
		);
		this.write(results);
	}

	onRunComplete(_contexts, results) {
		this.write(results);
		for (const test of this.again) console.log(`Passed at the second try: ${test}`);
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
