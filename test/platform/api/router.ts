/** Patterns of the variable parts of paths. */
const PATTERNS: Record<string, string> = {
	chatId: '-?\\d+',
	userId: '-?\\d+',
	messageId: '(?:mid\\.)?[\\w-]+',
	commentId: '(?:mid\\.)?[\\w-]+',
	token: '[^/]+',
};

/** Something that can be routed to. */
interface Routable {
	method: string;
	/** Variable parts are written `:name`, with a name that has a pattern. */
	path: string;
}

interface Entry<Route> {
	pattern: RegExp;
	byMethod: Map<string, Route>;
}

/** The result of a look-up. */
interface Match<Route> {
	/** Undefined if the path exists but not with this method. */
	route: Route | undefined;
	/** The methods that exist for the path. */
	allowed: string[];
	/** The variable parts, percent-decoded. */
	path: Record<string, string>;
}

/** Finds the operation of a method and a path. */
export class Router<Route extends Routable> {
	/** By number of slashes and first word. */
	private readonly groups = new Map<string, Entry<Route>[]>();

	constructor(routes: Route[]) {
		const entries = new Map<string, Entry<Route>>();
		for (const route of routes) {
			const known = entries.get(route.path);
			const entry: Entry<Route> = known ?? {
				pattern: patternOf(route.path),
				byMethod: new Map(),
			};
			entry.byMethod.set(route.method, route);
			if (known !== undefined) continue;
			entries.set(route.path, entry);
			const group = groupOf(route.path);
			this.groups.set(group, [...(this.groups.get(group) ?? []), entry]);
		}
	}

	/** Undefined if the path is unknown. */
	find(method: string, path: string): Match<Route> | undefined {
		const decoded = decode(path);
		if (decoded === undefined) return undefined;
		for (const { pattern, byMethod } of this.groups.get(groupOf(path)) ?? []) {
			const match = pattern.exec(decoded);
			if (match === null) continue;
			const route = byMethod.get(method);
			return { route, allowed: [...byMethod.keys()], path: { ...match.groups } };
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
