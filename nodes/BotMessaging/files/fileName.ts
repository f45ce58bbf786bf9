const LONGEST = 200;

/**
 * A file name that is safe in headers, forms and file systems: path separators, control characters and halves of
 * surrogate pairs are replaced, everything else stays, in any script. Never empty.
 */
export function safeFileName(name: string, fallback = 'file'): string {
	const safe = name
		.trim()
		// Control characters, and those that turn the direction of a text and so can hide an ending.
		.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]+/gu, '_')
		.replace(/\p{Cs}/gu, '_');
	if (/^[._]*$/.test(safe)) return fallback;
	const characters = [...safe];
	return characters.length <= LONGEST ? safe : shorten(characters);
}

/** Keeps the ending, which tells what the file is. */
function shorten(characters: string[]): string {
	const dot = characters.lastIndexOf('.');
	const ending = dot > 0 && characters.length - dot <= 20 ? characters.slice(dot) : [];
	return [...characters.slice(0, LONGEST - ending.length), ...ending].join('');
}
