import {
	choice,
	choicesField,
	collectionField,
	groupField,
	menuField,
	stringField,
	switchField,
} from '../../form/fields';

/** The types of chats (interface: ChatType). */
export const chatTypesField = choicesField('Chat Types', 'chat_types', {
	options: [choice('Channel', 'channel'), choice('Dialog', 'dialog'), choice('Group Chat', 'chat')],
	description:
		"Kinds of chats whose events start the workflow. 'Chat Title Changed' and 'Message Removed' do not say whether the chat is a group or a channel, and pass for both.",
});

/** How a text is compared. */
export const matchField = menuField('Match', 'match', { default: 'command' }, [
	choice('Command', 'command', 'A command such as /start, with or without words behind it'),
	choice('Contains', 'contains'),
	choice('Equals', 'equals'),
	choice(
		'Regular Expression',
		'regex',
		'Matches anywhere in the text unless ^ and $ are used, ignoring case; no backreferences or lookarounds',
	),
	choice('Starts With', 'startsWith'),
]);

/** The part of the trigger's form that narrows down which events start the workflow. */
export const filtersField = collectionField(
	'Filters',
	'filters',
	{
		placeholder: 'Add filter',
		description:
			'Only events that pass all filters start the workflow. An event without the value that a filter checks does not pass it.',
	},
	[
		stringField('Chat IDs', 'chat_ids', {
			placeholder: 'e.g. -71234567890123, 146854609',
			description: 'Chats whose events start the workflow, as a comma-separated list or an array',
		}),
		chatTypesField,
		switchField('Ignore Bots', 'ignore_bots', {
			default: true,
			description:
				'Whether to ignore messages and comments of this bot and of other bots. Those that do not say who wrote them, such as channel posts, are ignored as well.',
		}),
		groupField(
			'Text',
			'text',
			{
				default: { rule: { match: 'command', value: '' } },
				description:
					'What the text of a message or comment must match. For a button or a start link, its payload is compared.',
			},
			{
				displayName: 'Rule',
				name: 'rule',
				values: [
					matchField,
					stringField('Value', 'value', {
						placeholder: 'e.g. start',
						description:
							'What to look for, ignoring case. The command start is also found in /start@clerk_bot, whichever bot that is; start@clerk_bot only there.',
					}),
				],
			},
		),
		stringField('User IDs', 'user_ids', {
			placeholder: 'e.g. 110022334, 130000777',
			description: 'People whose events start the workflow, as a comma-separated list or an array',
		}),
	],
);
