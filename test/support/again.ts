// A busy machine can make a server, a browser or a whole n8n stumble once, and that is logged; a fault of the package is
// there the second time too.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
