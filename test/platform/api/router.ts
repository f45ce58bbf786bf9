/** Patterns of the variable parts of paths. */
const PATTERNS: Record<string, string> = {
	chatId: '-?\\d+',
	userId: '-?\\d+',
	messageId: '(?:mid\\.)?[\\w-]+',
	commentId: '(?:mid\\.)?[\\w-]+',
	token: '[^/]+',
};

interface Entry<Target> {
	pattern: RegExp;
	byMethod: Map<string, Target>;
}

/** The result of a look-up. */
interface Match<Target> {
	/** Undefined if the path exists but not with this method. */
	target: Target | undefined;
	/** The methods that exist for the path. */
	allowed: string[];
	/** The variable parts, percent-decoded. */
	path: Record<string, string>;
}

/** Finds what a method and a path lead to. */
export class Router<Target> {
	/** By number of slashes and first word. */
	private readonly groups = new Map<string, Entry<Target>[]>();

	/** Takes targets by method and path, whose variable parts are written `:name`, with a name that has a pattern. */
	constructor(targets: Iterable<readonly [operation: string, Target]>) {
		const entries = new Map<string, Entry<Target>>();
		for (const [operation, target] of targets) {
			const [method = '', path = ''] = operation.split(' ');
			const known = entries.get(path);
			const entry: Entry<Target> = known ?? { pattern: patternOf(path), byMethod: new Map() };
			entry.byMethod.set(method, target);
			if (known !== undefined) continue;
			entries.set(path, entry);
			const group = groupOf(path);
			this.groups.set(group, [...(this.groups.get(group) ?? []), entry]);
		}
	}

	/** Undefined if the path is unknown. */
	find(method: string, path: string): Match<Target> | undefined {
		const decoded = decode(path);
		if (decoded === undefined) return undefined;
		for (const { pattern, byMethod } of this.groups.get(groupOf(path)) ?? []) {
			const match = pattern.exec(decoded);
			if (match === null) continue;
			const target = byMethod.get(method);
			return { target, allowed: [...byMethod.keys()], path: { ...match.groups } };
		}
		return undefined;
	}
}

function groupOf(path: string): string {
	const words = path.split('/');
	return `${words.length} ${words[1] ?? ''}`;
}

function patternOf(path: string): RegExp {
	const source = path.replace(/:(\w+)/g, (_all, name: string) => `(?<${name}>${PATTERNS[name]})`);
	return new RegExp(`^${source}$`);
}

function decode(path: string): string | undefined {
	if (!path.includes('%')) return path;
	try {
		return decodeURIComponent(path);
	} catch {
		return undefined;
	}
}
