import { unescapeMarkdown } from './entities';

const DEFINITION =
	/^ {0,3}\[((?:\\.|[^\\[\]]){1,999})\]:[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|([^\s<][^\s]*))(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)/;

/** A definition is not looked for any further. */
const LONGEST_DEFINITION = 5000;

/** Where the links go that are written as `[text][label]`. */
export class References {
	private readonly addresses = new Map<string, string>();

	/** @param budget how many characters all addresses that are filled in may have: a label is short, an address long */
	constructor(private budget: number) {}

	get isEmpty(): boolean {
		return this.addresses.size === 0;
	}

	/** Notes the definitions that a paragraph begins with, and returns the text after them. */
	takeDefinitions(paragraph: string): string {
		let rest = paragraph;
		while (rest.startsWith('[')) {
			const found = DEFINITION.exec(rest.slice(0, LONGEST_DEFINITION)) ?? [];
			const [whole, label = '', bracketed, plain = ''] = found;
			if (whole === undefined || label.trim() === '') break;
			const key = keyOf(label);
			if (!this.addresses.has(key)) this.addresses.set(key, unescapeMarkdown(bracketed ?? plain));
			rest = rest.slice(whole.length);
		}
		return rest;
	}

	/** The address that belongs to a label, as long as the budget lasts. */
	addressOf(label: string): string | undefined {
		const address = this.addresses.get(keyOf(label));
		if (address !== undefined) this.budget -= address.length;
		return this.budget < 0 ? undefined : address;
	}
}

const keyOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
