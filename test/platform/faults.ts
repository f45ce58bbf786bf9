import { wildcard } from './wildcard';

/** Where a fault occurs: in a request to the API, one to the upload origin, or a webhook delivery. */
export type FaultOrigin = 'api' | 'upload' | 'delivery';

/** What goes wrong. Parts combine: a delayed 503 has `delay_ms` and `status`. */
export interface FaultAction {
	/** Answer with this status instead of doing the work (for a delivery: treat it as the endpoint's answer). */
	status?: number;
	/** Body of that answer: an object is sent as JSON, a string as is. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Do the work first, then answer `status`. */
	done?: boolean;
	/** Wait before anything else, in milliseconds of the platform's clock. */
	delay_ms?: number;
	/** Destroy the connection before, or after, the work was done. */
	cut?: 'before' | 'after';
	/** Spread the answer's body over so many milliseconds. */
	slow_body_ms?: number;
	/** Uploads: destroy the connection after so many bytes of the body. */
	cut_after_bytes?: number;
	/** Deliveries: send so many extra copies. */
	duplicate?: number;
}

/** One rule: what it matches, how often, and what happens then. */
export interface FaultRule {
	match?: {
		origin?: FaultOrigin;
		method?: string;
		/** Path of a request, or URL or path of a delivery; `*` stands for any characters. */
		path?: string;
	};
	/** How many times it applies; -1 for no limit. */
	count?: number;
	/** How many matches it lets pass first. */
	after?: number;
	then: FaultAction;
}

interface ActiveRule {
	rule: FaultRule;
	path: RegExp | undefined;
	remaining: number;
	skip: number;
}

/** The current faults. The first matching rule that is not used up applies. */
export class Faults {
	private rules: ActiveRule[] = [];

	/** Replaces all rules. Returns what there is now. */
	set(rules: FaultRule[]): FaultRule[] {
		this.rules = rules.map((rule) => {
			const path = rule.match?.path;
			return {
				rule,
				path: path === undefined ? undefined : wildcard(path),
				remaining: rule.count ?? 1,
				skip: rule.after ?? 0,
			};
		});
		return this.list();
	}

	/** The rules with their remaining `count` and `after`. */
	list(): FaultRule[] {
		return this.rules.map(({ rule, remaining, skip }) => ({
			...rule,
			count: remaining,
			after: skip,
		}));
	}

	/** The fault that applies to this request, with its count reduced by one; undefined if none applies. */
	match(origin: FaultOrigin, method: string, path: string): FaultAction | undefined {
		for (const active of this.rules) {
			if (active.remaining === 0 || !applies(active, origin, method, path)) continue;
			if (active.skip > 0) {
				active.skip -= 1;
				continue;
			}
			if (active.remaining > 0) active.remaining -= 1;
			return active.rule.then;
		}
		return undefined;
	}
}

function applies(active: ActiveRule, origin: FaultOrigin, method: string, path: string): boolean {
	const wanted = active.rule.match ?? {};
	if (wanted.origin !== undefined && wanted.origin !== origin) return false;
	if (wanted.method !== undefined && wanted.method !== method) return false;
	if (active.path === undefined || active.path.test(path)) return true;
	return origin === 'delivery' && active.path.test(new URL(path).pathname);
}
