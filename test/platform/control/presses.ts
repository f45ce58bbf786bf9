import { accessDenied, badRequest, notFound } from '../api/errors';
import type { Fields } from '../api/fields';
import type { JsonObject } from '../json';
import { post } from '../world/messages';
import { keyboardOf, pressCallback } from '../world/presses';
import { renderMessage } from '../world/render';
import type { Bot, Button, Content, Person, StoredMessage } from '../world/types';
import type { World } from '../world/world';
import { contactOf } from './messages';
import { actorOf, type ControlRequest, type ControlRoutes } from './route';

export const pressRoutes: ControlRoutes = {
	'POST /messages/:messageId/press': press,
};

interface Pressed {
	world: World;
	message: StoredMessage;
	bot: Bot;
	user: Person;
	button: Button;
}

/** Where everybody is who is asked for their location. */
const HERE = { type: 'location', latitude: 55.75, longitude: 37.61 } as const;

/** The effect of pressing each type of button; the result tells the window what happened. */
const EFFECTS: Record<string, (pressed: Pressed) => JsonObject> = {
	callback: ({ world, message, bot, user, button }) => ({
		callback_id: pressCallback(world, message, bot, user, button.payload),
	}),
	link: ({ button }) => ({ url: button.url }),
	open_app: ({ button }) => ({ web_app: button.web_app, payload: button.payload }),
	clipboard: ({ button }) => ({ copied: button.payload }),
	message: (pressed) => say(pressed, { text: pressed.button.text, markup: [], attachments: [] }),
	request_contact: (pressed) =>
		say(pressed, { markup: [], attachments: [contactOf(pressed.user)] }),
	request_geo_location: (pressed) => say(pressed, { markup: [], attachments: [HERE] }),
};

/** Finds the button by its `payload`, its `text`, or `row` and `column` counted from 0. */
function press(call: ControlRequest): JsonObject {
	const { world, path, body } = call;
	const message = world.messages.get(path.messageId ?? '');
	if (message === undefined) throw notFound(`Message ${path.messageId} does not exist`);
	const { chat } = message;
	const user = actorOf(world, chat, body.looseId('user_id'));
	if (chat.dialog === undefined && !chat.members.has(user.user_id)) {
		throw accessDenied(`User ${user.user_id} is not in the chat`);
	}
	const bot = world.bots.get(message.author.user_id);
	if (bot === undefined) throw badRequest('The message is not from a bot');
	const button = findButton(keyboardOf(message) ?? [], body);
	const effect = EFFECTS[button.type];
	return { type: button.type, ...effect?.({ world, message, bot, user, button }) };
}

function findButton(rows: Button[][], body: Fields): Button {
	const payload = body.text('payload');
	const text = body.text('text');
	const row = body.number('row') ?? 0;
	const column = body.number('column') ?? 0;
	const named = payload !== undefined || text !== undefined;
	const button = named
		? rows
				.flat()
				.find(
					(each) =>
						(payload === undefined || each.payload === payload) &&
						(text === undefined || each.text === text),
				)
		: rows[row]?.[column];
	if (button === undefined) throw notFound('The message has no such button');
	return button;
}

function say({ world, message, user }: Pressed, content: Content): JsonObject {
	const said = post(world, message.chat, user, content);
	return { message: renderMessage(world, said) };
}
