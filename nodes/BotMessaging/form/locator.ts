import type { INodeProperties } from 'n8n-workflow';

/** What differs between fields with a searchable list. */
interface Locator extends Pick<INodeProperties, 'displayName' | 'name' | 'description'> {
	/** Name of the search method in `listSearch`. */
	search: string;
	/** The other mode, for typing in the value. */
	by: { displayName: string; name: string; placeholder: string };
}

/** A field whose value is chosen from a searchable list, or typed in. */
function locator({ search, by, ...field }: Locator): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{ ...by, type: 'string' },
		],
	};
}

const byUserId = { displayName: 'By ID', name: 'id', placeholder: 'e.g. 110022334' };
const byMessageId = {
	displayName: 'By ID',
	name: 'id',
	placeholder: 'e.g. mid.ffffbf3668e29b35019f9a4d46a01f01',
};

/** A member of the chat that Chat ID names. */
export const memberField = locator({
	displayName: 'Member',
	name: 'user_id',
	description: 'The member of the chat, from the list or by user ID',
	search: 'searchMembers',
	by: byUserId,
});

/** An administrator of the chat that Chat ID names. */
export const administratorField = locator({
	displayName: 'Administrator',
	name: 'user_id',
	description: 'The administrator of the chat, from the list or by user ID',
	search: 'searchAdministrators',
	by: byUserId,
});

/**
 * A message of the chat that Chat ID names. Another name than that of Message ID: if a person changes the resource, n8n
 * keeps what fields of one name hold, and would show a chosen message as [object Object].
 */
export const chatMessageField = locator({
	displayName: 'Message',
	name: 'pin',
	description: 'The message of the chat, from the list of recent ones or by ID',
	search: 'searchMessages',
	by: byMessageId,
});

/** A comment on the post that Post ID names. */
export const commentField = locator({
	displayName: 'Comment',
	name: 'comment_id',
	description: 'The comment on the post, from the list or by ID',
	search: 'searchComments',
	by: byMessageId,
});

export const subscriptionField = locator({
	displayName: 'Subscription',
	name: 'url',
	description: 'The subscription, from the list or by the address that the service calls',
	search: 'searchSubscriptions',
	by: {
		displayName: 'By URL',
		name: 'url',
		placeholder: 'e.g. https://flow.example.com/webhook/7f/bot',
	},
});
