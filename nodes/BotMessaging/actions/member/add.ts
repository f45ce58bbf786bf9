import type { IDataObject } from 'n8n-workflow';
import { throwAfter, toNodeError } from '../../service/errors';
import type { Failure } from '../../service/failure';
import { meaningOf } from '../../service/hints/status';
import { at, listAt, textAt } from '../../service/read';
import type { ServiceAnswer } from '../../service/types';
import { chunks, distinct } from '../../form/paging';
import { chatIdField, chatKey, chatPath, userIdsField } from '../../form/target';
import type { RunOperation } from '../operation';

/** Users that were not added, for one reason (wire 3.9). */
interface Failed {
	error_code?: string;
	/** The code of the whole answer. */
	code?: string;
	message?: string;
	user_ids: string[];
}

/** POST /chats/{chatId}/members */
export const operation: RunOperation = {
	value: 'add',
	name: 'Add',
	action: 'Add members',
	description: 'Add any number of users to a group chat',
	fields: [chatIdField, userIdsField('They are added 100 per request.')],
	lane: chatKey,
	run: async ({ form, service, context }) => {
		const path = chatPath(form, '/members');
		const ids = distinct(form, 'user_ids', form.ids('user_ids'));
		const byReason = new Map<string, Failed>();
		let asked = 0;
		for (const user_ids of chunks(ids)) {
			const answer = await service
				.request({ method: 'POST', twice: 'again', path, body: { user_ids }, acceptsFailure: true })
				.catch((error: unknown) =>
					throwAfter(addedBefore(asked, without(ids.slice(0, asked), byReason.values())), error),
				);
			asked += user_ids.length;
			for (const failure of failuresOf(answer, user_ids.map(String))) {
				const reason = failure.error_code ?? failure.message ?? failure.code ?? '';
				const known = byReason.get(reason)?.user_ids ?? [];
				byReason.set(reason, { ...failure, user_ids: [...known, ...failure.user_ids] });
			}
		}
		const failures = [...byReason.values()];
		const added = without(ids, failures);
		if (added.length === 0) {
			throw toNodeError(context.getNode(), {
				status: 200,
				code: failures[0]?.error_code ?? failures[0]?.code,
				...describeFailures(failures),
			});
		}
		return [{ json: outputOf(added, failures) }];
	},
};

function without(ids: readonly bigint[], failed: Iterable<Failed>): string[] {
	const refused = new Set([...failed].flatMap(({ user_ids }) => user_ids));
	return ids.map(String).filter((id) => !refused.has(id));
}

const addedBefore = (asked: number, added: readonly string[]): string | undefined =>
	asked > 0 ? `Before, ${added.length} of the first ${asked} users were added.` : undefined;

/** The IDs in a list of an answer; what is none of them names nobody. */
const idsAt = (source: unknown, key: string): string[] =>
	listAt(source, key).flatMap((id) => textAt(id) ?? []);

/** The requested users that were not added, by reason. A refusal that names nobody applies to all of them. */
function failuresOf(answer: ServiceAnswer, asked: string[]): Failed[] {
	const message = textAt(answer, 'message');
	const code = textAt(answer, 'code');
	const details = listAt(answer, 'failed_user_details').map((detail) => ({
		error_code: textAt(detail, 'error_code'),
		user_ids: idsAt(detail, 'user_ids'),
	}));
	const explained = new Set(details.flatMap(({ user_ids }) => user_ids));
	const others = idsAt(answer, 'failed_user_ids').filter((id) => !explained.has(id));
	const isRefused = (at(answer, 'success') ?? true) !== true;
	if (isRefused && explained.size + others.length === 0) {
		return [{ error_code: details[0]?.error_code, code, message, user_ids: asked }];
	}
	if (others.length > 0) details.push({ error_code: undefined, user_ids: others });
	return details.map((one) => ({ ...one, code, message }));
}

function outputOf(added: string[], failures: Failed[]): IDataObject {
	if (failures.length === 0) return { success: true, added_user_ids: added };
	return {
		success: false,
		message: failures.find(({ message }) => message)?.message,
		added_user_ids: added,
		failed_user_ids: failures.flatMap(({ user_ids }) => user_ids),
		failed_user_details: failures.map(({ error_code, code, message, user_ids }) =>
			error_code ? { error_code, user_ids } : { ...(code && { code }), message, user_ids },
		),
	};
}

const MOST_NAMED = 10;

function describeFailures(failures: Failed[]): Pick<Failure, 'message' | 'wordless'> {
	const message = failures.find((one) => one.message)?.message;
	const named = failures
		.filter(({ error_code }) => error_code)
		.map(({ error_code, user_ids }) => {
			const rest = user_ids.length > MOST_NAMED ? ' …' : '';
			return `${error_code} (${user_ids.slice(0, MOST_NAMED).join(', ')}${rest})`;
		});
	if (named.length > 0)
		return { message: `${message ?? 'No user was added'}: ${named.join('; ')}` };
	if (message) return { message };
	const code = failures.find((one) => one.code)?.code;
	const meaning = code && meaningOf(200, code);
	return {
		message: meaning ?? 'The service answered that no user was added',
		wordless: 'nothing',
	};
}
