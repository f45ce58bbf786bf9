import { isExpression, NodeOperationError, type INode } from 'n8n-workflow';
import { adviceOn, AS_TEXT, NO_ID, NO_NUMBER, NOT_CALCULATED, nothingGiven } from './advice';
import { choiceOf, choicesIn, misfit, OPTIONS } from './fields';
import type { Choices, Labels, Menu, NumberField } from './fields';
import { parseBigIntegers, toJson, type ExactJson } from '../service/json';
import { asObject, at, isObject, listAt } from '../service/read';
import { asFlag, asId, asNumber, asText, entriesOf, excerpt, isNoNumber, unwrap } from './values';

/** The place of a partial form within the whole form. */
interface Place {
	/** Path of its fields, with a trailing dot. */
	path: string;
	/** The same in words, innermost last: `row 1, button 2`. */
	words: string;
	/** Its fields as stored, expressions included; fields read from JSON have none. */
	stored?: unknown;
}

/** The filled-in form of one item. A value that does not fit its field is refused by an error that names its label. */
export class Form {
	private readonly values = new Map<string, unknown>();

	constructor(
		private readonly node: INode,
		private readonly labels: Labels,
		private readonly read: (name: string) => unknown,
		private readonly place: Place = { path: '', words: '', stored: node.parameters },
	) {}

	/** The value as given; `undefined` if the field is empty or not shown. */
	value(name: string): unknown {
		if (!this.values.has(name)) this.values.set(name, unwrap(this.read(name)) ?? undefined);
		return this.values.get(name);
	}

	/** Takes another value for a field than it has. */
	replace(name: string, value: unknown): void {
		this.values.set(name, value);
	}

	/** Whether the field has a value; `false`, `0` and the empty string count as values. */
	has(name: string): boolean {
		return this.value(name) !== undefined;
	}

	/** The value of a field, with the empty string as `undefined`. */
	filled(name: string): unknown {
		const value = this.value(name);
		return value === '' ? undefined : value;
	}

	/** A text; numbers and dates from expressions become strings, a missing value is `''`. */
	text(name: string): string {
		const value = this.value(name) ?? '';
		if (isNoNumber(value)) this.refuse(name, `is not a text: ${value}`, NOT_CALCULATED);
		return asText(value) ?? this.refuse(name, 'is an object or a list, not a text', AS_TEXT);
	}

	/** A text that must not be blank, such as a message ID. */
	requiredText(name: string): string {
		return this.text(name).trim() || this.refuseEmpty(name);
	}

	/** A number; `undefined` if not given. One outside the bounds of its field is refused, with this advice. */
	number(field: NumberField, advice?: string): number | undefined {
		const { name } = field;
		const value = this.filled(name);
		if (value === undefined) return undefined;
		const number = asNumber(value);
		if (number === undefined) {
			const what = isNoNumber(value) ? NOT_CALCULATED : adviceOn(value, NO_NUMBER);
			return this.refuse(name, `is not a number: ${excerpt(value)}`, what);
		}
		const problem = misfit(number, field);
		return problem === undefined ? number : this.refuse(name, problem, advice);
	}

	/** A switch; `undefined` if not given. */
	flag(name: string): boolean | undefined {
		const value = this.filled(name);
		if (value === undefined) return undefined;
		return asFlag(value) ?? this.refuse(name, 'is neither on nor off', 'Give true or false.');
	}

	/** An int64 identifier, exact to the last digit (interface: Conventions), or refused with these words. */
	id(name: string, problem?: string, advice?: string): bigint {
		return this.parseId(name, this.filled(name) ?? this.refuseEmpty(name), problem, advice);
	}

	/** Identifiers, given as a text with commas or line breaks, as a list (also in JSON), or as a single number. */
	ids(name: string): bigint[] {
		const problem = 'has an entry that is not an ID';
		return entriesOf(this.value(name)).map((entry) => this.parseId(name, entry, problem));
	}

	/** Texts, given in the same ways; `separators` are those of a text, unless they are commas and line breaks. */
	texts(name: string, separators?: RegExp): string[] {
		const problem = 'has an entry that is not a text';
		return entriesOf(this.value(name), separators).map(
			(entry) => asText(entry)?.trim() ?? this.refuse(name, `${problem}: ${excerpt(entry)}`),
		);
	}

	/** The choice of a menu, or its default if the form lacks it, as options and rows do. Anything else is refused. */
	choice<T extends string>({ name, default: preset, options }: Menu<T>): T {
		if (!this.has(name) && !this.gaveNothing(name)) return preset;
		const given = this.text(name);
		if (given === '') return this.refuseEmpty(name, choicesIn(options));
		return (
			choiceOf(options, given) ??
			this.refuse(name, `is not one of its choices: ${excerpt(given)}`, choicesIn(options))
		);
	}

