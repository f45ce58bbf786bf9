import type { UploadLimits } from './uploads';
import { type ProfileName, PROFILES } from './profiles';

/** How fast bots may go, and what happens to the rest. */
export interface Limits {
	/** Requests to the API per second and bot; 0 switches the limit off. */
	requests_per_second: number;
	/** Posts, edits and answers per second into one chat; 0 switches the limit off. */
	messages_per_second_per_chat: number;
	/** `bucket` refills continuously and holds one second's worth; `sliding` counts the last second. */
	algorithm: 'bucket' | 'sliding';
	/** What a write beyond the chat's limit meets: a 429, or a wait for its turn. */
	chat_overflow: 'refuse' | 'delay';
	/** Value of the Retry-After header of a 429, in seconds; without it there is no such header. */
	retry_after?: number;
	/** A 429 does not tell what the limit is. */
	unnamed: boolean;
	/** Polls per second and bot; 0 switches the limit off. */
	polls_per_second: number;
	/** Longest hold of a poll in seconds, whatever `timeout` says. */
	poll_hold_seconds: number;
	/** Most updates in one poll's answer, whatever `limit` says. */
	poll_updates: number;
}

/** Everything as fast as it comes. */
export const NO_LIMITS: Partial<Limits> = {
	requests_per_second: 0,
	messages_per_second_per_chat: 0,
};

/** Hosts as webhook urls name them (`host:443`) and the local addresses (`ip:port`) that serve them. */
export type Resolve = Record<string, string>;

/** How the platform behaves. Everything has a default. */
export interface PlatformOptions {
	/** Which kind of service is played; its own options hold where nothing else is chosen. */
	profile?: ProfileName;
	/** Ports of the API, the upload origin and the control API; 0 takes a free one. */
	port?: number;
	uploadPort?: number;
	controlPort?: number;
	/** Key and certificate (PEM): API and upload origin are then served over https. */
	tls?: { key: string; cert: string };
	/** Host name in `baseUrl` and `uploadUrl`, for certificates made out to a name. */
	hostName?: string;
	/** Authorities (PEM) that webhook certificates are validated against; without it the usual ones. */
	trustedCa?: string | string[];
	resolve?: Resolve;
	/** Beginnings of addresses, and what the messenger window opens in their place: browsers do not know `resolve`. */
	openAs?: Record<string, string>;
	limits?: Partial<Limits>;
	/** A bot has one subscription at most: another url replaces the first. */
	singleSubscription?: boolean;
	/** What a poll without marker gets: everything not yet committed, or the latest update only. */
	pollingWithoutMarker?: 'uncommitted' | 'latest';
	/** Every answer of the API is given so much later, in real milliseconds. */
	latencyMs?: number;
	/** How long an upload is processed before its token can be attached. */
	readyAfterMs?: number;
	/** Upload urls answer 401 to requests without the Authorization header. */
	uploadAuthorization?: boolean;
	uploadLimits?: Partial<UploadLimits>;
	/** Name of the header that carries a webhook's secret. */
	secretHeader?: string;
	/** Updates for one webhook go out one after the other instead of at once. */
	serialDelivery?: boolean;
	/** Bots also get the events that they caused themselves. */
	ownEvents?: boolean;
	/** Forwards without content of their own have null as body. */
	nullBodies?: boolean;
	/** Answers show the rights of members by their legacy names too. */
	legacyRights?: boolean;
	/** Refusals of the API have an empty message. */
	emptyErrors?: boolean;
	/** What goes to a webhook is kept for polling too, which can begin when the webhook is gone. */
	keepDelivered?: boolean;
	/** A callback id stands for a person and a keyboard, or for one single press. */
	callbackIds?: 'keyboard' | 'press';
	/** Key of the user in a received contact card. */
	contactUserKey?: string;
	/** Number of journal entries kept. */
	journalCapacity?: number;
}

/** The options with all defaults filled in. What is not readonly can be changed while the platform runs. */
export interface Settings extends Required<Omit<PlatformOptions, 'tls' | 'trustedCa' | 'limits'>> {
	tls: PlatformOptions['tls'];
	trustedCa: string | string[] | undefined;
	limits: Limits;
}

const DEFAULT_LIMITS: Limits = {
	requests_per_second: 30,
	messages_per_second_per_chat: 2,
	algorithm: 'bucket',
	chat_overflow: 'refuse',
	unnamed: false,
	polls_per_second: 0,
	poll_hold_seconds: 90,
	poll_updates: 1000,
};

/** The limits of a kind of service, as far as nothing else is chosen. */
export function limitsOf(profile: ProfileName, chosen: PlatformOptions['limits'] = {}): Limits {
	const options: PlatformOptions = PROFILES[profile].options;
	return { ...DEFAULT_LIMITS, ...options.limits, ...given(chosen) };
}

/** Fills in the defaults. */
export function settingsOf(options: PlatformOptions): Settings {
	const { profile = 'current' } = options;
	return {
		port: 0,
		uploadPort: 0,
		controlPort: 0,
		hostName: '127.0.0.1',
		resolve: {},
		openAs: {},
		singleSubscription: false,
		pollingWithoutMarker: 'uncommitted',
		latencyMs: 0,
		readyAfterMs: 0,
		uploadAuthorization: false,
		secretHeader: 'X-Service-Bot-Api-Secret',
		serialDelivery: false,
		ownEvents: false,
		nullBodies: false,
		legacyRights: false,
		emptyErrors: false,
		keepDelivered: false,
		callbackIds: 'keyboard',
		contactUserKey: 'service_info',
		journalCapacity: 200_000,
		tls: undefined,
		trustedCa: undefined,
		uploadLimits: {},
		...PROFILES[profile].options,
		...given(options),
		profile,
		limits: limitsOf(profile, options.limits),
	};
}

/** Without the fields that are undefined, so that the defaults hold. */
function given<T extends object>(fields: T): T {
	const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.assign(Object.create(null), Object.fromEntries(entries));
}
