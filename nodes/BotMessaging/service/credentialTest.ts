import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readAnswer, readBrokenConnection, type HttpAnswer, type Outcome } from './send';
import { checkCredential, type Connection } from './connection';
import { explain } from './errors';
import { textAt } from './read';
import { trusting } from './trust';
import type { ServiceAnswer } from './types';

const TIMEOUT_MS = 30_000;

/** What a token can be tried with: not every service has the first one (interface: Endpoints). */
const PATHS = ['/me', '/subscriptions'] as const;

/**
 * Tests a credential by GET /me, or GET /subscriptions. What is wrong with its fields is told before anything is sent;
 * what the service or the system says is told in the words of all other errors.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const checked = checkCredential(data);
	if ('flaw' in checked) return refused(checked.flaw, checked.advice);
	for (const path of PATHS) {
		const outcome = await ask(this, checked, path);
		if ('answer' in outcome) {
			if (!isOfBot(outcome.answer)) break;
			return { status: 'OK', message: 'Connection successful!' };
		}
		const { title, advice } = explain(outcome.failed);
		if (!ABSENT.includes(outcome.failed.status)) {
			return refused(title ?? outcome.failed.message, advice);
		}
	}
	return refused('There is no bot service at this Base URL', 'Check the address and its path.');
}

/** What a service answers for an operation that it does not have. */
const ABSENT: readonly unknown[] = [404, 405];

const isOfBot = (answer: ServiceAnswer): boolean =>
	textAt(answer, 'user_id') !== undefined || Array.isArray(answer.subscriptions);

const refused = (what: string, advice: string): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${what.replace(/\.$/, '')}. ${advice}`,
});

/** n8n gives tests of credentials this older helper alone. */
async function ask(
	{ helpers }: ICredentialTestFunctions,
	connection: Connection,
	path: string,
): Promise<Outcome> {
	const { baseUrl, token, allowedDomains, trust } = connection;
	const url = `${baseUrl}${path}`;
	try {
		const answer: HttpAnswer = await trusting(
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
					...trusted,
				}),
		);
		return readAnswer(answer, { method: 'GET', path }, token);
	} catch (error) {
		return readBrokenConnection(error);
	}
}
