import type { FileSource } from '../bytes';
import type { Failure } from '../../service/failure';
import type { FileAnswer, FileRequest } from '../fileHost';
import type { Endurance } from '../transfers';
import { refusalOf } from './answer';
import type { Reply } from './uploadHost';

/** One file on its way to one upload url. */
export interface Transfer {
	/** Address from POST /uploads, used as it is. */
	url: string;
	source: FileSource;
	/** Name that the service gets; safe in headers and file systems. */
	fileName: string;
	/** Sends one request to the upload host. */
	ask(request: FileRequest): Promise<Reply>;
	patience: Endurance;
	/** The error for what cannot be repaired by trying again. */
	refused(failure: Failure): Error;
	/** Told after each part: bytes the host has. */
	progress(stored: number): void;
	/** @throws when the user stopped the execution */
	checkCancelled(): void;
}

/** How a transfer ended: with the host's last answer, or with an url that is of no more use. */
export type TransferEnd =
	/** `answer` is absent when the host has all bytes but its answer was lost. */
	{ answer?: string } | { lost: Failure };

/** Answers after which the same url may still work. */
const PASSING = new Set([408, 409, 416, 423, 425, 429]);

/** Answers that say that the url is not known, or no longer. */
const LOST = new Set([403, 404, 410]);

/** What an answer means: taken, worth another try at this url, worth another url, or refused for good. */
export type Verdict = 'taken' | 'again' | 'lost' | 'refused';

export function verdictOf({ status }: FileAnswer<string>): Verdict {
	if (status >= 200 && status < 300) return 'taken';
	if (PASSING.has(status) || status >= 500) return 'again';
	return LOST.has(status) ? 'lost' : 'refused';
}

/** The failure that a reply is, in the host's words. */
export const failureOf = (reply: Reply): Failure =>
	'broken' in reply ? reply.broken : refusalOf(reply);

/** The failure that it is when the content itself cannot be read any further. */
export const sourceFailure = ({ message }: Error): Failure => ({
	message,
	advice: 'Check that the source of the file can be reached, then run again.',
});
