/**
 * Stands for what a hook opens before the tests around, so that they can name it from the beginning. Throws where a
 * property is read too early.
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
