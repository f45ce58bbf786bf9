import { isObject, type JsonObject } from '../json';
import { asId } from '../world/ids';
import type { Id } from '../world/types';
import { badRequest, cannotDeserialize, missing } from './errors';

interface Size {
	min?: number;
	max?: number;
	pattern?: RegExp;
}

/**
 * The fields of a JSON object in a request. Reading a field checks its type and size; absent and null read as
 * undefined. A wrong type gets the error of a body that cannot be deserialized.
 */
export class Fields {
	private constructor(
		private readonly object: JsonObject,
		private readonly strict: boolean,
		private readonly nullable: readonly string[] = [],
	) {}

	/** The fields of a value that must be an object. In strict mode unknown names are refused. */
	static of(value: unknown, strict = false): Fields {
		if (!isObject(value)) throw cannotDeserialize();
		return new Fields(value, strict);
	}

	/**
	 * The same fields, which have these names; one with a `?` behind it may be null.
	 * @throws ApiError 400, in strict mode, for other names
	 */
	known(...names: readonly string[]): Fields {
		const plain = names.map((name) => name.replace('?', ''));
		const unknown = Object.keys(this.object).find((name) => !plain.includes(name));
		if (this.strict && unknown !== undefined) throw badRequest(`Unknown field: ${unknown}`);
		const nullable = plain.filter((name) => names.includes(`${name}?`));
		return new Fields(this.object, this.strict, nullable);
	}

	/** Whether a field is present, including null. */
	has(name: string): boolean {
		return this.object[name] !== undefined;
	}

	/** Whether a field is present and null. */
	isNull(name: string): boolean {
		return this.object[name] === null;
	}

	text(name: string, size: Size = {}): string | undefined {
		const value = this.value(name);
		if (value === undefined) return undefined;
		if (typeof value !== 'string') throw cannotDeserialize();
		checkSize(name, value, size);
		return value;
	}

	flag(name: string): boolean | undefined {
		const value = this.value(name);
		if (value !== undefined && typeof value !== 'boolean') throw cannotDeserialize();
		return value;
	}

	number(name: string): number | undefined {
		const value = this.value(name);
		if (value !== undefined && typeof value !== 'number') throw cannotDeserialize();
		return value;
	}

	/** An int64, written as an integer. */
	id(name: string): Id | undefined {
		const value = this.value(name);
		return value === undefined ? undefined : integer(value);
	}

	/** An int64, written as an integer or as a string of digits. */
	looseId(name: string): Id | undefined {
		const value = this.value(name);
		if (value === undefined) return undefined;
		const id = asId(value);
		if (id === undefined) throw badRequest(`Field '${name}' must be an integer`);
		return id;
	}

	list(name: string): unknown[] | undefined {
		const value = this.value(name);
		if (value !== undefined && !Array.isArray(value)) throw cannotDeserialize();
		return value;
	}

	/** A list of objects. */
	objects(name: string): Fields[] | undefined {
		return this.list(name)?.map((value) => Fields.of(value, this.strict));
	}

	/** A list of lists of objects. */
	rows(name: string): Fields[][] | undefined {
		return this.list(name)?.map((row) => {
			if (!Array.isArray(row)) throw cannotDeserialize();
			return row.map((value: unknown) => Fields.of(value, this.strict));
		});
	}

	/** A list of int64, written as integers. */
	ids(name: string): Id[] | undefined {
		return this.list(name)?.map(integer);
	}

	/** A list of strings. */
	texts(name: string): string[] | undefined {
		return this.list(name)?.map((value) => {
			if (typeof value !== 'string') throw cannotDeserialize();
			return value;
		});
	}

	nested(name: string): Fields | undefined {
		const value = this.value(name);
		return value === undefined ? undefined : Fields.of(value, this.strict);
	}

	/** A value that a reader returned, or the error for a missing field. */
	required<T>(name: string, value: T | undefined): T {
		if (value !== undefined) return value;
		throw this.isNull(name) ? badRequest(`Field '${name}' cannot be null`) : missing(name);
	}

	/** A value of any kind. */
	any(name: string): unknown {
		return this.value(name);
	}

	/** The same fields except one. */
	without(name: string): Fields {
		return new Fields({ ...this.object, [name]: undefined }, this.strict, this.nullable);
	}

	/** The values as objects, for objects whose keys are data. */
	values(): Fields[] {
		return Object.values(this.object).map((value) => Fields.of(value, this.strict));
	}

	/** The entries, for objects whose keys are data. */
	entries(): [string, unknown][] {
		return Object.entries(this.object);
	}

	private value(name: string): unknown {
		if (this.strict && this.isNull(name) && !this.nullable.includes(name)) {
			throw badRequest(`Field '${name}' cannot be null`);
		}
		return this.object[name] ?? undefined;
	}
}

/** Refuses a string that is too short, too long or malformed. Sizes are in UTF-16 code units. */
export function checkSize(name: string, text: string, { min = 0, max, pattern }: Size): void {
	if (text.length < min) {
		throw badRequest(`Field '${name}' size (${text.length}) must be at least ${min}`);
	}
	if (max !== undefined && text.length > max) {
		throw badRequest(`Field '${name}' size (${text.length}) must be at most ${max}`);
	}
	if (pattern !== undefined && !pattern.test(text)) {
		throw badRequest(`Field '${name}' does not match required pattern`);
	}
}

function integer(value: unknown): Id {
	const id = typeof value === 'string' ? undefined : asId(value);
	if (id === undefined) throw cannotDeserialize();
	return id;
}
