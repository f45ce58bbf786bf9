import type { Clock } from '../clock';
import type { LiveEvents } from '../events';
import type { Journal } from '../journal';
import { Limiter } from '../limiter';
import type { Settings } from '../options';
import { UpdateQueue } from '../updates/queue';
import type { Subscriptions } from '../updates/subscriptions';
import type { UploadHost } from '../uploads/host';
import { accessToken, scattered, SequenceNumbers } from './ids';
import type { Bot, Chat, Id, Person, Press, StoredMessage } from './types';

/** A one-time notification that a person saw after pressing a button. */
export interface Notification {
	time: number;
	callback_id: string;
	bot_id: Id;
	user_id: Id;
	chat_id: Id;
	text: string;
}

/** The parts of the platform that the world is built on. */
interface Foundation {
	settings: Settings;
	clock: Clock;
	journal: Journal;
	events: LiveEvents;
	uploads: UploadHost;
	subscriptions: Subscriptions;
	/** Addresses of the API and the upload origin, without a trailing slash; known once both are listening. */
	urls: { api: string; upload: string };
	/** Sends an update to one bot, by webhook or polling. */
	publish: (bot: Bot, update: { update_type: string; timestamp: number }) => void;
}

/** First default IDs: twelve digits for people and bots, fourteen and a minus sign for chats. */
const PEOPLE_FROM = 100_000_000_000n;
const CHATS_FROM = -71_000_000_000_000n;

/** Everybody and everything that exists on the platform. */
export class World {
	readonly people = new Map<Id, Person>();

	readonly bots = new Map<Id, Bot>();

	readonly chats = new Map<Id, Chat>();

	/** By mid, including removed ones: a screen that is out of date may still show their buttons. */
	readonly messages = new Map<string, StoredMessage>();

	readonly presses = new Map<string, Press>();

	readonly notifications: Notification[] = [];

	readonly sequence = new SequenceNumbers();

	private readonly tokens = new Map<string, Bot>();

	private members = 0;

	/** How many IDs were given out. */
	private given = 0;

	constructor(readonly base: Foundation) {}

	/** Now, in Unix milliseconds. */
	now(): number {
		return Math.floor(this.base.clock.now());
	}

	/** The bot that a token belongs to. */
	botByToken(token: string): Bot | undefined {
		return this.tokens.get(token);
	}

	/** A message or comment that was not removed. */
	message(mid: string): StoredMessage | undefined {
		const message = this.messages.get(mid);
		return message?.removed === true ? undefined : message;
	}

	/** Adds a person. */
	addPerson(person: Partial<Person>): Person {
		const user_id = person.user_id ?? this.freePersonId();
		const added = { ...this.newPerson(), ...person, user_id, is_bot: false };
		this.people.set(user_id, added);
		return added;
	}

	/** Adds a bot, with a new token if none is given. */
	addBot(bot: Partial<Bot>): Bot {
		const user_id = bot.user_id ?? this.freePersonId();
		const added: Bot = {
			...this.newPerson(),
			first_name: 'Bot',
			username: `bot_${user_id}`,
			commands: [],
			approved: true,
			token: undefined,
			...bot,
			user_id,
			is_bot: true,
			subscriptions: new Map(),
			queue: new UpdateQueue(),
			requests: new Limiter(),
			polls: new Limiter(),
		};
		this.people.set(user_id, added);
		this.bots.set(user_id, added);
		this.setToken(added, bot.token ?? accessToken());
		return added;
	}

	/** Replaces a bot's token; undefined revokes it. */
	setToken(bot: Bot, token: string | undefined): void {
		if (bot.token !== undefined) this.tokens.delete(bot.token);
		bot.token = token;
		if (token !== undefined) this.tokens.set(token, bot);
	}

	/** Adds an empty chat, with a new ID if none is given. */
	addChat(chat: Partial<Chat> & Pick<Chat, 'type'>): Chat {
		const added: Chat = {
			chat_id: chat.chat_id ?? this.freeChatId(),
			is_public: false,
			closed: false,
			forward_forbidden: false,
			comments_disabled: false,
			signatures: false,
			last_event_time: this.now(),
			members: new Map(),
			bots: new Set(),
			former: new Map(),
			blocked: new Set(),
			messages: [],
			messages_count: 0,
			writes: new Limiter(),
			...chat,
		};
		this.chats.set(added.chat_id, added);
		return added;
	}

	/** The next position in a list of members. */
	nextMember(): number {
		this.members += 1;
		return this.members;
	}

	private newPerson(): Person {
		const last_activity_time = this.now();
		return {
			user_id: 0n,
			first_name: 'User',
			is_bot: false,
			last_activity_time,
			locale: 'en',
			phone: '79990001122',
			private_profile: false,
		};
	}

	private freePersonId(): Id {
		let id: Id;
		do id = PEOPLE_FROM + this.scatter();
		while (this.people.has(id));
		return id;
	}

	private freeChatId(): Id {
		let id: Id;
		do id = CHATS_FROM - this.scatter();
		while (this.chats.has(id));
		return id;
	}

	private scatter(): bigint {
		this.given += 1;
		return scattered(this.given);
	}
}
