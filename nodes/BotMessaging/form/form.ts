import { NodeOperationError, type INode, type INodeProperties } from 'n8n-workflow';
import { parseBigIntegers, toJson, type ExactJson } from '../service/json';

/** Labels of fields by their names, for errors that name the field a person sees. */
export type Labels = ReadonlyMap<string, string>;

/** Collects the label of every field of a form, at any depth. */
export function labelsOf(fields: INodeProperties[]): Labels {
	const labels = new Map<string, string>();
	const visit = (entries: NonNullable<INodeProperties['options']>): void => {
		for (const entry of entries) {
			if ('displayName' in entry && !labels.has(entry.name))
				labels.set(entry.name, entry.displayName);
			if ('values' in entry) visit(entry.values);
			else if ('options' in entry && entry.options) visit(entry.options);
		}
	};
	visit(fields);
	return labels;
}

const INT64 = /^-?\d{1,19}$/;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a resource locator holds is its value; everything else is itself. */
const unwrap = (value: unknown): unknown =>
	isRecord(value) && '__rl' in value ? value.value : value;

/**
 * The filled-in form of one item: typed access to its fields. Every value is resolved once, when it is first asked
 * for. A value that does not fit its field is refused with an error that names the field's label.
 */
export class Form {
	private readonly values = new Map<string, unknown>();

	constructor(
		private readonly node: INode,
		private readonly labels: Labels,
		private readonly read: (name: string) => unknown,
	) {}

	/** The value as it was given, `undefined` when the field is not filled in or not shown. */
	value(name: string): unknown {
		if (!this.values.has(name)) this.values.set(name, unwrap(this.read(name)) ?? undefined);
		return this.values.get(name);
	}

	/** Whether the field has a value; `false`, `0` and the empty text are values. */
	has(name: string): boolean {
		return this.value(name) !== undefined;
	}

	/** A text; numbers from expressions are written out, a missing value is `''`. */
	text(name: string): string {
		const value = this.value(name);
		if (value === undefined) return '';
		if (typeof value === 'object') this.refuse(name, 'is not a text');
		return String(value);
	}

	/** A text that must not be empty, such as a message ID. */
	requiredText(name: string): string {
		const text = this.text(name).trim();
		if (!text) this.refuse(name, 'is empty', 'Fill it in, by hand or by an expression.');
		return text;
	}

	/** A number, `undefined` when not given. */
	number(name: string): number | undefined {
		const value = this.value(name);
		if (value === undefined || value === '') return undefined;
		const number = Number(value);
		if (!Number.isFinite(number)) this.refuse(name, 'is not a number');
		return number;
	}

	/** A switch, `undefined` when not given. */
	flag(name: string): boolean | undefined {
		const value = this.value(name);
		return value === undefined ? undefined : value === true || value === 'true';
	}

	/** An int64 identifier, exact to the last digit (interface: Conventions). */
	id(name: string): bigint {
		const value = this.value(name);
		if (value === undefined || value === '') {
			this.refuse(name, 'is empty', 'Fill it in, by hand or by an expression.');
		}
		return this.parseId(name, value);
	}

	/** Identifiers given as a comma separated text, an array or a single number. */
	ids(name: string): bigint[] {
		return this.entries(name).map((entry) => this.parseId(name, entry));
	}

	/** Texts given as a comma separated text or an array. */
	texts(name: string): string[] {
		return this.entries(name).map((entry) => String(entry).trim());
	}

	/** A part of the form that holds fields of its own: a collection such as Options. */
	part(name: string): Form {
		const value = this.value(name);
		return this.over(isRecord(value) ? value : {});
	}

	/** The entries of a repeatable part: `group` of the fixed collection `name`. */
	rows(name: string, group: string): Form[] {
		const value = this.value(name);
		const rows = isRecord(value) ? value[group] : undefined;
		return Array.isArray(rows) ? rows.filter(isRecord).map((row) => this.over(row)) : [];
	}

	/** A JSON value given as text or, by an expression, as the value itself. */
	json(name: string): ExactJson {
		const value = this.value(name);
		if (typeof value !== 'string') return toJson(value);
		try {
			return toJson(parseBigIntegers(value));
		} catch {
			return this.refuse(name, 'is not valid JSON', 'Check quotes, commas and brackets.');
		}
	}

	/** The objects of a list given as JSON, each as a form with typed access to its fields. */
	jsonRows(name: string): Form[] {
		const list = this.json(name);
		const entries: unknown[] = Array.isArray(list) ? list : [];
		const rows = entries.filter(isRecord);
		if (!Array.isArray(list) || rows.length < entries.length) {
			this.refuse(name, 'is not a list of objects', 'Write [ { … }, { … } ], as in the example.');
		}
		return rows.map((row) => this.over(row));
	}

	/** Refuses a field: throws an error whose message begins with the field's label. */
	refuse(name: string, problem: string, advice = 'Correct the value of this field.'): never {
		const label = this.labels.get(name) ?? name;
		throw new NodeOperationError(this.node, `${label} ${problem}`, { description: advice });
	}

	private over(record: Record<string, unknown>): Form {
		return new Form(this.node, this.labels, (name) => record[name]);
	}

	private entries(name: string): unknown[] {
		const value = this.value(name);
		if (value === undefined) return [];
		const list = Array.isArray(value) ? value : String(value).split(',');
		return list.filter((entry) => String(entry).trim() !== '');
	}

	private parseId(name: string, value: unknown): bigint {
		if (typeof value === 'number' && !Number.isSafeInteger(value)) {
			this.refuse(
				name,
				`was given as a number that cannot hold its digits: ${value}`,
				'Pass the ID as text, for example in quotes, so that no digit is lost.',
			);
		}
		const text = String(value).trim();
		const id = INT64.test(text) ? BigInt(text) : undefined;
		if (id === undefined || id > INT64_MAX || id < INT64_MIN) {
			return this.refuse(
				name,
				`is not an ID: ${text.slice(0, 80)}`,
				'An ID is a whole number such as 110022334 or -71234567890123. Names and links do not work; the events of a chat carry its chat_id and the user_id of people.',
			);
		}
		return id;
	}
}
