/**
 * A text as one segment of a path, encoded; `undefined` for what is none. Addresses are tidied up on the way: dots would
 * name another resource. Halves of characters have no place there.
 */
export const asSegment = (text: string): string | undefined =>
	text === '' || /^\.\.?$|\p{Cs}/u.test(text) ? undefined : encodeURIComponent(text);
