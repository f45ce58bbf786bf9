import { lookup } from 'mime-types';

/** Percent-decodes; a text that is not percent-encoded UTF-8 stays as it is. */
function percentDecode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Node reads header values as latin1, but most clients send UTF-8. */
function asUtf8(value: string): string {
	const bytes = Buffer.from(value, 'latin1');
	const decoded = bytes.toString('utf8');
	return decoded.includes('\ufffd') ? value : decoded;
}

/**
 * The file name in a Content-Disposition header: quoted (with backslash escapes), bare, or RFC 5987 (`filename*`, which
 * wins). `written` is what the client sent, `name` is percent-decoded.
 */
export function dispositionName(
	header: string | undefined,
): { written: string; name: string } | undefined {
	const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header ?? '')?.[1];
	if (extended !== undefined) return { written: extended, name: percentDecode(extended) };
	const match = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header ?? '');
	const raw = match?.[1]?.replace(/\\(["\\])/g, '$1') ?? match?.[2]?.trim();
	if (raw === undefined) return undefined;
	const written = asUtf8(raw);
	return { written, name: percentDecode(written) };
}

/** Undoes the escapes of HTML forms in file names, and no others: a name may contain other percent signs. */
export function formName(written: string): string {
	const characters: Record<string, string> = { '%22': '"', '%0d': '\r', '%0a': '\n' };
	return written.replace(/%(?:22|0d|0a)/gi, (escape) => characters[escape.toLowerCase()] ?? escape);
}

/** The part after the last dot in lower case; empty if there is none. */
export function extensionOf(fileName: string): string {
	return /[^/\\]\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** The same text with lone surrogates replaced, since encodeURIComponent throws on them. */
const wellFormed = (text: string) => Buffer.from(text).toString();

/** A name as one segment of a path. Names of only dots would be taken for directories. */
export function pathSegment(fileName: string): string {
	const name = wellFormed(fileName);
	return /^\.{0,2}$/.test(name) ? 'file' : encodeURIComponent(name);
}

/** A Content-Disposition header for any name: an ASCII approximation, and the exact name (RFC 6266). */
export function dispositionHeader(kind: 'inline' | 'attachment', fileName: string): string {
	const name = wellFormed(fileName);
	const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
	const encoded = encodeURIComponent(name).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The MIME type for a file's name. */
export const mimeTypeOf = (fileName: string): string =>
	lookup(extensionOf(fileName)) || 'application/octet-stream';
