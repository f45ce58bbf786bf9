import { Scanner } from './scanner';

/** A state of the automaton for an expression. */
interface State {
	/** The character that this state consumes; without it the state consumes none. */
	leaf?: Leaf;
	holds?: Assertion;
	next: State[];
}

type Leaf = (character: string) => boolean;

/** A condition on the characters around a place in the text; `undefined` at the ends of the text. */
type Assertion = (before: string | undefined, after: string | undefined) => boolean;

/** A part of an expression: prepends its states to those that come after. */
type Part = (after: State) => State;

export class UnusablePattern extends Error {}

/** Most states of an automaton, and so the most steps per character. */
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
 * A JavaScript regular expression that takes linear time: a finite automaton, which looks at each character once. It
 * rejects lookarounds, backreferences and inline flags, which no automaton can match.
 */
export class LinearPattern {
	/** Number of states that the last match visited. */
	steps = 0;
	private readonly source: Scanner;
	private states = 0;
	private readonly leaves = new Map<string, Leaf>();
	private readonly assertions: ReadonlyMap<string, Assertion>;
	private readonly end: State;
	private readonly start: State;

	/**
	 * @param flags `i`, `m`, `s` and `u` as in JavaScript
	 * @throws SyntaxError if JavaScript rejects the expression
	 * @throws UnusablePattern if no automaton can match it, or it needs too many states
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

	/** Whether the expression matches anywhere in the text. */
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
		if (++this.states > MOST_STATES) throw new UnusablePattern('is too long or repeats too much');
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

	/** A group, an assertion, or an atom that matches one character. */
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

	/** Tests a character only once per atom, however many states share it. A JavaScript RegExp does the test. */
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

/** The given states, and all reachable from them without consuming a character. */
function statesFrom(from: State[], before?: string, after?: string): Set<State> {
	const reached = new Set(from);
	// The loop also visits states that are added on the way.
	for (const { leaf, holds, next } of reached) {
		if (!leaf && (holds?.(before, after) ?? true)) next.forEach((state) => reached.add(state));
	}
	return reached;
}
