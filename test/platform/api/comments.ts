import type { JsonObject } from '../json';
import { edit, linkTo, post, remove } from '../world/messages';
import { renderMessage } from '../world/render';
import type { Permission } from '../world/rights';
import type { Content, LinkedMessage, StoredMessage } from '../world/types';
import { requireRight } from './access';
import { checkNotEmpty, readText } from './content/message';
import { accessDenied, ApiError, badRequest, cannotDeserialize, notFound } from './errors';
import type { Fields } from './fields';
import { admitWrite } from './limits';
import { between } from './messages';
import { type Call, type Routes, SUCCESS } from './route';

/** How long comments can be edited. */
const EDITABLE_MS = 26 * 60 * 60 * 1000;

const COMMENTS = '/messages/:messageId/comments';

export const commentRoutes: Routes = {
	[`GET ${COMMENTS}`]: list,
	[`GET ${COMMENTS}/:commentId`]: (call) =>
		render(call, comment(postOf(call, 'read_all_messages'), call.path.commentId)),
	[`POST ${COMMENTS}`]: create,
	[`PUT ${COMMENTS}`]: change,
	[`DELETE ${COMMENTS}`]: removeComment,
};

function list(call: Call) {
	const { query } = call;
	const ids = query.list('comment_ids');
	const count = query.integer('count', { min: 1, max: 100 }) ?? 50;
	const before = query.id('before');
	const after = query.id('after');
	const { comments } = postOf(call, 'read_all_messages');
	const wanted = comments.filter(({ mid }) => ids === undefined || ids.includes(mid));
	const found = between(wanted, count, before, after);
	return { messages: found.map((each) => render(call, each)) };
}

async function create(call: Call) {
	const { world, bot, query, body } = call;
	const link_preview = query.flag('disable_link_preview') !== true;
	const content = readContent(body);
	checkNotEmpty(content);
	const commented = postOf(call, 'write');
	requireOpen(commented);
	const link = reply(body, commented);
	await admitWrite(call, commented.chat);
	const full: Content = { markup: [], attachments: [], ...content, link };
	const created = post(world, commented.chat, bot, full, { link_preview, post: commented });
	return { message: render(call, created) };
}

async function change(call: Call) {
	const { world, bot, query, body } = call;
	const id = query.required('comment_id', query.text('comment_id'));
	const content = readContent(body);
	const commented = postOf(call, 'edit');
	requireOpen(commented);
	const edited = comment(commented, id);
	if (edited.author !== bot) throw accessDenied('Only own comments can be edited');
	if (world.now() - edited.timestamp > EDITABLE_MS) {
		throw new ApiError(422, 'comments.timeout_exceeded', 'Comment is too old to be edited');
	}
	const link = reply(body, commented);
	const changes = link === undefined ? content : { ...content, link };
	checkNotEmpty({ ...edited, ...changes });
	await admitWrite(call, commented.chat);
	edit(world, edited, changes, bot);
	return SUCCESS;
}

function removeComment(call: Call) {
	const { world, bot, query } = call;
	const id = query.required('comment_id', query.text('comment_id'));
	remove(world, comment(postOf(call, 'delete'), id), bot);
	return SUCCESS;
}

/** The post of the path. The bot must be an administrator of its channel, read all messages, and hold the right. */
function postOf({ world, bot, path }: Call, right: Permission): StoredMessage {
	const mid = path.messageId ?? '';
	const message = world.message(mid);
	if (message === undefined || message.post !== undefined || !message.chat.bots.has(bot)) {
		throw notFound(`Message ${mid} not found`);
	}
	if (message.chat.type !== 'channel') throw accessDenied('Only channel posts have comments');
	const me = message.chat.members.get(bot.user_id);
	requireRight(me, 'read_all_messages');
	requireRight(me, right);
	return message;
}

function requireOpen({ chat }: StoredMessage): void {
	if (chat.comments_disabled) {
		throw new ApiError(422, 'comments.disabled', 'Comments are disabled in the channel');
	}
}

function comment(commented: StoredMessage, id = ''): StoredMessage {
	const found = commented.comments.find(({ mid, removed }) => mid === id && !removed);
	if (found === undefined) throw notFound(`Comment ${id} not found`);
	return found;
}

/** Comments are plain text: no attachments, mentions or hyperlinks. */
function readContent(body: Fields): Partial<Pick<Content, 'text' | 'markup'>> {
	if ((body.list('attachments') ?? []).length > 0) {
		throw badRequest('Attachments are not supported in comments');
	}
	const content = readText(body);
	const refused = content.markup?.find(({ type }) => type === 'link' || type === 'user_mention');
	if (refused !== undefined) throw badRequest('Mentions and links are not supported in comments');
	return content;
}

function reply(body: Fields, commented: StoredMessage): LinkedMessage | undefined {
	const link = body.nested('link')?.known('type', 'mid');
	if (link === undefined) return undefined;
	const type = link.text('type');
	if (type === 'forward') throw badRequest('Forwards are not supported in comments');
	if (type !== 'reply') throw cannotDeserialize();
	return linkTo('reply', comment(commented, link.required('mid', link.text('mid'))));
}

function render(call: Call, message: StoredMessage): JsonObject {
	return renderMessage(call.world, message, call.bot);
}
