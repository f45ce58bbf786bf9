// A real n8n takes its time.
jest.setTimeout(180_000);

/**
 * Three tests at a time share the machine with several n8n and browsers, whose start and whose timeouts are not ours, so a
 * failed test gets a second try. That hides a defect that shows only now and then: the failure is logged, and the end of
 * the run names each test that needed it (`totals.cjs`). All other tests have to pass at once.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
