/** A pattern in which `*` stands for any characters, as an anchored regular expression. */
export function wildcard(pattern: string): RegExp {
	const literal = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${literal.join('.*')}$`, 's');
}
