import { randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { formatOf } from '../form/content';
import { asKeyboard, keyboardRows } from '../form/keyboard';
import type { Form } from '../form/form';
import { readConnection } from '../service/connection';
import type { ExactJson } from '../service/json';
import { ALLOWED_USERS, ANSWER_IN } from './fields';
import { customFields, FREE_TEXT } from './submission';
import type { Question } from './question';
import { sealTicket } from './ticket';

/**
 * The question that a form asks, complete but for the ID of its message.
 *
 * @throws NodeOperationError for a field that restricts who may answer and names nobody
 */
export function questionFrom(context: IExecuteFunctions, form: Form, options: Form): Question {
	const kind = kindOf(form);
	const inChat = kind === 'approval' && form.text(ANSWER_IN) === 'chat';
	const text = form.requiredText('message');
	return {
		id: randomBytes(16).toString('base64url'),
		kind,
		place: inChat ? 'chat' : 'page',
		allowed: inChat ? allowedUsers(context, form) : null,
		message_id: '',
		text,
		format: formatOf(form) ?? null,
		page:
			kind === 'approval'
				? null
				: {
						title: options.text('responseFormTitle') || 'Answer requested',
						description: options.text('responseFormDescription') || text,
						buttonLabel: options.text('responseFormButtonLabel') || 'Submit',
						fields: kind === 'freeText' ? FREE_TEXT : customFields(form),
					},
	};
}

function kindOf(form: Form): Question['kind'] {
	const kind = form.text('responseType');
	if (kind === 'approval' || kind === 'freeText' || kind === 'customForm') return kind;
	return form.refuse('responseType', `is none of its options: ${kind.slice(0, 80)}`);
}

/** Left empty, everybody may answer. Filled in, also by an expression, it has to name somebody. */
function allowedUsers(context: IExecuteFunctions, form: Form): string[] | null {
	const raw = context.getNode().parameters[ALLOWED_USERS];
	const isLeftEmpty = raw === undefined || (typeof raw === 'string' && /^=?\s*$/.test(raw));
	if (isLeftEmpty) return null;
	const ids = form.ids(ALLOWED_USERS);
	const stranger = ids.find((id) => id <= 0n);
	if (stranger !== undefined) {
		form.refuse(ALLOWED_USERS, `has ${stranger}, which is not the ID of a person`);
	}
	if (ids.length === 0) {
		form.refuse(
			ALLOWED_USERS,
			'is filled in but gives no ID, so the question was not sent',
			'Check what its expression gives, or clear the field to let everybody in the chat answer.',
		);
	}
	return ids.map(String);
}

/** The keyboard of a question: the buttons that answer it, above any of the user's own. */
export async function questionKeyboard(
	context: IExecuteFunctions,
	form: Form,
	options: Form,
	question: Question,
): Promise<ExactJson> {
	const own = keyboardRows(form);
	const row = await answerButtons(context, form, options, question);
	if (own === undefined) return asKeyboard([row]);
	if (!Array.isArray(own)) return form.refuse('keyboard_json', 'is not a list of rows');
	return asKeyboard([row, ...own]);
}

/** The buttons that answer a question: links to n8n's page, or buttons whose press the trigger takes. */
async function answerButtons(
	context: IExecuteFunctions,
	form: Form,
	options: Form,
	question: Question,
): Promise<ExactJson[]> {
	const link = (text: string, query: Record<string, string> = {}): ExactJson => ({
		type: 'link',
		text,
		url: context.getSignedResumeUrl({ question: question.id, ...query }),
	});
	if (question.kind !== 'approval') return [link(options.text('messageButtonLabel') || 'Respond')];
	const approval = form.part('approvalOptions').part('values');
	const choices = [{ approved: true, text: approval.text('approveLabel') || 'Approve' }];
	if (approval.text('approvalType') === 'double') {
		choices.push({ approved: false, text: approval.text('disapproveLabel') || 'Decline' });
	}
	if (question.place === 'page') {
		return choices.map(({ approved, text }) => link(text, { approved: String(approved) }));
	}
	const { token } = await readConnection(context);
	const url = context.getSignedResumeUrl();
	return choices.map(({ approved, text }) => ({
		type: 'callback',
		text,
		payload: sealTicket(token, { url, question: question.id, approved }),
	}));
}
