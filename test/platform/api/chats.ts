import { changed, rename } from '../world/membership';
import { mediaUrl, renderChat } from '../world/render';
import type { Chat } from '../world/types';
import { administration, chatOfPath, isIn, requireRight, requireWriting } from './access';
import { cannotDeserialize, chatDenied } from './errors';
import { readImages } from './content/media';
import { pin } from './pins';
import { type Call, type Routes, SUCCESS } from './route';

const ACTIONS = [
	'typing_on',
	'sending_photo',
	'sending_video',
	'sending_audio',
	'sending_file',
	'mark_seen',
];

export const chatRoutes: Routes = {
	'GET /chats/:chatId': get,
	'PATCH /chats/:chatId': update,
	'POST /chats/:chatId/actions': act,
};

/** A bot that left or was removed still sees the chat, with that status. */
function get(call: Call) {
	const chat = chatOfPath(call);
	if (!isIn(chat, call.bot) && !chat.former.has(call.bot.user_id)) {
		throw chatDenied('Bot is not a member of the chat');
	}
	return renderChat(call.world, chat, call.bot);
}

function update(call: Call) {
	const { world, bot, body } = call;
	const icon = body.nested('icon')?.known('url', 'token', 'photos');
	const [image] = icon === undefined ? [] : readImages(icon, world);
	const title = body.text('title', { min: 1, max: 200 });
	const description = body.text('description', { max: 16_000 });
	const mid = body.text('pin');
	// It changes nothing here, but has to be a boolean.
	body.flag('notify');
	const { chat, me } = administration(call);
	if ((image ?? title ?? description) !== undefined) requireRight(me, 'change_chat_info');
	if (mid !== undefined) pin(call, { chat, me }, mid);
	if (title !== undefined && title !== chat.title) rename(world, chat, title, bot);
	if (description !== undefined) chat.description = description === '' ? undefined : description;
	if (image !== undefined) chat.icon_url = mediaUrl(world, image);
	changed(world, chat);
	return renderChat(world, chat, bot);
}

function act(call: Call) {
	const action = call.body.required('action', call.body.text('action'));
	if (!ACTIONS.includes(action)) throw cannotDeserialize();
	const chat: Chat = chatOfPath(call);
	if (chat.dialog === undefined) administration(call);
	else requireWriting(chat, call.bot);
	const { chat_id } = chat;
	call.world.base.events.emit(() => ({
		type: 'action',
		chat_id,
		user_id: call.bot.user_id,
		action,
	}));
	return SUCCESS;
}
