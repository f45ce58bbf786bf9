import { randomBytes, randomInt } from 'node:crypto';
import { Content } from './content';
import type { Media, UploadType } from './types';

/** Opaque text that needs percent-encoding in a url: always has `+`, `/` and `=`. */
function awkwardToken(): string {
	const part = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=/g, '');
	return `${part(12)}+${part(18)}/${part(9)}==`;
}

/** A token for one media type. That of a video also stands in the path of GET /videos, hence only safe characters. */
export function createToken(type: UploadType): string {
	return type === 'video' ? randomBytes(36).toString('base64url') : awkwardToken();
}

/** One upload url and what arrived at it so far. */
export class UploadSlot {
	readonly token: string;
	/** The key under which the answer for an image shows its token. */
	readonly key = awkwardToken();
	readonly fileId = randomInt(1, 2 ** 47);
	/** Path and query of the url, exactly as they were given out. */
	readonly target: string;
	readonly id = randomBytes(12).toString('hex');

	/** The bytes that count as stored, of a resumable upload. */
	stored: Content;
	/** Size of the whole file, in bytes, as the first stored part told it. */
	total: number | undefined;
	fragments = 0;
	fileName: string | undefined;
	/** The finished upload: the url is used up. */
	media: Media | undefined;

	private turn: Promise<void> = Promise.resolve();

	constructor(
		readonly type: UploadType,
		readonly expiresAt: number,
		hashed: boolean,
	) {
		this.token = createToken(type);
		this.stored = new Content(hashed);
		// The url of an image contains its token (interface, POST /uploads).
		const token = type === 'image' ? `&token=${encodeURIComponent(this.token)}` : '';
		const signature = encodeURIComponent(awkwardToken());
		this.target = `/upload/${type}?id=${this.id}${token}&sig=${signature}`;
	}

	/** Runs `work` when all that was begun before is done: one url takes one request at a time. */
	async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const before = this.turn;
		let done: () => void = () => undefined;
		this.turn = new Promise((resolve) => (done = resolve));
		await before;
		try {
			return await work();
		} finally {
			done();
		}
	}
}
