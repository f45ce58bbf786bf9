import type { ExactJson } from '../../service/json';
import { showWhen } from '../../form/options';
import type { Form } from '../../form/form';
import type { RequestOperation } from '../operation';

const SOURCE = 'commands_source';

/** PATCH /me/commands */
export const operation: RequestOperation = {
	value: 'setCommands',
	name: 'Set Commands',
	action: 'Set commands of bot',
	description: 'Replace the list of commands that people can choose from',
	fields: [
		{
			displayName: 'Commands',
			name: SOURCE,
			type: 'options',
			options: [
				{ name: 'Choose Below', value: 'rows', description: 'Add commands here' },
				{
					name: 'Use JSON',
					value: 'json',
					description: 'Give all commands at once, also by an expression',
				},
			],
			default: 'rows',
		},
		...showWhen({ [SOURCE]: ['rows'] }, [
			{
				displayName: 'Command List',
				name: 'commands',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, sortable: true },
				placeholder: 'Add Command',
				default: {},
				description: 'At most 32 commands. An empty list removes all commands.',
				options: [
					{
						displayName: 'Command',
						name: 'command',
						values: [
							{
								displayName: 'Name',
								name: 'name',
								type: 'string',
								default: '',
								placeholder: 'e.g. help',
								description: 'What is written after the slash, 1 to 64 characters',
							},
							{
								displayName: 'Description',
								name: 'description',
								type: 'string',
								default: '',
								placeholder: 'e.g. Show help',
								description: 'What the command does, up to 128 characters',
							},
						],
					},
				],
			},
		]),
		...showWhen({ [SOURCE]: ['json'] }, [
			{
				displayName: 'Commands JSON',
				name: 'commands_json',
				type: 'json',
				typeOptions: { rows: 6 },
				default: '[{ "name": "help", "description": "Show help" }]',
				description: 'A list of commands, as the service takes them. [] removes all commands.',
			},
		]),
	],
	// The last item's list is the one that stays.
	lane: () => 'commands',
	request: (form) => ({
		method: 'PATCH',
		twice: 'same',
		path: '/me/commands',
		body: { commands: commands(form) },
	}),
};

function commands(form: Form): ExactJson[] {
	const isJson = form.choice(SOURCE, ['rows', 'json']) === 'json';
	const rows = isJson ? form.jsonRows('commands_json') : form.rows('commands', 'command');
	return rows.map((row) => ({
		name: row.requiredText('name').replace(/^\//, ''),
		description: row.text('description') || undefined,
	}));
}
