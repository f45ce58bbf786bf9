/** Finds the system's code, such as `ECONNRESET`, in an error and the errors that caused it. */
export function systemCode(error: unknown): string | undefined {
	for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
		if ('code' in cause && typeof cause.code === 'string') return cause.code;
		cause = cause.cause;
	}
	return undefined;
}
