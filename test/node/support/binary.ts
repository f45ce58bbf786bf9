import { startServices } from './services';
import { Container } from '@n8n/di';
import { BinaryDataService, FileLocation } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import type { Readable } from 'node:stream';
import { newScope, within, type BinaryMode } from './scope';

interface BinaryFile {
	fileName?: string;
	mimeType?: string;
	/** Must be the mode of the run that gets the file. */
	mode?: BinaryMode;
}

/** Stores a file as n8n does in this mode, and returns what an item has in `binary.<field>`. */
export async function storeBinary(
	content: Buffer | Readable,
	{ fileName, mimeType = 'application/octet-stream', mode = 'filesystem' }: BinaryFile = {},
): Promise<IBinaryData> {
	await startServices();
	const location = FileLocation.ofExecution('input', 'input');
	const empty: IBinaryData = { data: '', mimeType, fileName };
	return await within(
		newScope(mode),
		async () => await Container.get(BinaryDataService).store(location, content, empty),
	);
}

/** The bytes of what an item has in `binary.<field>`, in either mode. */
export async function readBinary(binary: IBinaryData): Promise<Buffer> {
	await startServices();
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}
