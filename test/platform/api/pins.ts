import { changed } from '../world/membership';
import { renderMessage } from '../world/render';
import { administration, type MemberPlace, requireRight, withRight } from './access';
import { notFound } from './errors';
import { type Call, failure, type Routes, SUCCESS } from './route';

export const pinRoutes: Routes = {
	'GET /chats/:chatId/pin': get,
	'PUT /chats/:chatId/pin': (call) => {
		const mid = call.body.required('message_id', call.body.text('message_id'));
		// It changes nothing here, but has to be a boolean.
		call.body.flag('notify');
		pin(call, administration(call), mid);
		return SUCCESS;
	},
	'DELETE /chats/:chatId/pin': unpin,
};

/** Pins a message of the chat. @throws ApiError 403 without the right, 404 if there is no such message */
export function pin({ world }: Call, { chat, me }: MemberPlace, mid: string): void {
	requireRight(me, 'pin_message');
	const message = world.message(mid);
	if (message?.chat !== chat || message.post !== undefined) {
		throw notFound(`Message ${mid} not found`);
	}
	chat.pinned = message;
	changed(world, chat);
}

function get(call: Call) {
	const { chat } = administration(call);
	const { pinned } = chat;
	return {
		message: pinned === undefined ? undefined : renderMessage(call.world, pinned, call.bot),
	};
}

function unpin(call: Call) {
	const { chat } = withRight(call, 'pin_message');
	if (chat.pinned === undefined) return failure('No pinned message in the chat');
	chat.pinned = undefined;
	changed(call.world, chat);
	return SUCCESS;
}