	/** The choices of a menu, empty for none. Anything else is refused. */
	choices({ name, options }: Choices): string[] {
		const problem = 'has an entry that is not one of its choices';
		return this.texts(name).map(
			(given) =>
				choiceOf(options, given) ??
				this.refuse(name, `${problem}: ${excerpt(given)}`, choicesIn(options)),
		);
	}

	/** The collection of optional fields. */
	get options(): Form {
		return this.part(OPTIONS);
	}

	/** A part of the form with fields of its own, such as Options; errors tell where they are if `words` do. */
	part(name: string, words = ''): Form {
		const path = `${this.place.path}${name}.`;
		return this.over(asObject(this.value(name)), { path, words, stored: this.stored(name) });
	}

	/** The rows of a repeatable part: `group` of the fixed collection `name`, or the list that an expression gives in its place. */
	rows(name: string, group: string): Form[] {
		const path = `${this.place.path}${name}.${group}`;
		const label = (this.labels.get(path) ?? group).toLowerCase();
		const stored = listAt(this.stored(name), group);
		const all = this.value(name) ?? {};
		return this.objects(name, at(all, group) ?? (isObject(all) ? [] : all)).map((row, index) =>
			this.over(row, { path: `${path}.`, words: `${label} ${index + 1}`, stored: stored[index] }),
		);
	}

	/** A JSON value, given as text or, by an expression, as the value itself. */
	json(name: string): ExactJson {
		const value = this.value(name);
		if (value === '') return this.refuseEmpty(name);
		try {
			return toJson(typeof value === 'string' ? parseBigIntegers(value) : value);
		} catch {
			const advice = adviceOn(value, 'Check quotes, commas and brackets.');
			return this.refuse(name, 'is not valid JSON', advice);
		}
	}

	/** The objects of a list given as JSON, each as a form. */
	jsonRows(name: string): Form[] {
		if (!this.has(name)) this.refuseEmpty(name);
		return this.objects(name, this.json(name)).map((row, index) =>
			this.over(row, { path: '', words: `entry ${index + 1}` }),
		);
	}

	/** The list that a field gave; anything but a list of objects is refused. */
	private objects(name: string, list: unknown): Array<Record<string, unknown>> {
		if (Array.isArray(list) && list.every(isObject)) return list;
		return this.refuse(name, 'is not a list of objects', 'Write it like this: [ { … }, { … } ].');
	}

	/** Whether the field holds an expression that gave nothing for this item: no value, an empty text or list. */
	gaveNothing(name: string): boolean {
		const value = this.value(name) ?? '';
		return isExpression(this.stored(name)) && !isObject(value) && String(value).trim() === '';
	}

	/** Refuses fields whose expressions gave nothing, where leaving them out would mean something else. */
	refuseGivenNothing(...names: string[]): void {
		for (const name of names) if (this.gaveNothing(name)) this.refuseEmpty(name);
	}

	/** Refuses a field: throws an error that begins with the field's label and where it is. */
	refuse(name: string, problem: string, advice = 'Correct the value of this field.'): never {
		const { path, words } = this.place;
		const label = this.labels.get(path + name) ?? this.labels.get(name) ?? name;
		const where = words ? `${label} of ${words}` : label;
		throw new NodeOperationError(this.node, `${where} ${problem}`, { description: advice });
	}

	/** Refuses a field that needs a value; distinguishes an empty field from an expression that gave nothing. */
	refuseEmpty(name: string, advice = 'Fill it in, by hand or by an expression.'): never {
		if (!this.gaveNothing(name)) this.refuse(name, 'is empty', advice);
		return this.refuse(name, ...nothingGiven(this.node));
	}

	/** A part of this form as a form of its own, with this form's words before its own. */
	private over(record: Record<string, unknown>, place: Place): Form {
		const words = [this.place.words, place.words].filter(Boolean).join(', ');
		return new Form(this.node, this.labels, (name) => record[name], { ...place, words });
	}

	private stored(name: string): unknown {
		return unwrap(at(this.place.stored, name));
	}

	private parseId(name: string, value: unknown, problem = 'is not an ID', advice = NO_ID): bigint {
		if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
			this.refuse(
				name,
				`was given as a number that cannot hold its digits: ${value}`,
				'Pass the ID as text, for example in quotes, so that no digit is lost.',
			);
		}
		return (
			asId(value) ?? this.refuse(name, `${problem}: ${excerpt(value)}`, adviceOn(value, advice))
		);
	}
}
