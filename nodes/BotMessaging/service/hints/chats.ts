import type { Hint } from '../failure';
import { at } from '../read';

const OWNER = 'Nobody can change or remove the owner of a chat, and the owner cannot leave it.';

const TO_A_PERSON =
	"To write to a person by their user ID, Message → Send and the other operations that send have 'Send To' → 'User'.";

const NO_DIALOG =
	"There is no dialog with this user yet. Check 'User ID'; the user has to start the bot before it can write to them.";

/** About chats, members, rights and subscriptions; first about requests of the trigger, which has other fields. */
export const CHAT_HINTS: readonly Hint[] = [
	{
		isOutside: true,
		text: /update type|event type|^Field '(update_)?types'/i,
		advice: "Choose other 'Events': this service does not know one of them.",
	},
	{
		isOutside: true,
		text: /https:\/\/ urls|punycode|^Field 'url'/,
		advice:
			"The service does not take the webhook address of this n8n. Set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to its public https:// address without a port, or choose 'Long Polling' in 'Receive By'.",
	},
	{
		isOutside: true,
		text: /no subscription/i,
		advice: 'The subscription is gone already, so nothing has to be done.',
	},
	{
		isOutside: true,
		text: /^Field '(?!secret')|^Missing required parameter/,
		advice:
			'No field of the trigger holds this value: the service has other limits than this version of the node knows. Report the message to its authors.',
	},
	{
		text: /dialog\.suspended/,
		title: 'The person stopped this bot',
		advice:
			'The user has stopped the bot, or the bot is not approved yet. Messages can be sent again once the user starts the bot.',
	},
	{
		text: /send\.msg\.no\.permission/,
		title: 'The bot may not post in this channel',
		advice:
			'Make the bot an administrator of this channel with the right Write. Member → Get Own Membership shows its rights.',
	},
	{
		text: /Invalid chatId/,
		// Also where a message is sent to the user ID of the bot itself.
		title: 'The service finds no chat there',
		advice: `Fill in 'Chat ID' with the chat_id of an event, or 'User ID' with the user_id of a person, not of the bot itself. ${TO_A_PERSON}`,
	},
	{
		text: /not .*dialogs/i,
		status: 403,
		advice: "This works in group chats and channels, not in dialogs. Check 'Chat ID'.",
	},
	{
		text: /group chats only/i,
		advice: 'This works in group chats only. People join a channel by its link.',
	},
	{
		text: /\b(bot|you)\b.*not a (member|participant)/i,
		advice:
			"The bot of this credential is not in this chat, or not any more. Check 'Chat ID' and the credential, or have the bot added to the chat.",
	},
	{
		text: /chat is closed/i,
		advice: "The chat was closed, so nothing can be done there any more. Check 'Chat ID'.",
	},
	{
		code: 'chat.not.found',
		advice: `Check 'Chat ID': it is the chat_id of the chat's events; the ID of a user does not work. ${TO_A_PERSON}`,
	},
	{ text: /dialog\.notfound/, title: 'The bot has no dialog with this person', advice: NO_DIALOG },
	{ code: 'dialog.not.found', advice: NO_DIALOG },
	{
		code: 'add.participant.privacy',
		advice: 'These users do not let others add them. Send them the link of the chat instead.',
	},
	{
		code: 'add.participant.not.found',
		advice: "There are no such users. Check 'User IDs': the user_id of their events, not a name.",
	},
	{
		text: /members already|already (a )?member/i,
		advice: 'All of these users are in the chat, nothing has to be done.',
	},
	{
		text: /Unknown recipient/,
		title: 'The message has no recipient',
		advice: "Choose 'Send To' and fill in 'Chat ID' or 'User ID'.",
	},
	{
		text: /'secret'/,
		advice: "Use 5 to 256 letters, digits, underscores and hyphens for 'Secret'.",
	},
	{
		text: /requires permission|read_all_messages/,
		status: 400,
		advice:
			"Choose 'Read All Messages' among 'Rights' as well, or switch on 'Add Read All Messages'.",
	},
	{
		text: /permission .*not available in a/i,
		status: 400,
		advice: "Choose other 'Rights': the description of each says where it applies.",
	},
	{
		text: /(at most|too many|limit).*administrators|administrators.*limit/i,
		status: 200,
		advice: 'A chat has at most 50 administrators. Revoke the rights of another one first.',
	},
	{
		text: /\b(bot|you)\b.*not an? admin|only for chat administrator/i,
		advice:
			'Make the bot an administrator of this chat. Member → Get Own Membership shows what it is there.',
	},
	{
		text: /not an administrator of the chat/i,
		status: 200,
		advice: "Check 'Administrator': this user has no rights to revoke.",
	},
	{
		text: /not a member/i,
		advice: ({ sent }) =>
			at(sent, 'admins') === undefined
				? "Check 'Member': this user is not in the chat, so there is nobody to remove."
				: 'Check the user ID: this user is not in the chat. Add them first.',
	},
	{ text: /\bowner\b.*can(not|'t)|can(not|'t).*\bowner\b/i, advice: OWNER },
	{
		text: /update type|event type/i,
		advice: "Choose other 'Event Types': this service does not know one of them.",
	},
	{
		text: /no subscription/i,
		advice:
			"Check 'Subscription': the address has to be the registered one, letter for letter. Subscription → Get Many lists them.",
	},
	{
		text: /https:\/\/ urls|punycode/,
		advice:
			"Correct 'URL': a public address that begins with https://, without a port; a host with letters of other scripts in its punycode form (xn--…).",
	},
	{
		text: /(no|not a) pinned message|not pinned/i,
		advice: 'Nothing is pinned in this chat, so there is nothing to unpin.',
	},
	{
		text: /access rights/i,
		status: 200,
		advice:
			'The bot has no right to do this. Member → Get Own Membership shows the rights it has in this chat.',
	},
];
