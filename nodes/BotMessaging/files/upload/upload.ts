import type { IExecuteFunctions } from 'n8n-workflow';
import type { FileSource } from '../bytes';
import { isOwnHost, listsHost } from '../../service/connection';
import { toNodeError } from '../../service/errors';
import type { Failure } from '../../service/failure';
import { CANCELLED, isCancelled, isWebAddress, type FileRequest } from '../fileHost';
import { safeFileName } from '../fileName';
import { RetryWindow } from '../timeouts';
import { transfers } from '../semaphore';
import { MB, type MediaType } from '../media';
import { textAt } from '../../service/read';
import type { Service } from '../../service/types';
import { redactParts } from '../../service/errorMessages';
import { escapeHtml } from '../../text/html';
import { uploadAsForm } from './multipart';
import { uploadInParts } from './resumable';
import {
	failureOf,
	isHostFault,
	readUploadAnswer,
	tokenInUrl,
	type SendEnd,
	type Transfer,
	type UploadAnswer,
} from './transfer';
import { askUploadHost, type Reply } from './uploadHost';

export interface UploadSettings {
	/** How a file is sent: `automatic` uses one form up to `FORM_BYTES` and parts above that. */
	method: 'automatic' | 'multipart' | 'resumable';
	partBytes: number;
	/** How long faults may go on without any progress, in ms. */
	patienceMs: number;
	/** Whether the upload host gets the access token (wire 6.1). */
	withToken: boolean;
}

/** An uploaded file, as operations output it. */
export interface UploadedFile {
	type: MediaType;
	/** Identifies the file in messages. */
	token: string;
	file_name: string;
	mime_type: string;
	/** Bytes. */
	size: number;
	/** The host's number of the file, if it tells one. */
	file_id?: string;
}

/** Largest file that `automatic` sends as one form, in bytes. */
const FORM_BYTES = 50 * MB;

/** How many urls may prove useless for one file, not counting those lost to the network or to an ailing host. */
const MOST_URLS = 3;

/** The upload of one file: gets a url from POST /uploads, a new one for every restart, and streams it there. */
export class Upload implements Transfer {
	url = '';

	readonly fileName: string;

	readonly patience: RetryWindow;

	/** Whether a host in Allowed Domains has asked for the token. */
	private isAsked = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly service: Service,
		private readonly type: MediaType,
		readonly source: FileSource,
		private readonly settings: UploadSettings,
	) {
		this.fileName = safeFileName(source.fileName);
		this.patience = new RetryWindow(settings.patienceMs, (failure) => this.error(failure));
	}

	/** @throws NodeApiError when the file is refused, a fault lasts, or the execution is stopped */
	async run(): Promise<UploadedFile> {
		const file = await transfers.run(async () => await this.send());
		this.hintInterruptions();
		return file;
	}

	/** Tells the user about an upload that was interrupted and resumed. n8n shows hints as HTML. */
	private hintInterruptions(): void {
		const { interruptions } = this.patience;
		if (interruptions === 0) return;
		const times = interruptions === 1 ? 'once' : `${interruptions} times`;
		this.context.addExecutionHints({
			message: `The upload of ${escapeHtml(this.fileName)} was interrupted ${times} and went on by itself.`,
			location: 'outputPane',
		});
	}

	private async send(): Promise<UploadedFile> {
		for (let wasted = 0; ;) {
			const slot = await this.service.request({
				method: 'POST',
				twice: 'same',
				path: '/uploads',
				query: { type: this.type },
			});
			const url = textAt(slot, 'url');
			if (!url || !isWebAddress(url)) throw this.error(NO_URL);
			const end = await this.transfer(url);
			const told: UploadAnswer = 'answer' in end ? readUploadAnswer(end.answer) : {};
			const token = tokenOf(this.type, textAt(slot, 'token'), told.token) ?? tokenInUrl(url);
			if (token && ('answer' in end || end.isWhole)) return this.result(token, told);
			if ('answer' in end) throw this.error(NO_TOKEN);
			const { fault, isLost } = end;
			// A healthy host will refuse or lose the file again; a failing one may recover.
			if ((isLost || !isHostFault(fault)) && ++wasted >= MOST_URLS) throw this.error(fault);
			await this.patience.wait(fault);
		}
	}

	private async transfer(url: string): Promise<SendEnd> {
		this.url = url;
		const { method, partBytes } = this.settings;
		const asForm =
			method === 'multipart' || (method === 'automatic' && this.source.size <= FORM_BYTES);
		return asForm ? await uploadAsForm(this) : await uploadInParts(this, partBytes);
	}

	/**
	 * The interface wants the token sent to upload urls, but real services do not need it (wire 6.1). So it goes only to the
	 * service's own host, or where the user asks for it, or to hosts in Allowed Domains once one of them has answered 401.
	 */
	async ask(request: FileRequest): Promise<Reply> {
		const { connection } = this.service;
		const isListed = listsHost(connection, request.url);
		const withToken =
			this.settings.withToken || isOwnHost(connection, request.url) || (isListed && this.isAsked);
		const reply = await askUploadHost(this.context, request, connection, withToken);
		if (isCancelled(this.context)) throw this.error(CANCELLED);
		const isWanted = isListed && !withToken && 'status' in reply && reply.status === 401;
		if (!isWanted) return reply;
		// The body has been consumed, so this try has failed; the next one sends the token.
		this.isAsked = true;
		return { broken: failureOf(reply) };
	}

	error(failure: Failure): Error {
		const asked = `${this.fileName} ${this.source.mimeType}`;
		const message = redactParts(this.service.connection.token, failure.message, asked);
		return toNodeError(this.context.getNode(), { ...failure, message });
	}

	private result(token: string, { fileId }: UploadAnswer): UploadedFile {
		const { type, fileName: file_name } = this;
		const { mimeType: mime_type, size } = this.source;
		return { type, token, file_name, mime_type, size, file_id: fileId };
	}
}

/** The token of a video or audio comes with the url, that of an image or file with the host's answer. */
const tokenOf = (type: MediaType, early?: string, late?: string): string | undefined =>
	type === 'video' || type === 'audio' ? (early ?? late) : (late ?? early);

const NO_URL: Failure = {
	message: 'The service gave no address to upload the file to',
	advice: 'Run again. If that does not help, report it to the platform.',
};

const NO_TOKEN: Failure = {
	message: 'The upload host answered without a token for the file',
	advice:
		'Run again. If that does not help, the service answers in a way that this version does not know.',
};
