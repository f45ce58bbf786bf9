import { searchAdministrators, searchMembers } from './members';
import { searchComments, searchMessages } from './messages';
import { searchSubscriptions } from './subscriptions';

/** Searchable drop-downs by the names that fields know them by. */
export const searches = {
	searchAdministrators,
	searchComments,
	searchMembers,
	searchMessages,
	searchSubscriptions,
};
