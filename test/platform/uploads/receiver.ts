import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, text } from '../http';
import { finalAnswer, forbiddenExtension, progress, refusal } from './answers';
import { Content, type FinishedContent } from './content';
import type { MediaLibrary } from './library';
import { receiveMultipart } from './multipart';
import { dispositionName, extensionOf, formName } from './names';
import { declaredTotal, receivePart } from './resumable';
import type { UploadSlot } from './slot';
import type { UploadEntry, UploadLimits, UploadType } from './types';

/** A request in progress, to an upload URL that is not used up. */
interface Upload {
	slot: UploadSlot;
	headers: IncomingHttpHeaders;
	chunks: AsyncIterable<Buffer>;
	/** The journal entry; file name and hash are filled in. */
	entry: UploadEntry;
	limits: UploadLimits;
}

/** Receives files by both methods, multipart and resumable (wire 6.2 and 6.3). */
export class Receiver {
	constructor(
		private readonly library: MediaLibrary,
		private readonly readyAfterMs: () => number,
	) {}

	/** Receives one request. Throws a Refusal for anything the service does not take. */
	receive(upload: Upload): Promise<Answer> {
		if (upload.slot.media) throw refusal(400, 'upload.url.used', 'One file per upload url');
		const isForm = /^multipart\/form-data/i.test(upload.headers['content-type'] ?? '');
		return isForm ? this.receiveForm(upload) : this.receivePart(upload);
	}

	private async receiveForm(upload: Upload): Promise<Answer> {
		const { slot, headers, chunks, entry, limits } = upload;
		if (slot.stored.size > 0) throw refusal(400, 'upload.resumable', 'The upload began in parts');
		const content = new Content();
		let fileName = '';
		let mimeType = '';
		await receiveMultipart(headers, chunks, {
			begin(writtenName, partType) {
				entry.file_name = writtenName;
				fileName = formName(writtenName);
				mimeType = partType;
				checkName(slot.type, fileName, limits);
			},
			write(chunk) {
				checkSize(slot.type, content.size + chunk.length, limits);
				content.write(chunk);
			},
		});
		this.complete(upload, content.finish(), fileName, mimeType);
		return finalAnswer(slot, limits);
	}

	private async receivePart(upload: Upload): Promise<Answer> {
		const { slot, headers, chunks, entry, limits } = upload;
		const range = headers['content-range'];
		const total = declaredTotal(range);
		const named = dispositionName(headers['content-disposition']);
		if (named) entry.file_name = named.written;
		slot.fileName ??= named?.name;
		const { fileName } = slot;
		checkSize(slot.type, total, limits);
		if (fileName === undefined) throw refusal(400, 'upload.name', 'A file name is needed');
		checkName(slot.type, fileName, limits);
		if (await receivePart(slot, range, chunks, limits)) {
			this.complete(upload, slot.stored.finish(), fileName);
			return finalAnswer(slot, limits, { total });
		}
		const isText = slot.type === 'video' || slot.type === 'audio';
		return isText ? text(201, progress(slot.stored.size, total)) : { status: 201, body: '' };
	}

	/** Turns a complete file into media, or throws a Refusal. */
	private complete(
		{ slot, entry, limits }: Upload,
		content: FinishedContent,
		fileName: string,
		mimeType?: string,
	): void {
		entry.sha256 = content.sha256;
		checkFile(slot.type, content, limits);
		slot.media = this.library.add({
			type: slot.type,
			token: slot.token,
			fileName,
			content,
			readyAfter: this.readyAfterMs(),
			...(mimeType !== undefined && { mimeType }),
		});
	}
}

/** Throws a Refusal if the service does not take a file of this name. */
function checkName(type: UploadType, fileName: string, limits: UploadLimits): void {
	const extension = extensionOf(fileName);
	const isForeign = extension !== '' && limits.extensions[type]?.includes(extension) === false;
	if (isForeign || limits.forbidden_extensions.includes(extension)) throw forbiddenExtension();
}

/** Throws a Refusal if a file is too large. */
function checkSize(type: UploadType, size: number, limits: UploadLimits): void {
	const most = limits.bytes[type];
	if (size > most) throw refusal(413, 'upload.too.large', `${type}: at most ${most} bytes`);
}

/** Throws a Refusal if the service does not take this complete file. */
function checkFile(type: UploadType, file: FinishedContent, limits: UploadLimits): void {
	const { size, width = 0, height = 0, duration = 0 } = file;
	if (size === 0) throw refusal(400, 'upload.empty', 'The file is empty');
	if (type === 'image' && Math.max(width, height) > limits.image_side) {
		const most = limits.image_side;
		throw refusal(400, 'upload.image.size', `An image has at most ${most} x ${most} pixels`);
	}
	if (type === 'audio' && duration > limits.audio_seconds) {
		throw refusal(400, 'upload.audio.length', `At most ${limits.audio_seconds} seconds`);
	}
}
