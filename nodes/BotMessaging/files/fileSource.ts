import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { bufferStream, limitedTo, READ_BYTES, type ByteStream, type FileSource } from './bytes';
import { toNodeError } from '../service/errors';
import { reasonOf, type Failure } from '../service/failure';
import { at, textAt } from '../service/read';
import type { Trust } from '../service/trust';
import { openAddress, type FileAddress, type OpenedFile } from './fileHost';
import { announcedFile, extensionOf, safeFileName } from './fileName';
import { MEDIA } from './media';
import { SizeLimit, storeStream } from './storeStream';
import { readWithRetries } from './timeouts';

/**
 * A file of n8n's binary data: streamed from where n8n keeps it, or from the item itself in memory mode. Refuses what
 * is not base64: decoded all the same, it would be another file.
 */
export async function binarySource(
	context: IExecuteFunctions,
	binary: IBinaryData,
): Promise<FileSource> {
	const { id } = binary;
	// A file made in a Code node may lack the MIME type, although its type requires one, and be named by a number.
	const mimeType = textAt(binary, 'mimeType') ?? '';
	const ending = binary.fileExtension || extensionOf(mimeType) || 'bin';
	const fileName = textAt(binary, 'fileName') || `file.${ending}`;
	if (id === undefined) {
		const data = binary.data ?? '';
		if (isUnknown(data)) {
			throw toNodeError(context.getNode(), {
				message: `The file ${safeFileName(fileName)} is not given as base64`,
				advice:
					"The node before this one has to encode the content, for example with Buffer.from(…).toString('base64') in a Code node, without a prefix such as data:image/png;base64.",
			});
		}
		return {
			fileName,
			mimeType,
			size: decodedSize(data),
			// Decoded only when it is sent: many files may be waiting for their turn.
			open: async (offset) =>
				await Promise.resolve(bufferStream(Buffer.from(data, 'base64').subarray(offset))),
		};
	}
	const { helpers } = context;
	const { fileSize } = await helpers.getBinaryMetadata(id).catch((error: unknown) => {
		throw toNodeError(context.getNode(), notKept(fileName, error));
	});
	return {
		fileName,
		mimeType,
		size: fileSize,
		open: async (skip) => Object.assign(await helpers.getBinaryStream(id, READ_BYTES), { skip }),
	};
}

const notKept = (fileName: string, error: unknown): Failure => ({
	message: `n8n cannot read the file ${safeFileName(fileName)}: ${reasonOf(error)}`,
	advice:
		"n8n may have deleted it along with its execution: run the workflow from the start. An expression in 'Input Data Field Name' has to give the name of a binary field, or a file of n8n itself.",
});

/** Number of bytes that a base64 text decodes to. It has to be decoded only if it holds more than base64 digits. */
const decodedSize = (data: string): number =>
	/^[\w+/-]*={0,2}$/.test(data)
		? Buffer.byteLength(data, 'base64')
		: Buffer.from(data, 'base64').length;

/** Whether the content of a file is neither base64 nor a Buffer, which a Code node may give as well, also as JSON. */
const isUnknown = (data: unknown): boolean =>
	typeof data === 'string'
		? /[^\w+/=\r\n-]/.test(data)
		: !ArrayBuffer.isView(data) && at(data, 'type') !== 'Buffer';

const LARGEST = Math.max(...MEDIA.map(({ maxBytes }) => maxBytes));

/**
 * A file at an http(s) url, streamed through. If the host does not announce the size, which an upload needs in advance,
 * the file is first stored as n8n's binary data. Throws NodeApiError when it cannot be read.
 */
export async function addressSource(
	context: IExecuteFunctions,
	url: string,
	trust: Trust | undefined,
): Promise<FileSource> {
	const advice = 'Check the address: it has to lead to the file itself, without logging in.';
	const address = { url, trust, what: 'file', advice };
	const found = await readWithRetries(async () => {
		const answer = await openAddress(context, address);
		const { size, ...file } = announcedFile(url, answer);
		if (size !== undefined) return { answer, size, ...file };
		return { stored: await storeStream(context, answer, file, new SizeLimit(LARGEST)) };
	});
	if (found.stored) return await binarySource(context, found.stored);
	const { answer, size, fileName, mimeType = '' } = found;
	const version = versionOf(answer);
	let unread: OpenedFile | undefined = answer;
	let isLonger = false;
	// Without a listener, an error before the body is read would crash n8n. `open` then requests the file again.
	answer.body.on('error', () => undefined);
	return {
		fileName,
		mimeType,
		size,
		open: async (offset) => {
			if (isLonger) throw toNodeError(context.getNode(), LONGER);
			const first = unread;
			unread = undefined;
			const opened =
				first && !first.body.destroyed
					? first
					: await openFile(context, { ...address, from: offset });
			// A host that does not support ranges gives the whole file again.
			const isRest = opened.headers['content-range']?.startsWith(`bytes ${offset}-`) ?? false;
			const left = isRest ? size - offset : size;
			const isSame = (versionOf(opened) ?? version) === version;
			if (!isSame || announcedFile(url, opened).size !== left) {
				opened.close();
				throw toNodeError(context.getNode(), CHANGED);
			}
			const content = limitedTo(streamOf(opened), left, () => {
				isLonger = true;
			});
			return { ...content, skip: isRest ? 0 : offset };
		},
		close: () => unread?.close(),
	};
}

/** n8n's helper unpacks what a host packs without being asked to, and does not tell. */
const LONGER: Failure = {
	message: 'The file at the address is longer than its host announced',
	advice:
		"Its host probably sends it compressed. Get the file with an HTTP Request node, and choose 'Input Data' in 'File Source'.",
};

const CHANGED: Failure = {
	message: 'The file at the address changed while it was uploaded',
	advice: 'Run again.',
};

const streamOf = ({ body, close }: OpenedFile): ByteStream => ({
	destroy: close,
	[Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
});

/** Tells one version of the file at an address from another of the same size, where its host says so. */
const versionOf = ({ headers }: OpenedFile): string | undefined =>
	headers.etag ?? headers['last-modified'];

const openFile = async (context: IExecuteFunctions, address: FileAddress): Promise<OpenedFile> =>
	await readWithRetries(async () => await openAddress(context, address));
