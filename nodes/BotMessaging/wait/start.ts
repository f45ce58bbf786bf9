import type { IExecuteFunctions } from 'n8n-workflow';
import { asKeyboard, keyboardRows } from '../form/keyboard';
import { readConnection } from '../service/connection';
import type { ExactJson } from '../service/json';
import type { Form } from '../form/form';
import { ANSWER_IN } from './fields';
import { sealTicket } from './ticket';

type Row = ExactJson[];

/** The keyboard of a request: the buttons that answer it, above any of the user's own. */
export async function responseKeyboard(
	context: IExecuteFunctions,
	form: Form,
	options: Form,
): Promise<ExactJson> {
	const own = keyboardRows(form);
	const rows = await responseButtons(context, form, options);
	if (own === undefined) return asKeyboard(rows);
	if (!Array.isArray(own)) return form.refuse('keyboard_json', 'is not a list of rows');
	return asKeyboard([...rows, ...own]);
}

/** The buttons that answer a request: links to n8n's page, or buttons whose press the trigger takes. */
async function responseButtons(
	context: IExecuteFunctions,
	form: Form,
	options: Form,
): Promise<Row[]> {
	if (form.text('responseType') !== 'approval') {
		const text = options.text('messageButtonLabel') || 'Respond';
		return [[{ type: 'link', text, url: context.getSignedResumeUrl() }]];
	}
	const approval = form.part('approvalOptions').part('values');
	const choices = [{ approved: true, text: approval.text('approveLabel') || 'Approve' }];
	if (approval.text('approvalType') === 'double') {
		choices.push({ approved: false, text: approval.text('disapproveLabel') || 'Decline' });
	}
	if (form.text(ANSWER_IN) !== 'chat') {
		return [
			choices.map(({ approved, text }) => ({
				type: 'link',
				text,
				url: context.getSignedResumeUrl({ approved: String(approved) }),
			})),
		];
	}
	const { token } = await readConnection(context);
	const url = context.getSignedResumeUrl();
	return [
		choices.map(({ approved, text }) => ({
			type: 'callback',
			text,
			payload: sealTicket(token, { url, approved }),
		})),
	];
}
