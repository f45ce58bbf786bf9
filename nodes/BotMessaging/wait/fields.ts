import type { INodeProperties } from 'n8n-workflow';
import { choice, groupField, menuField, noticeField, showWhen, stringField } from '../form/fields';
import type { Form } from '../form/form';
import { LABEL_LIMIT } from '../service/limits';
import { formFieldsField } from './submission';

export const responseTypeField = menuField(
	'Response Type',
	'responseType',
	{ default: 'approval' },
	[
		choice('Approval', 'approval', 'One or two buttons that approve or decline'),
		choice('Choices', 'choices', 'A button for each choice, up to 20'),
		choice('Form', 'customForm', 'A page with fields of your own'),
		choice('Free Text', 'freeText', 'A message of the person, or a page with a field for a text'),
	],
);

const answerInField = menuField('Answer In', 'answer_in', { default: 'chat' }, [
	choice('Chat', 'chat', 'The press of a button answers, or a message of the person'),
	choice(
		'Web Page',
		'page',
		'A link button opens a page of this n8n. Anyone who has the link can answer.',
	),
]);

/** Who may answer in the chat, and the IDs of those who are named. */
export const responderField = menuField(
	'Who May Answer',
	'who_may_answer',
	{ default: 'everyone' },
	[
		choice(
			'Administrators of the Chat',
			'administrators',
			'Those who are administrators when the message is sent',
		),
		choice('Everyone', 'everyone', 'Everybody in the chat'),
		choice('Named People', 'people', 'People by their user IDs'),
	],
);
export const ALLOWED_USERS = 'allowed_user_ids';

const CHOICES = 'choices';

const approvalTypeField = menuField('Type of Approval', 'approvalType', { default: 'single' }, [
	choice('Approve Only', 'single'),
	choice('Approve and Disapprove', 'double'),
]);

/** What happens to the message after the answer, and the text that replaces it. */
export const afterField = menuField('After the Answer', 'after_answer', { default: 'show' }, [
	choice(
		'Delete Message',
		'delete',
		'The message disappears, or only its buttons if the service cannot delete messages',
	),
	choice('Keep Message', 'keep', 'The message stays as it is'),
	choice('Remove Buttons', 'buttons', 'The text stays'),
	choice('Replace With Text', 'replace', 'Another text, without buttons'),
	choice('Show Answer', 'show', 'The answer is added to the text, without buttons'),
]);
export const REPLACEMENT = 'replacement';

/** How the person answers: by a button, by writing, or by filling in a form. */
export const responseFields: INodeProperties[] = [
	responseTypeField,
	...showWhen({ responseType: ['choices'] }, [
		stringField('Choices', CHOICES, {
			typeOptions: { rows: 3 },
			required: true,
			placeholder: 'e.g. Small, Medium, Large',
			description:
				'Labels of the buttons, at most 20: one per line, separated by commas, or a list from an expression',
		}),
	]),
	...showWhen({ responseType: ['approval', 'choices', 'freeText'] }, [
		answerInField,
		...showWhen({ answer_in: ['chat'] }, [
			noticeField(
				"Needs a published workflow, which can be this one, with a Bot Messaging Trigger for the same bot. Its events have to include 'Button Pressed' and, for a free text, 'Message Created'.",
				'trigger_notice',
			),
			responderField,
			...showWhen({ who_may_answer: ['people'] }, [
				stringField('Allowed User IDs', ALLOWED_USERS, {
					required: true,
					placeholder: 'e.g. 110022334, 130000777',
					description:
						'IDs of the users who may answer, separated by commas, or a list from an expression. Without any ID, the message is not sent.',
				}),
			]),
		]),
	]),
	...showWhen({ responseType: ['approval'] }, [
		groupField('Approval Options', 'approvalOptions', {
			placeholder: 'Add option',
			options: [
				{
					displayName: 'Values',
					name: 'values',
					values: [
						approvalTypeField,
						stringField('Approve Button Label', 'approveLabel', { default: 'Approve' }),
						stringField('Disapprove Button Label', 'disapproveLabel', {
							default: 'Decline',
							displayOptions: { show: { approvalType: ['double'] } },
						}),
					],
				},
			],
		}),
	]),
	...showWhen({ responseType: ['customForm'] }, [formFieldsField]),
];

export const afterFields: INodeProperties[] = [
	afterField,
	...showWhen({ after_answer: ['replace'] }, [
		stringField('Replacement', REPLACEMENT, {
			typeOptions: { rows: 2 },
			required: true,
			placeholder: 'e.g. {name} has chosen: {answer}',
			description:
				"Text of the message after the answer; '{name}' and '{answer}' are replaced by the name of the person and the answer",
		}),
	]),
];

/** Where the answer is given: in the chat, or on pages of this n8n. */
export const answerPlace = (form: Form): 'chat' | 'page' =>
	form.choice(responseTypeField) === 'customForm' ? 'page' : form.choice(answerInField);

/** The label of a button, `given` in a field of the form; `what` of it is too long, if it is not the whole field. */
function labelFrom(form: Form, field: string, given: string, what = ''): string {
	const { length } = [...given];
	if (length <= LABEL_LIMIT) return given;
	return form.refuse(field, `has ${what}${length} characters, and ${LABEL_LIMIT} fit`);
}

const label = (form: Form, field: string, preset: string): string =>
	labelFrom(form, field, form.text(field).trim() || preset);

/** The labels of the buttons below the message: what can be chosen, or `howTo` answer by writing. */
export function buttonLabelsOf(form: Form, howTo: string): string[] {
	const kind = form.choice(responseTypeField);
	if (kind === 'choices') return choicesOf(form);
	if (kind === 'approval') {
		const approval = form.part('approvalOptions').part('values');
		const approve = label(approval, 'approveLabel', 'Approve');
		if (approval.choice(approvalTypeField) === 'single') return [approve];
		return [approve, label(approval, 'disapproveLabel', 'Decline')];
	}
	if (answerPlace(form) === 'page') return [label(form.options, 'messageButtonLabel', 'Respond')];
	return [labelFrom(form, 'howToLabel', howTo)];
}

const MOST_CHOICES = 20;

function choicesOf(form: Form): string[] {
	// Labels on lines of their own may have commas.
	const given = form.value(CHOICES);
	const isLines = typeof given === 'string' && given.trim().includes('\n');
	const labels = form.texts(CHOICES, isLines ? /\n/ : /,/);
	if (labels.length === 0) form.refuseEmpty(CHOICES);
	if (labels.length > MOST_CHOICES) {
		form.refuse(CHOICES, `has ${labels.length} labels, and ${MOST_CHOICES} are possible`);
	}
	return labels.map((each) => labelFrom(form, CHOICES, each, 'a label of '));
}
