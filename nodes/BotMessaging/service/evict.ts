/** Removes the oldest keys of a map or set that has more than `most` of them. */
export function evictOldest<K>(collection: Map<K, unknown> | Set<K>, most: number): void {
	for (const oldest of collection.keys()) {
		if (collection.size <= most) break;
		collection.delete(oldest);
	}
}
