// A real n8n takes its time.
jest.setTimeout(180_000);
// A busy machine can let a browser or a whole n8n stumble once; a fault of the package is there the second time too.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
