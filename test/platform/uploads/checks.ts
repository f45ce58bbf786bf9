import { forbiddenExtension, refusal } from './answers';
import type { FinishedContent } from './content';
import { extensionOf } from './names';
import type { UploadLimits, UploadType } from './types';

/** Throws a Refusal if the service does not take a file of this name. */
export function checkName(type: UploadType, fileName: string, limits: UploadLimits): void {
	const extension = extensionOf(fileName);
	const isForeign = extension !== '' && limits.extensions[type]?.includes(extension) === false;
	if (isForeign || limits.forbidden_extensions.includes(extension)) throw forbiddenExtension();
}

/** Throws a Refusal if a file is too large. */
export function checkSize(type: UploadType, size: number, limits: UploadLimits): void {
	const most = limits.bytes[type];
	if (size > most) throw refusal(413, 'upload.too.large', `${type}: at most ${most} bytes`);
}

/** Throws a Refusal if the service does not take this complete file. */
export function checkFile(type: UploadType, file: FinishedContent, limits: UploadLimits): void {
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
