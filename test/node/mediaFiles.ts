import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { storeBinary } from './support/binary';
import type { BinaryMode } from './support/scope';
import type { Stage } from './support/stage';
import { syntheticBytes } from '../platform/uploads/content';

/** A file as a test describes it. */
interface TestFile {
	/** Bytes. */
	size: number;
	fileName: string;
	mimeType: string;
}

const contentOf = ({ size, fileName }: TestFile) => [...syntheticBytes({ size, seed: fileName })];

/** SHA-256 of the file's content, hexadecimal. */
export function hashOf(file: TestFile): string {
	const hash = createHash('sha256');
	for (const block of contentOf(file)) hash.update(block);
	return hash.digest('hex');
}

/** An item with files under the given fields, stored as n8n stores them in this mode. */
export async function itemWith(
	files: Record<string, TestFile>,
	mode: BinaryMode = 'filesystem',
): Promise<INodeExecutionData> {
	const stored = Object.entries(files).map(async ([field, file]) => {
		const content = file.size === 0 ? Buffer.alloc(0) : Readable.from(contentOf(file));
		return [field, await storeBinary(content, { ...file, mode })];
	});
	return { json: {}, binary: Object.fromEntries(await Promise.all(stored)) };
}

/** A picture that people send. */
export const PICTURE = {
	type: 'image',
	content_base64: Buffer.from('a picture').toString('base64'),
	file_name: 'sea.png',
	mime_type: 'image/png',
};

/** One file of each kind of media. */
export const KINDS = {
	image: { fileName: 'photo.png', mimeType: 'image/png' },
	video: { fileName: 'clip.mp4', mimeType: 'video/mp4' },
	audio: { fileName: 'song.mp3', mimeType: 'audio/mpeg' },
	file: { fileName: 'report.pdf', mimeType: 'application/pdf' },
} as const;

export type Kind = keyof typeof KINDS;

/** The requests to the upload origin in the journal, oldest first. */
export const uploadRequests = async (stage: Stage) =>
	await stage.control.journal({ kind: 'request', origin: 'upload' });

/** Hashes of the files that the platform has got, oldest first. */
export async function receivedHashes(stage: Stage): Promise<string[]> {
	return (await uploadRequests(stage)).flatMap(({ sha256 }) => sha256 ?? []);
}

/** The form of File → Upload. */
export const uploadForm = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'file',
	operation: 'upload',
	...parameters,
});

const DESCRIPTORS = '/proc/self/fd';

/** Stored files that this process has open at the moment, where the system tells. */
export function openFiles(): string[] {
	if (!existsSync(DESCRIPTORS)) return [];
	return readdirSync(DESCRIPTORS).flatMap((descriptor) => {
		const file = linkOf(`${DESCRIPTORS}/${descriptor}`);
		return file.includes('binary_data') ? [file] : [];
	});
}

function linkOf(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		// Closed between the two looks.
		return '';
	}
}
