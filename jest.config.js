/** Every suite is a jest project of its own, so that `npm run test:unit` and the like can run just one. */
const project = (name, extra = {}) => ({
	displayName: name,
	rootDir: __dirname,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test-output', '<rootDir>/test/n8n/host'],
	...extra,
});

/** One real n8n is installed and started before the first test of its project, and stopped after the last. */
const realN8n = {
	globalSetup: '<rootDir>/test/n8n/setup.ts',
	globalTeardown: '<rootDir>/test/n8n/teardown.ts',
	setupFilesAfterEnv: ['<rootDir>/test/n8n/patience.ts'],
};

module.exports = {
	projects: [project('unit'), project('platform'), project('node'), project('n8n', realN8n)],
	testTimeout: 30_000,
	// Tests wait much of the time: three at a time keep two cores busy, and more would mean too many instances of n8n.
	maxWorkers: 3,
	testSequencer: '<rootDir>/test/support/order.cjs',
	reporters: ['default', '<rootDir>/test/support/totals.cjs'],
	// A test that fails halfway may leave a server open; end the run nevertheless.
	forceExit: true,
};
