import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../form/options';

/** Where the buttons of a request for approval lead. */
export const ANSWER_IN = 'answer_in';

/** Who may answer in the chat. */
export const ALLOWED_USERS = 'allowed_user_ids';

/** How the person answers: by approving, by writing, or by filling in a form. */
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
			{ name: 'Free Text', value: 'freeText', description: 'A page with a field for a text' },
			{ name: 'Form', value: 'customForm', description: 'A page with fields of your own' },
		],
		default: 'approval',
	},
	...showWhen({ responseType: ['approval'] }, [
		{
			displayName: 'Answer In',
			name: ANSWER_IN,
			type: 'options',
			options: [
				{
					name: 'Chat',
					value: 'chat',
					description:
						'The press of a button answers. Needs an active Bot Messaging Trigger of the same bot, with the event Button Pressed.',
				},
				{
					name: 'Web Page',
					value: 'page',
					description: 'A link button opens a page of this n8n. Whoever has the link can answer.',
				},
			],
			default: 'page',
		},
		{
			displayName: 'Allowed User IDs',
			name: ALLOWED_USERS,
			type: 'string',
			default: '',
			placeholder: 'e.g. 110022334, 130000777',
			description:
				'Who may answer, separated by commas. Left empty, everybody in the chat may; an expression has to give at least one ID.',
			displayOptions: { show: { [ANSWER_IN]: ['chat'] } },
		},
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
	...showWhen({ responseType: ['customForm'] }, [
		{
			displayName: 'Form Fields',
			name: 'formFields',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Values',
					name: 'values',
					values: [
						{
							displayName: 'Label',
							name: 'fieldLabel',
							type: 'string',
							default: '',
							placeholder: 'e.g. Delivery date',
							description: 'Shown above the field; the output has the answer under this name',
						},
						{
							displayName: 'Type',
							name: 'fieldType',
							type: 'options',
							options: [
								{ name: 'Checkbox', value: 'checkbox' },
								{ name: 'Date', value: 'date' },
								{ name: 'Dropdown', value: 'dropdown' },
								{ name: 'Email', value: 'email' },
								{ name: 'Number', value: 'number' },
								{ name: 'Text', value: 'text' },
								{ name: 'Textarea', value: 'textarea' },
							],
							default: 'text',
						},
						{
							displayName: 'Choices',
							name: 'fieldOptions',
							type: 'string',
							default: '',
							placeholder: 'e.g. Small, Medium, Large',
							description: 'Choices of the dropdown, separated by commas',
							displayOptions: { show: { fieldType: ['dropdown'] } },
						},
						{
							displayName: 'Required',
							name: 'requiredField',
							type: 'boolean',
							default: false,
							description: 'Whether the person has to fill in this field',
						},
					],
				},
			],
		},
	]),
];

/** Options of the page that free text and form responses open. */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'Message Button Label',
		name: 'messageButtonLabel',
		type: 'string',
		default: 'Respond',
		description: 'Label of the button that opens the page of a free text or form response',
	},
	{
		displayName: 'Response Form Title',
		name: 'responseFormTitle',
		type: 'string',
		default: '',
		description: 'Title of the page of a free text or form response',
	},
	{
		displayName: 'Response Form Description',
		name: 'responseFormDescription',
		type: 'string',
		default: '',
		description: 'Text below the title; without it the message is shown',
	},
	{
		displayName: 'Response Form Button Label',
		name: 'responseFormButtonLabel',
		type: 'string',
		default: 'Submit',
		description: 'Label of the button that sends the answer',
	},
];
