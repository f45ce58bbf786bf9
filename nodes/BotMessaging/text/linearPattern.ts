import { Scanner } from './scanner';

/** A place in the automaton of an expression. */
interface State {
	/** Which character is used up here; without it none is. */
	leaf?: Leaf;
	/** What the place in the text has to be like. */
	holds?: Assertion;
	next: State[];
}

type Leaf = (character: string) => boolean;

/** A condition on the characters before and after a place; there are none at the ends of the text. */
type Assertion = (before: string | undefined, after: string | undefined) => boolean;

/** Puts a part of an expression in front of what comes after it. */
type Part = (after: State) => State;

/** What keeps an expression from being followed in linear time. */
export class UnusablePattern extends Error {}

/** States of an automaton at most: so many steps can a character cost. */
const MOST_STATES = 1000;

const ATOM =
	/\[(?:[^\]\\]|\\.)*\]|\\u\{[^}]*\}|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\x..|\\c.|\\[pP]\{[^}]*\}|\\.|./suy;
const GROUP = /\((?:\?:|\?<[^=!>]*>|(?!\?))/y;
const FOREIGN = /\(\?|\\[1-9k]/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y;

const SIGNS: ReadonlyMap<string | undefined, [least: number, most: number]> = new Map([
	['*', [0, Infinity]],
	['+', [1, Infinity]],
	['?', [0, 1]],
]);

const LINE_BREAK = /^[\n\r\u2028\u2029]$/;

/**
 * A regular expression of JavaScript that takes linear time: a finite automaton, which looks at each character once,
 * whatever expression and text. It takes no lookarounds, backreferences and inline flags, which no automaton can follow.
 */
export class LinearPattern {
	/** States that the last match went through. */
	steps = 0;

	private readonly source: Scanner;

	private states = 0;

	private readonly leaves = new Map<string, Leaf>();

	private readonly assertions: ReadonlyMap<string, Assertion>;

	private readonly end: State;

	private readonly start: State;

	/**
	 * @param flags `i`, `m`, `s` and `u` as in JavaScript
	 * @throws SyntaxError when JavaScript does not take the expression
	 * @throws UnusablePattern when it cannot be followed, or needs too many states
	 */
	constructor(
		source: string,
		private readonly flags: string,
	) {
		new RegExp(source, flags);
		this.source = new Scanner(source);
		const isWord = this.leaf('\\w');
		const isBoundary: Assertion = (before = '', after = '') => isWord(before) !== isWord(after);
		const endsLine: Assertion = flags.includes('m')
			? (side) => side === undefined || LINE_BREAK.test(side)
			: (side) => side === undefined;
		this.assertions = new Map<string, Assertion>([
			['^', (before) => endsLine(before, undefined)],
			['$', (_, after) => endsLine(after, undefined)],
			['\\b', isBoundary],
			['\\B', (before, after) => !isBoundary(before, after)],
		]);
		this.end = this.state([]);
		this.start = this.choices()(this.end);
	}

	/** Whether the expression fits somewhere in the text. */
	test(text: string): boolean {
		const characters = [...text];
		this.steps = 0;
		let reached: State[] = [];
		for (let place = 0; place <= characters.length; place++) {
			const [before, after] = [characters[place - 1], characters[place]];
			const here = statesFrom([...reached, this.start], before, after);
			this.steps += here.size;
			if (here.has(this.end)) return true;
			reached = [...here].flatMap(({ leaf, next }) =>
				after !== undefined && leaf?.(after) ? next : [],
			);
		}
		return false;
	}

	private state(next: State[], rest: Pick<State, 'leaf' | 'holds'> = {}): State {
		if (++this.states > MOST_STATES) throw new UnusablePattern('repeats too much');
		return { ...rest, next };
	}

	private choices(): Part {
		const choices: Part[] = [];
		do choices.push(this.sequence());
		while (this.source.take(/\|/y));
		return (after) => this.state(choices.map((choice) => choice(after)));
	}

	private sequence(): Part {
		const parts: Part[] = [];
		while (!this.source.isAtEnd && !this.source.sees(/[|)]/y)) {
			parts.push(this.repetition(this.single()));
		}
		return (after) => parts.reduceRight((next, part) => part(next), after);
	}

	/** A group, an assertion, or what fits one character. */
	private single(): Part {
		if (this.source.take(GROUP)) {
			const group = this.choices();
			this.source.take(/\)/y);
			return group;
		}
		if (this.source.sees(FOREIGN)) {
			throw new UnusablePattern('uses a lookaround, a backreference or flags in a group');
		}
		const [atom = ''] = this.source.take(ATOM) ?? [];
		const holds = this.assertions.get(atom);
		const what = holds ? { holds } : { leaf: this.leaf(atom) };
		return (after) => this.state([after], what);
	}

	/** A single thing with its quantifier, if it has one. */
	private repetition(part: Part): Part {
		const quantifier = this.source.take(QUANTIFIER);
		if (!quantifier) return part;
		const [, sign, from, comma, to] = quantifier;
		const exactly = Number(from);
		const [least, most] = SIGNS.get(sign) ?? [exactly, comma ? Number(to || Infinity) : exactly];
		return (after) => {
			let first = after;
			if (most === Infinity) {
				first = this.state([]);
				first.next = [part(first), after];
			}
			for (let count = least; count < most && most < Infinity; count++) {
				first = this.state([part(first), after]);
			}
			for (let count = 0; count < least; count++) first = part(first);
			return first;
		};
	}

	/** Compares a character once with each atom, however many states have it. JavaScript knows what fits. */
	private leaf(atom: string): Leaf {
		const known = this.leaves.get(atom);
		if (known) return known;
		const pattern = new RegExp(`^${atom}$`, this.flags.replace('m', ''));
		let compared: string | undefined;
		let fits = false;
		const leaf: Leaf = (character) => {
			if (character !== compared) [compared, fits] = [character, pattern.test(character)];
			return fits;
		};
		this.leaves.set(atom, leaf);
		return leaf;
	}
}

/** The given states and all that are reached from them without using up a character. */
function statesFrom(from: State[], before?: string, after?: string): Set<State> {
	const reached = new Set(from);
	// What is added on the way is looked at, too.
	for (const { leaf, holds, next } of reached) {
		if (!leaf && (holds?.(before, after) ?? true)) next.forEach((state) => reached.add(state));
	}
	return reached;
}
