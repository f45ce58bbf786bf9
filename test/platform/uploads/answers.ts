import { type Answer, json, text } from '../http';
import type { UploadLimits, UploadType } from './types';

/** A refused request, with its answer. */
export class Refusal extends Error {
	constructor(readonly answer: Answer) {
		super(`Refused with ${answer.status}`);
	}
}

/** A refusal in the shape of upload hosts (wire 6.2). */
export function refusal(status: number, code: string, data: string): Refusal {
	return new Refusal(json(status, { error_code: code, error_data: data }));
}

/** Interface, "Errors" 6: this one is plain text. */
export const forbiddenExtension = () => new Refusal(text(400, 'File extension is forbidden'));

/** How much of a file is stored, in the notation of resumable uploads (wire 6.3). */
export const progress = (stored: number, total: number) => `0-${stored - 1}/${total}`;

/** The answer to a finished upload, by type and by upload method (wire 6.2 and 6.3). */
export function finalAnswer(
	upload: { type: UploadType; token: string; key: string; fileId: number },
	{ image_answer }: Pick<UploadLimits, 'image_answer'>,
	resumed?: { total: number },
): Answer {
	const { type, token, key, fileId } = upload;
	if (type === 'image' && image_answer === 'token') return json(200, { token });
	if (type === 'image') return json(200, { photos: { [key]: { token } } });
	if (type === 'file') return json(200, { token, fileId });
	if (resumed) return text(200, progress(resumed.total, resumed.total));
	return text(200, '<?xml version="1.0" encoding="UTF-8"?><retval>1</retval>', 'text/xml');
}
