/** The names of U+00A0 to U+00FF, in order. */
const LATIN =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Other entities that people and language models write, each name before its character. */
const OTHERS =
	'amp & lt < gt > quot " apos \' ndash – mdash — hellip … bull • euro € trade ™ lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ permil ‰ lsaquo ‹ rsaquo › larr ← uarr ↑ rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ infin ∞ ne ≠ le ≤ ge ≥ asymp ≈ equiv ≡ sum ∑ prod ∏ minus − radic √ part ∂ int ∫ forall ∀ exist ∃ empty ∅ isin ∈ notin ∉ cap ∩ cup ∪ and ∧ or ∨ sub ⊂ sup ⊃ alpha α beta β gamma γ delta δ epsilon ε lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ Omega Ω Pi Π hearts ♥ check ✓ star ☆ num # ast * lowbar _ grave ` lbrack [ rbrack ] lpar ( rpar ) verbar | bsol \\ sol / colon : dollar $ percnt % excl ! quest ? equals = plus + commat @ thinsp \u2009 ensp \u2002 emsp \u2003 zwj \u200d zwnj \u200c';

const NAMED: ReadonlyMap<string, string> = new Map([
	...LATIN.split(' ').map((name, index): [string, string] => [
		name,
		String.fromCharCode(0xa0 + index),
	]),
	...[...OTHERS.matchAll(/(\w+) (\S|[\u2000-\u200d])/g)].map(
		([, name = '', character = '']): [string, string] => [name, character],
	),
]);

/** Syntax of an entity: `&amp;`, `&#38;`, `&#x26;`. */
export const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/iy;

const ENTITIES = new RegExp(ENTITY.source, 'gi');

/** Replaces every entity in a text with its character; unknown ones stay. */
export const decodeEntities = (text: string): string => text.replace(ENTITIES, characterOf);

function characterOf(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
	if (name !== undefined) return NAMED.get(name) ?? whole;
	const point = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : parseInt(decimal, 10);
	const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
	return isCharacter ? String.fromCodePoint(point) : whole;
}

/** A Markdown address with its backslash escapes and entities resolved. */
export const unescapeMarkdown = (text: string): string =>
	text.replace(
		/\\([!-/:-@[-`{-~])|&[#\w]{2,32};/g,
		(whole, character?: string) => character ?? decodeEntities(whole),
	);
