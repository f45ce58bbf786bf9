/** A map of at most `most` entries: the oldest ones give way to new ones. */
export class BoundedMap<K, V> extends Map<K, V> {
	constructor(private readonly most: number) {
		super();
	}

	override set(key: K, value: V): this {
		super.set(key, value);
		for (const oldest of this.keys()) {
			if (this.size <= this.most) break;
			this.delete(oldest);
		}
		return this;
	}
}
