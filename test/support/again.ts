// On a busy machine a server, a browser or a whole n8n may fail once, so failed tests are retried, and the failure is
// logged. A defect of the package fails the second time as well.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
