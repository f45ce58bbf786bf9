import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { answerBefore, type OpenedAnswer, type Outcome } from './answer';
import { checkCredential, type Connection } from './connection';
import { explain } from './errors';
import type { Failure } from './failure';
import { textAt } from './read';
import { trusting } from './trust';
import type { ServiceAnswer } from './types';

const TIMEOUT_MS = 30_000;

/** Endpoints to try the token on, in order: not every service has the first (interface: Endpoints). */
const PATHS = ['/me', '/subscriptions'] as const;

/** Tests a credential with GET /me, or GET /subscriptions where that is absent. Sends nothing if a field is invalid. */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const checked = checkCredential(data);
	if ('flaw' in checked) return refused(checked.flaw, checked.advice);
	for (const path of PATHS) {
		const outcome = await ask(this, checked, path);
		if ('answer' in outcome) {
			if (!isOfBot(outcome.answer)) continue;
			return { status: 'OK', message: 'Connection successful!' };
		}
		const failure: Failure = { ...outcome.failed, isOutside: true, isHarmless: true };
		const { title, advice } = explain(failure);
		if (!ABSENT.includes(failure.status)) {
			return refused(title ?? failure.message, advice);
		}
	}
	return refused('There is no bot service at this Base URL', 'Check the address and its path.');
}

/** Statuses of a service that does not have the operation. */
const ABSENT: readonly unknown[] = [400, 404, 405, 501];

const isOfBot = (answer: ServiceAnswer): boolean =>
	textAt(answer, 'user_id') !== undefined || Array.isArray(answer.subscriptions);

const refused = (what: string, advice: string): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${what.replace(/\.$/, '')}. ${advice}`,
});

/** An answer whose body can be given up. */
type Opened = OpenedAnswer & { body: { destroy(): unknown } };

/** Sends one request. This older helper is the only one that n8n offers to credential tests. */
async function ask(
	{ helpers }: ICredentialTestFunctions,
	connection: Connection,
	path: string,
): Promise<Outcome> {
	const { baseUrl, token, allowedDomains, trust } = connection;
	const url = `${baseUrl}${path}`;
	// The helper has no limit for the time and size of a body.
	const deadline = AbortSignal.timeout(TIMEOUT_MS);
	const open = async (): Promise<Opened> => {
		const answer: Opened = await trusting(
			trust,
			url,
			async (trusted) =>
				await helpers.request({
					method: 'GET',
					url,
					headers: { Authorization: token },
					allowedDomains,
					simple: false,
					resolveWithFullResponse: true,
					followRedirect: false,
					timeout: TIMEOUT_MS,
					useStream: true,
					...trusted,
				}),
		);
		deadline.addEventListener('abort', () => answer.body.destroy());
		return answer;
	};
	return await answerBefore(deadline, open, { method: 'GET', path }, token);
}
