/**
 * A stand-in for an object that a hook creates before the tests, so that they can refer to it from the beginning.
 * Throws if a property is read too early.
 */
export function standIn<T extends object>(what: string, current: () => T | undefined): Readonly<T> {
	return new Proxy<T>(Object.create(null), {
		get: (_, key): unknown => {
			const now = current();
			if (!now) throw new Error(`${what} is not open yet`);
			return Reflect.get(now, key);
		},
	});
}
