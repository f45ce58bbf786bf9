import { engineHome } from '../node/support/environment';
import { storeBinary } from '../node/support/binary';
import type { IBinaryData } from 'n8n-workflow';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A sparse file of zeros in n8n's binary store, of arbitrary size and without disk space. */
export async function storeZeros(bytes: number): Promise<IBinaryData> {
	const fileName = 'file.bin';
	const binary = await storeBinary(Buffer.alloc(1), { fileName });
	const path = join(engineHome, 'binary', binary.id?.replace(/^[^:]*:/, '') ?? '');
	await truncate(path, bytes);
	const metadata = { fileName, mimeType: binary.mimeType, fileSize: bytes };
	await writeFile(`${path}.metadata`, JSON.stringify(metadata));
	return { ...binary, bytes };
}
