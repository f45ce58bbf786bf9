import { messageSent, NEVER_READY, type Failure, type Hint } from '../failure';
import { LABEL_LIMIT, TEXT_LIMIT } from '../limits';
import { at, entryOf, textAt } from '../read';
import { RIGHTS } from '../rights';
import { fieldTitle } from './fields';
import { IS_MESSAGE_ID, NO_MESSAGE_ID } from './status';

/** What to check if the service finds no message to link to, by the type of the link. */
const LINKED: Readonly<Record<string, string>> = {
	forward: "Check 'Forward Message ID': the message",
	reply: 'Check the ID to reply to: the message may be in another chat,',
};

function linkAdvice(failure: Failure): string | undefined {
	const link = at(messageSent(failure), 'link');
	const check = entryOf(LINKED, textAt(link, 'type'));
	const isMeant = failure.message.includes(` ${textAt(link, 'mid')} `);
	return check && isMeant ? `${check} may have been deleted, or the bot cannot see it.` : undefined;
}

/** What to check if the ID of the message to link to has the wrong form, such as that of a link. */
function linkIdAdvice(failure: Failure): string {
	const isForward = at(messageSent(failure), 'link', 'type') === 'forward';
	return `Check ${isForward ? "'Forward Message ID'" : 'the ID to reply to'}: ${IS_MESSAGE_ID}`;
}

/** The field that names a message, by where a request holds its ID, unless that is in its address. */
const NAMING = { message_id: "'Message'", pin: "'Pin'" };

function messageAdvice({ sent }: Failure): string {
	const [, field = "'Message ID', or 'Post ID' of a comment"] =
		Object.entries(NAMING).find(([name]) => at(sent, name) !== undefined) ?? [];
	return `Check ${field}: this message does not exist any more, or the bot of this credential cannot see it.`;
}

/** What to check in content that the service could not read: the fields that are passed on as they are given. */
function unreadAdvice(failure: Failure): string {
	const { sent } = failure;
	if (at(sent, 'admins') !== undefined) {
		return `Check 'Rights' where they are given as JSON or by an expression. Each has to be one of: ${RIGHTS.map(({ value }) => value).join(', ')}.`;
	}
	if (at(sent, 'icon') !== undefined) {
		return "Check 'Icon Photos': the photos of an upload as the upload host gave them, unchanged.";
	}
	if (at(messageSent(failure), 'attachments') === undefined) {
		return 'Check the fields that are filled in by an expression or as JSON: one of them has a form that the service does not take.';
	}
	return "Check 'Attachments JSON': each attachment is an object with a type, such as image, and a payload. Check 'Keyboard JSON': a list of rows, each a list of buttons.";
}

