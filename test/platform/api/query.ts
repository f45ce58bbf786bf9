import { asId } from '../world/ids';
import type { Id } from '../world/types';
import { badRequest, missing } from './errors';

interface Range {
	min: number;
	max: number;
}

/** The query of a request. Reading a parameter checks it; an absent one reads as undefined. */
export class Query {
	private readonly params: URLSearchParams;

	constructor(search: string) {
		this.params = new URLSearchParams(search);
	}

	/**
	 * The query with only these parameters.
	 * @throws ApiError 400, if `strict`, for others and for one without a value or with several
	 */
	only(names: readonly string[], strict: boolean): Query {
		const query = new Query(this.params.toString());
		for (const name of new Set(this.params.keys())) {
			const [value, another] = this.params.getAll(name);
			if (names.includes(name)) {
				if (!strict || (value !== '' && another === undefined)) continue;
				throw badRequest(`Field '${name}' must have one value`);
			}
			if (strict) throw badRequest(`Unknown parameter: ${name}`);
			query.params.delete(name);
		}
		return query;
	}

	has(name: string): boolean {
		return this.params.has(name);
	}

	/** A string; an empty one counts as absent. */
	text(name: string): string | undefined {
		return this.params.get(name) || undefined;
	}

	/** An int64. */
	id(name: string): Id | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const id = asId(text);
		if (id === undefined) throw badRequest(`Field '${name}' value (${text}) must be an integer`);
		return id;
	}

	/** An integer within a range. */
	integer(name: string, { min, max }: Range): number | undefined {
		const id = this.id(name);
		if (id === undefined) return undefined;
		if (id < BigInt(min)) {
			throw badRequest(`Field '${name}' value (${id}) must be at least ${min}`);
		}
		if (id > BigInt(max)) throw badRequest(`Field '${name}' value (${id}) must be at most ${max}`);
		return Number(id);
	}

	/** A boolean, written `true` or `false`. */
	flag(name: string): boolean | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		if (text !== 'true' && text !== 'false') {
			throw badRequest(`Field '${name}' value (${text}) must be true or false`);
		}
		return text === 'true';
	}

	/** A list of strings: separated by commas, or given by repeating the parameter. */
	list(name: string): string[] | undefined {
		const values = this.params.getAll(name).flatMap((value) => value.split(','));
		const given = values.map((value) => value.trim()).filter((value) => value !== '');
		return given.length === 0 ? undefined : given;
	}

	/** A list of int64. */
	ids(name: string): Id[] | undefined {
		return this.list(name)?.map((text) => {
			const id = asId(text);
			if (id === undefined) throw badRequest(`Field '${name}' value (${text}) must be an integer`);
			return id;
		});
	}

	/** A value that a reader returned, or the error for a missing parameter. */
	required<T>(name: string, value: T | undefined): T {
		if (value === undefined) throw missing(name);
		return value;
	}
}
