import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../form/options';
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
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{
				name: 'Approval',
				value: 'approval',
				description: 'One or two buttons that approve or decline',
			},
			{ name: 'Choices', value: 'choices', description: 'A button for each choice, up to 20' },
			{ name: 'Form', value: 'customForm', description: 'A page with fields of your own' },
			{
				name: 'Free Text',
				value: 'freeText',
				description: 'A message of the person, or a page with a field for a text',
			},
		],
		default: 'approval',
	},
	...showWhen({ responseType: ['choices'] }, [
		{
			displayName: 'Choices',
			name: CHOICES,
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			required: true,
			placeholder: 'e.g. Small, Medium, Large',
			description:
				'Labels of the buttons, at most 20: one per line, or separated by commas, or a list by an expression',
		},
	]),
	...showWhen({ responseType: ['approval', 'choices', 'freeText'] }, [
		{
			displayName: 'Answer In',
			name: ANSWER_IN,
			type: 'options',
			options: [
				{
					name: 'Chat',
					value: 'chat',
					description: 'The press of a button answers, or a message of the person',
				},
				{
					name: 'Web Page',
					value: 'page',
					description: 'A link button opens a page of this n8n. Whoever has the link can answer.',
				},
			],
			default: 'chat',
		},
		...showWhen({ [ANSWER_IN]: ['chat'] }, [
			{
				displayName:
					"Needs a published workflow with a Bot Messaging Trigger of the same bot. Its events have to include 'Button Pressed', and for a free text 'Message Created' as well. It may be this workflow.",
				name: 'trigger_notice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Who May Answer',
				name: WHO,
				type: 'options',
				options: [
					{
						name: 'Administrators of the Chat',
						value: 'administrators',
						description: 'Those who are administrators when the message is sent',
					},
					{ name: 'Everyone', value: 'everyone', description: 'Everybody in the chat' },
					{ name: 'Named People', value: 'people', description: 'People by their user IDs' },
				],
				default: 'everyone',
			},
			...showWhen({ [WHO]: ['people'] }, [
				{
					displayName: 'Allowed User IDs',
					name: ALLOWED_USERS,
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. 110022334, 130000777',
					description:
						'Who may answer, separated by commas, or a list by an expression. The message is not sent when no ID is given.',
				},
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
						{
							displayName: 'Type of Approval',
							name: 'approvalType',
							type: 'options',
							options: [
								{ name: 'Approve Only', value: 'single' },
								{ name: 'Approve and Disapprove', value: 'double' },
							],
							default: 'single',
						},
						{
							displayName: 'Approve Button Label',
							name: 'approveLabel',
							type: 'string',
							default: 'Approve',
						},
						{
							displayName: 'Disapprove Button Label',
							name: 'disapproveLabel',
							type: 'string',
							default: 'Decline',
							displayOptions: { show: { approvalType: ['double'] } },
						},
					],
				},
			],
		},
	]),
	...showWhen({ responseType: ['customForm'] }, [formFieldsField]),
];

/** What becomes of the message when it was answered. */
export const afterFields: INodeProperties[] = [
	{
		displayName: 'After the Answer',
		name: AFTER,
		type: 'options',
		options: [
			{ name: 'Delete Message', value: 'delete', description: 'The message disappears' },
			{ name: 'Keep Message', value: 'keep', description: 'The message stays as it is' },
			{ name: 'Remove Buttons', value: 'buttons', description: 'The text stays' },
			{ name: 'Replace by Text', value: 'replace', description: 'Another text, without buttons' },
			{
				name: 'Show Answer',
				value: 'show',
				description: 'The answer is added to the text, without buttons',
			},
		],
		default: 'show',
	},
	...showWhen({ [AFTER]: ['replace'] }, [
		{
			displayName: 'Replacement',
			name: REPLACEMENT,
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			required: true,
			placeholder: 'e.g. {name} has chosen: {answer}',
			description: "Text of the message after the answer; '{name}' and '{answer}' stand for both",
		},
	]),
];