/** What the service says about messages, attachments, buttons and comments. */
export const CONTENT_HINTS: readonly Hint[] = [
	{
		text: /forward/i,
		status: 403,
		advice:
			'The chat of origin does not allow forwarding. Send the content as a new message instead.',
	},
	{
		text: /forward\.text/,
		title: 'This service takes no text with a forwarded message',
		advice: "Leave 'Text' empty, and send the text as a message of its own.",
	},
	{
		text: /own (messages|comments)/i,
		advice: 'The bot can change only what it wrote itself. Check the ID of the message.',
	},
	{
		text: /permissions? to delete/i,
		advice:
			'In a dialog, the bot can delete only what it wrote itself. Elsewhere it needs a right: Write in a group chat, Delete Posts in a channel. Member → Get Own Membership shows the rights it has.',
	},
	{
		text: NEVER_READY,
		title: 'The service cannot process this file',
		advice: 'Convert it to another format and upload it again.',
	},
	{
		text: /\.not\.owner/,
		title: 'The service says that this file belongs to another bot',
		advice: 'Upload the file with the credential that sends it, and send it again.',
	},
	{
		code: 'attachment.not.ready',
		title: 'The attached file is not ready yet',
		advice: ({ sent }) =>
			at(sent, 'icon') === undefined
				? "The service is still processing the uploaded file, so nothing was sent. Raise 'Wait for Attachments' in 'Options' → 'Delivery'; long videos can take minutes."
				: 'The service is still processing the uploaded image, so nothing was changed. Run again in a minute.',
	},
	{
		code: 'comments.timeout_exceeded',
		advice: 'A comment can be edited for 26 hours. Create a new comment instead.',
	},
	{
		text: /comments? .*(disabled|not allowed)/i,
		advice: 'Comments are switched off in this channel. Its owner can switch them on.',
	},
	{
		text: /channel posts have comments/i,
		advice: "Check 'Post ID': only posts of a channel have comments.",
	},
	{
		text: /not supported in comments/i,
		advice:
			'A comment is plain text, perhaps with a format: remove attachments, links and mentions from it.',
	},
	{
		code: 'not.found',
		text: /\bapp\b/i,
		advice:
			"Check 'Web App' of the button: the public name of the bot that owns the app, not an address.",
	},
	{
		text: /callback.*(not found|invalid|too old|expired)/i,
		advice:
			"Check 'Callback ID': the callback_id of the event that a press of the button gave. It may be too old to be answered, or belong to another bot than that of the credential.",
	},
	{ text: /^Field 'mid' .*pattern/, title: NO_MESSAGE_ID, advice: linkIdAdvice },
	{ code: 'not.found', advice: linkAdvice },
	{ code: 'not.found', text: /^Message /, advice: messageAdvice },
	{
		code: 'not.found',
		text: /^Comment /,
		advice:
			"Check 'Comment' and 'Post ID': this comment does not exist any more, or the bot of this credential cannot see it.",
	},
	{
		text: /'text' size .*at most/,
		title: fieldTitle,
		advice: `Shorten 'Text'. In Message → Send, 'Split Long Text' in 'Options' sends it as several messages of at most ${TEXT_LIMIT} characters. The text of a button holds 1 to ${LABEL_LIMIT}.`,
	},
	{
		text: /edit\.invalid\.message/,
		title: 'This message cannot be edited',
		advice:
			'It may have been deleted, or be too old: in a dialog, a message without an inline keyboard can be edited for 7 days. Send a new message instead.',
	},
	{
		text: /message.*too old/i,
		advice:
			'A message in a dialog can be edited for 7 days, unless it has an inline keyboard. Send a new message instead.',
	},
	{
		text: /'notify'/,
		advice:
			"In channels everyone is notified: switch on 'Notify' in 'Options', or remove the option.",
	},
	{
		text: /only one file/,
		advice:
			'Send one file per message. Only an inline keyboard may go along with a file, not other attachments.',
	},
	{
		text: /only one \w+ attachment/,
		advice:
			'Send this attachment in a message of its own. Only an inline keyboard may go along with it.',
	},
	{
		text: /keyboard needs/i,
		advice: "Fill in 'Text', or add another attachment: a keyboard cannot stand alone.",
	},
	{
		text: /no text|empty message/i,
		advice: "Fill in 'Text', add an attachment, or forward a message.",
	},
	{
		text: /^attachments\[\d+\]: .*KnownInstance/,
		title: 'The service does not know the type of an attachment',
		advice:
			"Check each type in 'Attachments JSON'. It has to be image, video, audio, file, sticker, contact, share, location or inline_keyboard.",
	},
	{
		text: /deserialize body/,
		title: 'The service could not read the content',
		advice: unreadAdvice,
	},
	{
		text: /^Missing `token`|^Field 'token' cannot be null/,
		title: 'An attachment has no token',
		advice:
			"Fill in 'Media Token', or the token of each image, video, audio and file in 'Attachments JSON'.",
	},
	{
		text: /Invalid \w+ token/i,
		advice: ({ sent }) =>
			at(sent, 'icon') === undefined
				? "Check 'Media Token', or the token in 'Attachments JSON': it has to be that of an upload or of a received file, and 'Media Type' what the file was uploaded as."
				: `Check '${at(sent, 'icon', 'photos') ? 'Icon Photos' : 'Icon Token'}': it has to be the token of an uploaded image.`,
	},
	{
		text: /Check payload/,
		advice: 'Give the image as one of these: a file, its URL, or the token of an upload.',
	},
	{
		text: /`message` or `notification`/,
		advice: "Fill in 'Notification', or switch on 'Replace Message'.",
	},
	{
		text: /'webApp'/,
		advice: "Fill in 'Web App' of the button with the public name of the bot that owns the app.",
	},
	{ text: /upload type/i, advice: "Choose another 'Media Type': image, video, audio or file." },
	{
		text: /extension/i,
		advice:
			"The service does not take files of this kind. Choose 'Media Type' → 'File' if another one is chosen, or else pack the file into an archive, or rename it to a kind that is allowed.",
	},
];
