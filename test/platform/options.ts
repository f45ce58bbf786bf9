import type { UploadLimits } from './uploads/types';
import { type ProfileName, PROFILES } from './profiles';

/** How fast bots may send, and what happens beyond that. */
export interface Limits {
	/** Requests to the API per second and bot; 0 switches the limit off. */
	requests_per_second: number;
	/** Posts, edits and answers per second into one chat; 0 switches the limit off. */
	messages_per_second_per_chat: number;
	/** `bucket` refills continuously and holds one second's worth; `sliding` counts the last second. */
	algorithm: 'bucket' | 'sliding';
	/** What happens to a write beyond the chat's limit: a 429, or a wait for its turn. */
	chat_overflow: 'refuse' | 'delay';
	/** A 429 does not say what the limit is. */
	unnamed: boolean;
	/** Polls per second and bot; 0 switches the limit off. */
	polls_per_second: number;
	/** Most updates in one poll's answer, whatever `limit` says. */
	poll_updates: number;
}

/** No rate limits. */
export const NO_LIMITS: Partial<Limits> = {
	requests_per_second: 0,
	messages_per_second_per_chat: 0,
};

/** Hosts in webhook URLs (`host:443`), and the local addresses (`ip:port`) that serve them. */
export type Resolve = Record<string, string>;

/** How the platform behaves. Everything has a default. */
export interface PlatformOptions {
	/** Which kind of service to play; its own options apply unless others are given. */
	profile?: ProfileName;
	/** Ports of the API, the upload origin and the control API; 0 chooses a free one. */
	port?: number;
	uploadPort?: number;
	controlPort?: number;
	/** Key and certificate (PEM); with them the API and the upload origin use HTTPS. */
	tls?: { key: string; cert: string };
	/** Host name in `baseUrl` and `uploadUrl`, for certificates issued to a name. */
	hostName?: string;
	/** Authorities (PEM) that webhook certificates are validated against; by default the usual ones. */
	trustedCa?: string | string[];
	resolve?: Resolve;
	/** Address prefixes, and what the messenger window opens instead: browsers do not know `resolve`. */
	openAs?: Record<string, string>;
	limits?: Partial<Limits>;
	/** A bot has at most one subscription: another URL replaces the first. */
	singleSubscription?: boolean;
	/** What a poll without marker gets: everything not yet committed, or only the latest update. */
	pollingWithoutMarker?: 'uncommitted' | 'latest';
	/** Delays every answer of the API by so many real milliseconds. */
	latencyMs?: number;
	/** How long an upload is processed before its token can be attached. */
	readyAfterMs?: number;
	/** Upload URLs answer 401 to requests without the Authorization header. */
	uploadAuthorization?: boolean;
	uploadLimits?: Partial<UploadLimits>;
	/** Sends updates for one webhook one after the other instead of all at once. */
	serialDelivery?: boolean;
	/** Steps of the clock that gives events their times: with steps above 1, messages of a chat can share one. */
	timeStepMs?: number;
	/** Bots also get events that they caused themselves. */
	ownEvents?: boolean;
	/** Forwards without content of their own have null as body. */
	nullBodies?: boolean;
	/** A callback ID stands for a person and a keyboard, or for a single press. */
	callbackIds?: 'keyboard' | 'press';
	/** The word for the brand in names that bear it: of the webhook secret's header, and of a card's user. */
	brand?: string;
}

/** The options with all defaults filled in. Fields that are not readonly can change while the platform runs. */
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
	poll_updates: 1000,
};

/** Fills in the defaults. */
export function settingsOf(options: PlatformOptions): Settings {
	const { profile = 'current', limits = {} } = options;
	const ofProfile: PlatformOptions = PROFILES[profile].options;
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
		serialDelivery: false,
		timeStepMs: 1,
		ownEvents: false,
		nullBodies: false,
		callbackIds: 'keyboard',
		brand: 'Service',
		tls: undefined,
		trustedCa: undefined,
		uploadLimits: {},
		...ofProfile,
		...given(options),
		profile,
		limits: { ...DEFAULT_LIMITS, ...ofProfile.limits, ...given(limits) },
	};
}

/** The fields without undefined ones. */
export function given<T extends object>(fields: T): T {
	const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.assign(Object.create(null), Object.fromEntries(entries));
}
