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

const TIMEOUT_MS = 30_000;

/**
 * Tests a credential by GET /me. What is wrong with its fields is told before anything is sent; what the service or the
 * system says is told in the words of all other errors.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const checked = checkCredential(data);
	if ('flaw' in checked) return refused(checked.flaw, checked.advice);
	const outcome = await ask(this, checked);
	if ('answer' in outcome && textAt(outcome.answer, 'user_id') !== undefined) {
		return { status: 'OK', message: 'Connection successful!' };
	}
	if ('answer' in outcome || outcome.failed.status === 404) {
		return refused('There is no bot service at this Base URL', 'Check the address and its path.');
	}
	const { title, advice } = explain(outcome.failed);
	return refused(title ?? outcome.failed.message, advice);
}

const refused = (what: string, advice: string): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${what.replace(/\.$/, '')}. ${advice}`,
});

/** n8n gives tests of credentials this older helper alone. */
async function ask(
	{ helpers }: ICredentialTestFunctions,
	connection: Connection,
): Promise<Outcome> {
	const { baseUrl, token, allowedDomains, trust } = connection;
	const url = `${baseUrl}/me`;
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
		return readAnswer(answer, { method: 'GET', path: '/me' }, token);
	} catch (error) {
		return readBrokenConnection(error);
	}
}
