import { Lowest } from './lowest';
import type { Pace, Party } from './types';

/** Who has requests that wait or are under way, and the pace that they agree on: the lowest of theirs. */
export class Attendance {
	private readonly present = new Map<Party, number>();

	private readonly requests: Lowest;

	private readonly messages: Lowest;

	constructor(pace: Pace) {
		this.requests = new Lowest(pace.requestsPerSecond);
		this.messages = new Lowest(pace.messagesPerSecondPerChat);
	}

	/** Requests per second of the whole token. When nobody is there, what was asked for last. */
	get requestsPerSecond(): number {
		return this.requests.value;
	}

	/** The same, for one chat. */
	get messagesPerSecondPerChat(): number {
		return this.messages.value;
	}

	get isEmpty(): boolean {
		return this.present.size === 0;
	}

	/** A request of the party comes. */
	enter(party: Party): void {
		const count = this.present.get(party) ?? 0;
		this.present.set(party, count + 1);
		if (count > 0) return;
		this.requests.add(party.pace.requestsPerSecond);
		this.messages.add(party.pace.messagesPerSecondPerChat);
	}

	/** A request of the party has come to its end. */
	leave(party: Party): void {
		const count = (this.present.get(party) ?? 0) - 1;
		if (count > 0) {
			this.present.set(party, count);
			return;
		}
		this.present.delete(party);
		this.requests.remove(party.pace.requestsPerSecond);
		this.messages.remove(party.pace.messagesPerSecondPerChat);
	}
}
