import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, showWhen, stringField } from '../form/fields';
import { formFieldsField } from './submission';

/** Where the answer is given. */
export const ANSWER_IN = 'answer_in';

/** Who may answer in the chat, and the IDs of those who are named. */
export const WHO = 'who_may_answer';
export const ALLOWED_USERS = 'allowed_user_ids';

/** Labels of the buttons to choose from. */
export const CHOICES = 'choices';

/** What becomes of the message, and the text that replaces it. */
export const AFTER = 'after_answer';
export const REPLACEMENT = 'replacement';

/** How the person answers: by a button, by writing, or by filling in a form. */
export const responseFields: INodeProperties[] = [
	menuField('Response Type', 'responseType', { default: 'approval' }, [
		choice('Approval', 'approval', 'One or two buttons that approve or decline'),
		choice('Choices', 'choices', 'A button for each choice, up to 20'),
		choice('Form', 'customForm', 'A page with fields of your own'),
		choice('Free Text', 'freeText', 'A message of the person, or a page with a field for a text'),
	]),
	...showWhen({ responseType: ['choices'] }, [
		stringField('Choices', CHOICES, {
			typeOptions: { rows: 3 },
			required: true,
			placeholder: 'e.g. Small, Medium, Large',
			description:
				'Labels of the buttons, at most 20: one per line, or separated by commas, or a list by an expression',
		}),
	]),
	...showWhen({ responseType: ['approval', 'choices', 'freeText'] }, [
		menuField('Answer In', ANSWER_IN, { default: 'chat' }, [
			choice('Chat', 'chat', 'The press of a button answers, or a message of the person'),
			choice(
				'Web Page',
				'page',
				'A link button opens a page of this n8n. Whoever has the link can answer.',
			),
		]),
		...showWhen({ [ANSWER_IN]: ['chat'] }, [
			{
				displayName:
					"Needs a published workflow with a Bot Messaging Trigger of the same bot. Its events have to include 'Button Pressed', and for a free text 'Message Created' as well. It may be this workflow.",
				name: 'trigger_notice',
				type: 'notice',
				default: '',
			},
			menuField('Who May Answer', WHO, { default: 'everyone' }, [
				choice(
					'Administrators of the Chat',
					'administrators',
					'Those who are administrators when the message is sent',
				),
				choice('Everyone', 'everyone', 'Everybody in the chat'),
				choice('Named People', 'people', 'People by their user IDs'),
			]),
			...showWhen({ [WHO]: ['people'] }, [
				stringField('Allowed User IDs', ALLOWED_USERS, {
					required: true,
					placeholder: 'e.g. 110022334, 130000777',
					description:
						'Who may answer, separated by commas, or a list by an expression. The message is not sent when no ID is given.',
				}),
			]),
		]),
	]),
	...showWhen({ responseType: ['approval'] }, [
		{
			displayName: 'Approval Options',
			name: 'approvalOptions',
			type: 'fixedCollection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Values',
					name: 'values',
					values: [
						menuField('Type of Approval', 'approvalType', { default: 'single' }, [
							choice('Approve Only', 'single'),
							choice('Approve and Disapprove', 'double'),
						]),
						stringField('Approve Button Label', 'approveLabel', {
							default: 'Approve',
						}),
						stringField('Disapprove Button Label', 'disapproveLabel', {
							default: 'Decline',
							displayOptions: { show: { approvalType: ['double'] } },
						}),
					],
				},
			],
		},
	]),
	...showWhen({ responseType: ['customForm'] }, [formFieldsField]),
];

/** What becomes of the message when it was answered. */
export const afterFields: INodeProperties[] = [
	menuField('After the Answer', AFTER, { default: 'show' }, [
		choice('Delete Message', 'delete', 'The message disappears'),
		choice('Keep Message', 'keep', 'The message stays as it is'),
		choice('Remove Buttons', 'buttons', 'The text stays'),
		choice('Replace by Text', 'replace', 'Another text, without buttons'),
		choice('Show Answer', 'show', 'The answer is added to the text, without buttons'),
	]),
	...showWhen({ [AFTER]: ['replace'] }, [
		stringField('Replacement', REPLACEMENT, {
			typeOptions: { rows: 2 },
			required: true,
			placeholder: 'e.g. {name} has chosen: {answer}',
			description: "Text of the message after the answer; '{name}' and '{answer}' stand for both",
		}),
	]),
];
