import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock';
import { type Exchange, serve } from '../exchange';
import type { Faults } from '../faults';
import { type Answer, CutConnection, json, text } from '../http';
import type { Journal } from '../journal';
import { progress, Refusal, refusal } from './answers';
import { contentOf, MediaLibrary } from './library';
import { Receiver } from './receiver';
import { createToken, UploadSlot } from './slot';
import {
	DEFAULT_UPLOAD_LIMITS,
	type Media,
	type SyntheticContent,
	type UploadEntry,
	type UploadLimits,
	type UploadType,
} from './types';

interface UploadHostOptions {
	clock: Clock;
	journal: Journal;
	faults: Faults;
	/** Milliseconds on the platform's clock until an upload can be attached. */
	readyAfterMs: () => number;
	/** Whether an upload URL accepts this Authorization header (empty if there is none). */
	admits: (authorization: string) => boolean;
	limits: Partial<UploadLimits>;
}

/**
 * The upload origin (interface "POST /uploads", wire 6): takes files at the URLs it issued, and serves them for
 * download. `handle` is mounted on an HTTP server of its own.
 */
export class UploadHost {
	/** Can be changed at any time. */
	limits: UploadLimits;

	private readonly library: MediaLibrary;
	private readonly receiver: Receiver;
	private readonly slots = new Map<string, UploadSlot>();

	constructor(private readonly options: UploadHostOptions) {
		this.limits = { ...DEFAULT_UPLOAD_LIMITS, ...options.limits };
		this.library = new MediaLibrary(options.clock);
		this.receiver = new Receiver(this.library, options.readyAfterMs);
	}

	/** Issues an upload URL on `origin` (scheme, host and port), and for video and audio its token. */
	issue(type: UploadType, origin: string): { url: string; token?: string } {
		const slot = new UploadSlot(type);
		this.slots.set(slot.id, slot);
		const isEarly = type === 'video' || type === 'audio';
		return { url: origin + slot.target, ...(isEarly && { token: slot.token }) };
	}

	/** The media with this token; undefined until its upload is complete. */
	media(token: string): Media | undefined {
		return this.library.find(token);
	}

	/** Stores media that a user sends: content, or a size and a seed to generate it from. It is ready at once. */
	accept(
		type: UploadType,
		fileName: string,
		content: Buffer | SyntheticContent,
		mimeType?: string,
	): Media {
		return this.library.add({
			type,
			token: createToken(type),
			fileName,
			content: contentOf(content),
			readyAfter: 0,
			...(mimeType !== undefined && { mimeType }),
			...(!Buffer.isBuffer(content) && { synthetic: content }),
		});
	}

	/** Serves one request and writes it to the journal. */
	handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const surroundings = { origin: 'upload', ...this.options } as const;
		return serve(surroundings, request, response, async (exchange) => {
			try {
				return await this.answer(exchange);
			} catch (error) {
				if (error instanceof Refusal) return error.answer;
				if (error instanceof CutConnection || request.socket.destroyed) throw error;
				// A defect of the platform itself: show it to whoever runs into it.
				return json(500, { error_code: 'internal', error_data: String(error) });
			}
		});
	}

	private answer({ request, body, entry: line }: Exchange): Answer | Promise<Answer> {
		const entry: UploadEntry = line;
		const isRead = entry.method === 'GET' || entry.method === 'HEAD';
		const download = isRead ? this.library.download(entry.path) : undefined;
		if (download) return download;
		const { headers } = request;
		if (!this.options.admits(headers.authorization ?? '')) {
			throw refusal(401, 'verify.token', 'Invalid access_token');
		}
		const slot = this.slotOf(entry, request.url);
		entry.upload_type = slot.type;
		if (entry.method === 'GET') return slot.inTurn(() => Promise.resolve(this.status(slot)));
		if (entry.method !== 'POST') throw refusal(405, 'method.not.allowed', 'POST a file here');
		const upload = { slot, headers, chunks: body.chunks(), entry, limits: this.limits };
		return slot.inTurn(() => this.receiver.receive(upload));
	}

	/** The slot of this request's URL, which has to be used exactly as issued. */
	private slotOf(entry: UploadEntry, target = ''): UploadSlot {
		const slot = this.slots.get(String(entry.query.id));
		if (!slot) throw refusal(404, 'upload.not.found', 'Unknown upload url');
		if (target !== slot.target) throw refusal(403, 'upload.signature', 'The url was changed');
		return slot;
	}

	private status({ media, stored, total = 0 }: UploadSlot): Answer {
		if (media) return text(200, progress(media.size, media.size));
		return stored.size > 0 ? text(200, progress(stored.size, total)) : { status: 204, body: '' };
	}
}
