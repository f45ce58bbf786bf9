import { isNativeError } from 'node:util/types';
import type { Clock } from '../clock';
import type { FaultAction, Faults } from '../faults';
import type { Journal } from '../journal';
import { isObject, writeJson } from '../json';
import type { Settings } from '../options';
import type { Update } from './queue';
import { WebhookSender } from './sender';
import type { Subscription, Subscriptions } from './subscriptions';

const FIRST_RETRY_MS = 60_000;
const RETRY_FACTOR = 2.5;
const MOST_RETRIES = 10;

/** After so long without success, retries end and the bot is unsubscribed. */
const GIVE_UP_AFTER_MS = 8 * 60 * 60 * 1000;

interface Delivery {
	subscription: Subscription;
	update: Update;
	body: string;
	/** Time of the first attempt, Unix ms. */
	since: number;
	/** Attempts made so far. */
	attempts: number;
}

/** What the deliveries need of the platform. */
interface DeliveryContext {
	clock: Clock;
	journal: Journal;
	faults: Faults;
	settings: Settings;
	subscriptions: Subscriptions;
}

/** Delivers updates to webhooks, with retries, until the endpoint answers 200 (wire 4.4). */
export class Deliveries {
	private readonly sender: WebhookSender;

	/** The last delivery in the queue of each webhook that is served serially. */
	private readonly tails = new WeakMap<Subscription, Promise<void>>();

	constructor(private readonly context: DeliveryContext) {
		this.sender = new WebhookSender(context.clock, context.settings);
	}

	/** Sends an update to a webhook, with retries. */
	start(subscription: Subscription, update: Update): void {
		const since = this.context.clock.now();
		const body = writeJson(update);
		const delivery: Delivery = { subscription, update, body, since, attempts: 0 };
		void this.inTurn(delivery, this.faultFor(subscription));
	}

	/** Drops all connections, at the end, or to validate certificates again after authority or addresses have changed. */
	reset(): void {
		this.sender.reset();
	}

	private inTurn(delivery: Delivery, fault: FaultAction | undefined): Promise<void> {
		if (!this.context.settings.serialDelivery) return this.attempt(delivery, fault);
		const { subscription } = delivery;
		const before = this.tails.get(subscription) ?? Promise.resolve();
		const turn = before.then(() => this.attempt(delivery, fault));
		this.tails.set(subscription, turn);
		return turn;
	}

	private async attempt(delivery: Delivery, fault: FaultAction | undefined): Promise<void> {
		const { subscription } = delivery;
		if (fault?.delay_ms !== undefined) await this.context.clock.sleep(fault.delay_ms);
		if (!subscription.active) return;
		delivery.attempts += 1;
		const copies = 1 + (fault?.duplicate ?? 0);
		const sent = Array.from({ length: copies }, () => this.sendOnce(delivery, fault));
		const succeeded = (await Promise.all(sent)).includes(true);
		if (!subscription.active) return;
		if (succeeded) this.succeeded(subscription);
		else this.failed(delivery);
	}

	/** Sends one request and writes its outcome to the journal. */
	private async sendOnce(delivery: Delivery, fault: FaultAction | undefined): Promise<boolean> {
		const { clock, journal } = this.context;
		const { bot, url, secret } = delivery.subscription;
		const time = clock.now();
		const outcome = await this.outcome(delivery, fault);
		journal.add({
			kind: 'delivery',
			time,
			bot_id: bot.user_id,
			url,
			update_type: delivery.update.update_type,
			update: delivery.update,
			attempt: delivery.attempts,
			...outcome,
			duration_ms: clock.now() - time,
			secret_sent: secret !== undefined,
		});
		return outcome.status === 200;
	}

	private async outcome(
		{ subscription: { url, secret }, update, body }: Delivery,
		fault: FaultAction | undefined,
	): Promise<{ status?: number; error?: string }> {
		if (fault?.cut === 'before') return { error: 'connection cut' };
		if (fault?.status !== undefined && fault.done !== true) return { status: fault.status };
		const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
		const { brand } = this.context.settings;
		if (secret !== undefined) headers[`X-${brand}-Bot-Api-Secret`] = secret;
		try {
			const status = await this.sender.send({
				url,
				body,
				headers: { ...headers, ...fault?.headers },
				lane: `${url} ${chatOf(update)}`,
			});
			if (fault?.cut === 'after') return { error: 'connection cut' };
			return { status: fault?.status ?? status };
		} catch (error) {
			return { error: reason(error) };
		}
	}

	private succeeded(subscription: Subscription): void {
		subscription.expiry?.cancel();
		subscription.expiry = undefined;
	}

	private failed(delivery: Delivery): void {
		const { clock } = this.context;
		const { subscription, attempts } = delivery;
		subscription.expiry ??= clock.after(GIVE_UP_AFTER_MS, () =>
			this.context.subscriptions.remove(subscription),
		);
		const delay = FIRST_RETRY_MS * RETRY_FACTOR ** (attempts - 1);
		const inTime = clock.now() + delay <= delivery.since + GIVE_UP_AFTER_MS;
		if (attempts > MOST_RETRIES || !inTime) return;
		clock.after(delay, () => this.attempt(delivery, this.faultFor(subscription)));
	}

	private faultFor({ url }: Subscription): FaultAction | undefined {
		return this.context.faults.match('delivery', 'POST', url);
	}
}

/** The chat of an update; empty if it has none. */
function chatOf({ chat_id, message }: Update): string {
	const recipient = isObject(message) && isObject(message.recipient) ? message.recipient : {};
	return String(chat_id ?? recipient.chat_id ?? '');
}

function reason(error: unknown): string {
	if (!isNativeError(error)) return String(error);
	const code = 'code' in error ? `${String(error.code)}: ` : '';
	return `${code}${error.message}`;
}
