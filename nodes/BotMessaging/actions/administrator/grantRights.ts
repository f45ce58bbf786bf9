import { choice, choicesField, noticeField, stringField, switchField } from '../../form/fields';
import type { ExactJson } from '../../service/json';
import { chatIdField, chatKey, chatPath, memberField } from '../../form/target';
import { rowList } from '../../form/rowList';
import { READ_ALL_MESSAGES, RIGHTS } from '../../service/rights';
import type { Form } from '../../form/form';
import { isEmptyList } from '../../form/values';
import type { RequestOperation } from '../operation';

const ADD_READ_ALL = 'add_read_all_messages';

const ADMINISTRATORS = rowList({
	name: 'admins',
	row: {
		displayName: 'Administrator',
		name: 'admin',
		values: [
			{ ...memberField, description: 'The user or bot that gets the rights. It must be a member.' },
			choicesField('Rights', 'permissions', {
				options: RIGHTS.map(({ value, name, description }) => choice(name, value, description)),
				description: 'All rights that the administrator is to have from now on',
			}),
			stringField('Alias', 'alias', {
				placeholder: 'e.g. Moderator',
				description: 'Role that people see beside the name',
			}),
		],
	},
	example:
		'[{ "user_id": 110022334, "permissions": ["read_all_messages", "write"], "alias": "Moderator" }]',
});

/** POST /chats/{chatId}/members/admins */
export const operation: RequestOperation = {
	value: 'grantRights',
	name: 'Grant Rights',
	action: 'Grant rights to administrators',
	description: 'Make members administrators, or replace the rights that they have',
	fields: [
		chatIdField,
		noticeField(
			'The rights chosen here replace those that an administrator has: rights that you do not choose are taken away',
			'rights_notice',
		),
		...ADMINISTRATORS.fields,
	],
	options: [
		switchField('Add Read All Messages', ADD_READ_ALL, {
			default: true,
			description:
				'Whether to add the right Read All Messages if another right needs it. It is added by default; without it, the service refuses such rights.',
		}),
	],
	lane: chatKey,
	request: (form) => ({
		method: 'POST',
		twice: 'same',
		path: chatPath(form, '/members/admins'),
		body: { admins: administrators(form) },
	}),
};

function administrators(form: Form): ExactJson[] {
	const { field, rows } = ADMINISTRATORS.given(form);
	if (rows.length === 0) {
		form.refuseEmpty(field, 'Add at least one administrator with the rights they are to have.');
	}
	const addReadAll = form.options.flag(ADD_READ_ALL) ?? true;
	return rows.map((row) => {
		const permissions = currentRights(row.texts('permissions'));
		// A missing list or a list of blanks must not count as the empty list, which takes all rights away.
		if (permissions.length === 0 && !isEmptyList(row.value('permissions'))) {
			row.refuseEmpty('permissions');
		}
		return {
			user_id: row.id('user_id'),
			permissions: addReadAll ? withReadAll(permissions) : permissions,
			alias: row.text('alias') || undefined,
		};
	});
}

/** Old names of rights that answers still use, with their current names (interface: ChatAdminPermission values). */
const LEGACY = new Map([
	['post_edit_delete_message', 'write'],
	['edit_message', 'edit'],
	['delete_message', 'delete'],
]);

const currentRights = (permissions: string[]): string[] => [
	...new Set(permissions.map((name) => LEGACY.get(name) ?? name)),
];

function withReadAll(permissions: string[]): string[] {
	const needed = RIGHTS.some((right) => right.needsReadAll && permissions.includes(right.value));
	const missing = needed && !permissions.includes(READ_ALL_MESSAGES);
	return missing ? [READ_ALL_MESSAGES, ...permissions] : permissions;
}
