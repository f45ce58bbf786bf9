import { randomBytes, randomInt } from 'node:crypto';
import { Content } from './content';
import type { Media, UploadType } from './types';

/** An opaque text that needs percent-encoding in a URL: always has `+`, `/` and `=`. */
function awkwardToken(): string {
	const part = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=/g, '');
	return `${part(12)}+${part(18)}/${part(9)}==`;
}

/** A token for one media type. A video's token is also part of the path of GET /videos, hence only safe characters. */
export function createToken(type: UploadType): string {
	return type === 'video' ? randomBytes(36).toString('base64url') : awkwardToken();
}

/** An upload URL and what has arrived at it so far. */
export class UploadSlot {
	readonly token: string;
	/** The key of the token in the answer for an image. */
	readonly key = awkwardToken();
	readonly fileId = randomInt(1, 2 ** 47);
	/** Path and query of the URL, exactly as issued. */
	readonly target: string;
	readonly id = randomBytes(12).toString('hex');

	/** The stored bytes of a resumable upload. */
	stored = new Content();
	/** Size of the whole file in bytes, as declared by the first stored part. */
	total: number | undefined;
	fragments = 0;
	fileName: string | undefined;
	/** The finished upload; the URL is then used up. */
	media: Media | undefined;

	private turn: Promise<unknown> = Promise.resolve();

	constructor(readonly type: UploadType) {
		this.token = createToken(type);
		// The URL of an image contains its token (interface, POST /uploads).
		const token = type === 'image' ? `&token=${encodeURIComponent(this.token)}` : '';
		const signature = encodeURIComponent(awkwardToken());
		this.target = `/upload/${type}?id=${this.id}${token}&sig=${signature}`;
	}

	/** Runs `work` after everything that was begun before: a URL takes one request at a time. */
	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.turn.then(work);
		this.turn = turn.catch(() => undefined);
		return turn;
	}
}
