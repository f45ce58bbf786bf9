// A real n8n takes its time.
jest.setTimeout(180_000);
