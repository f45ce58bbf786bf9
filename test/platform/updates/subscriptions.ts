import type { Timer } from '../clock';
import type { Bot } from '../world/types';

/** A webhook of a bot. */
export interface Subscription {
	bot: Bot;
	url: string;
	/** When it was created or last replaced, Unix ms. */
	time: number;
	/** Absent: all types. */
	update_types?: string[];
	secret?: string;
	/** False once removed: nothing is delivered any more. */
	active: boolean;
	/** Ends the subscription after too long without success; runs from the first failure. */
	expiry?: Timer;
}

/** What a bot asks for. */
interface SubscriptionRequest {
	url: string;
	update_types?: string[];
	secret?: string;
}

/** All webhooks. A URL belongs to one bot at a time. */
export class Subscriptions {
	private readonly byUrl = new Map<string, Subscription>();

	/** Adds a webhook or replaces the settings of the one with the same URL; another bot loses the URL. */
	put(bot: Bot, request: SubscriptionRequest, time: number): Subscription {
		const present = this.byUrl.get(request.url);
		if (present?.bot === bot) {
			const { update_types, secret } = request;
			return Object.assign(present, { update_types, secret, time });
		}
		if (present !== undefined) this.remove(present);
		const subscription: Subscription = { ...request, bot, time, active: true };
		this.byUrl.set(request.url, subscription);
		bot.subscriptions.set(request.url, subscription);
		return subscription;
	}

	/** The bot's webhook with this URL. */
	find(bot: Bot, url: string): Subscription | undefined {
		return bot.subscriptions.get(url);
	}

	/** Removes a webhook and drops deliveries in flight. */
	remove(subscription: Subscription): void {
		subscription.active = false;
		subscription.expiry?.cancel();
		this.byUrl.delete(subscription.url);
		subscription.bot.subscriptions.delete(subscription.url);
	}
}
