import { noticeField, stringField } from '../../form/fields';
import type { ExactJson } from '../../service/json';
import type { Form } from '../../form/form';
import { rowList } from '../../form/rowList';
import type { RequestOperation } from '../operation';

const COMMANDS = rowList({
	name: 'commands',
	description: 'At most 32 commands',
	row: {
		displayName: 'Command',
		name: 'command',
		values: [
			stringField('Name', 'name', {
				placeholder: 'e.g. help',
				description: 'What is written after the slash, 1 to 64 characters',
			}),
			stringField('Description', 'description', {
				placeholder: 'e.g. Show help',
				description: 'What the command does, up to 128 characters',
			}),
		],
	},
	example: '[{ "name": "help", "description": "Show help" }]',
});

/** PATCH /me/commands */
export const operation: RequestOperation = {
	value: 'setCommands',
	name: 'Set Commands',
	action: 'Set commands of bot',
	description: 'Replace the list of commands that people can choose from',
	fields: [
		noticeField(
			'The list given here replaces the one that the bot has. An empty list removes all commands.',
			'commands_notice',
		),
		...COMMANDS.fields,
	],
	// One lane for all items, so that the list of the last item is the one that stays.
	lane: () => 'commands',
	request: (form) => ({
		method: 'PATCH',
		twice: 'same',
		path: '/me/commands',
		body: { commands: commands(form) },
	}),
};

const commands = (form: Form): ExactJson[] =>
	COMMANDS.given(form).rows.map((row) => ({
		name: row.requiredText('name').replace(/^\//, ''),
		description: row.text('description') || undefined,
	}));
