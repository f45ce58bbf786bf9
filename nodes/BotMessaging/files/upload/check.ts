import type { IExecuteFunctions } from 'n8n-workflow';
import type { FileSource } from '../bytes';
import { toNodeError } from '../../service/errors';
import { safeFileName } from '../fileName';
import { mediaRules, readableSize, type MediaType } from '../media';

/**
 * Refuses a file that the service would not take, before anything is sent.
 *
 * @throws NodeApiError for an empty file and one beyond the limit of its kind (interface: Limits)
 */
export function checkUpload(
	context: Pick<IExecuteFunctions, 'getNode'>,
	type: MediaType,
	{ fileName, size }: Pick<FileSource, 'fileName' | 'size'>,
): void {
	const refuse = (message: string, advice: string): never => {
		throw toNodeError(context.getNode(), { message, advice });
	};
	const name = safeFileName(fileName);
	if (size === 0) {
		refuse(
			`The file ${name} is empty`,
			'The service takes no file of 0 bytes. Check where it comes from.',
		);
	}
	const rules = mediaRules(type);
	if (!rules || size <= rules.maxBytes) return;
	refuse(
		`The file ${name} is too large: ${readableSize(size)} (${size} bytes), and the limit of ${rules.name} is ${rules.limit}`,
		type === 'file'
			? 'Make the file smaller, or split it.'
			: 'Make it smaller, or choose Media Type → File, which takes up to 4 GB.',
	);
}
