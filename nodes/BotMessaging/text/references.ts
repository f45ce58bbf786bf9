import { unescapeMarkdown } from './entities';

/**
 * A link's label and address (CommonMark 4.7). What does not begin as an address elsewhere does is text: `[ERROR]: timeout`,
 * `[Status]: n/a`, `[^1]: Wikipedia`.
 */
const DEFINITION =
	/^ {0,3}\[((?:\\.|[^\\[\]]){1,999})\]:[ \t]*(?:\n[ \t]*)?(?:<([^<>\n]*)>|(?=[^\s/.:]*[.:]\S*\/|(?:mailto|tel):)([^\s<][^\s]*))(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)/;

/** How far ahead to look for the end of a definition, in UTF-16 code units. */
const LONGEST_DEFINITION = 5000;

/** The addresses of links written as `[text][label]`. */
export class References {
	private readonly addresses = new Map<string, string>();

	/** @param budget total length of the addresses filled in, since a short label may stand for a long address */
	constructor(private budget: number) {}

	get isEmpty(): boolean {
		return this.addresses.size === 0;
	}

	/** Stores the definitions at the beginning of a paragraph, and returns the text after them. */
	takeDefinitions(paragraph: string): string {
		let rest = paragraph;
		while (rest.startsWith('[')) {
			const found = DEFINITION.exec(rest.slice(0, LONGEST_DEFINITION)) ?? [];
			const [whole, label = '', bracketed, plain = ''] = found;
			if (whole === undefined || label.trim() === '') break;
			const key = normalized(label);
			if (!this.addresses.has(key)) this.addresses.set(key, unescapeMarkdown(bracketed ?? plain));
			rest = rest.slice(whole.length);
		}
		return rest;
	}

	/** The address of a label, as long as the budget lasts. */
	addressOf(label: string): string | undefined {
		const address = this.addresses.get(normalized(label));
		if (address !== undefined) this.budget -= address.length;
		return this.budget < 0 ? undefined : address;
	}
}

const normalized = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
