/** Finds what the system tells, such as the code `ECONNRESET`, in an error and the errors that caused it. */
export function systemCode(error: unknown, key: 'code' | 'syscall' = 'code'): string | undefined {
	let cause = error;
	for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
		const value: unknown = Reflect.get(cause, key);
		if (typeof value === 'string') return value;
		cause = cause.cause;
	}
	return undefined;
}

/** What an unknown error says for itself. */
export const reasonOf = (error: unknown): string =>
	error instanceof Error ? error.message : 'unknown reason';
