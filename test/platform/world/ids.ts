import { createHash, randomBytes } from 'node:crypto';
import type { Id } from './types';

/** Makes the numbers that order messages: `timestamp << 16 | 16 low bits`, always increasing. */
export class SequenceNumbers {
	private last = 0n;

	/** The next number, for a message of this time (Unix ms). */
	next(timestamp: number): bigint {
		// Non-zero low bits reveal a client that loses digits.
		const low = BigInt((((timestamp % 16_384) * 40_503) & 0x3fff) | 1);
		const fresh = (BigInt(timestamp) << 16n) | low;
		this.last = fresh > this.last ? fresh : this.last + 1n;
		return this.last;
	}
}

/** The message id of a sequence number in a chat: `mid.` and 32 hexadecimal digits. */
export function messageId(chatId: Id, seq: bigint): string {
	return `mid.${hex16(chatId)}${hex16(seq)}`;
}

/** The id of the dialog of a bot and a person. */
export function dialogId(botId: Id, userId: Id): Id {
	return botId ^ userId;
}

/** An opaque text of 120 base64url characters that is the same for the same parts. */
export function opaqueId(...parts: string[]): string {
	const first = createHash('sha512').update(parts.join('\n')).digest();
	const second = createHash('sha256').update(first).digest();
	return Buffer.concat([first, second]).toString('base64url').slice(0, 120);
}

/**
 * The nth of a fixed sequence of scattered numbers below 2^39. IDs must not be consecutive: the IDs of dialogs, made by
 * XOR, would collide.
 */
export function scattered(n: number): bigint {
	const hash = createHash('sha256').update(String(n)).digest();
	return hash.readBigUInt64BE() >> 25n;
}

/** A new access token. */
export function accessToken(): string {
	return randomBytes(48).toString('base64url');
}

/** Reads an int64 from a number, a bigint or a string of digits; undefined for anything else. */
export function asId(value: unknown): Id | undefined {
	if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : undefined;
	if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
	if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined;
	return asId(BigInt(value));
}

function hex16(value: bigint): string {
	return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
}
