import type { Update } from '../../../nodes/BotMessaging/events/events';

/** A person as events carry them. */
const person = {
	user_id: 110022334,
	first_name: 'Vera',
	last_name: 'Orlova',
	is_bot: false,
};

/** Another bot. */
export const robot = { user_id: 240000999, first_name: 'Robo', is_bot: true };

const GROUP = -71234567890123;
const TIME = 1785000123456;

const message = (text: string, sender: object | undefined = person) => ({
	...(sender && { sender }),
	recipient: { chat_id: GROUP, chat_type: 'chat' },
	timestamp: TIME,
	body: { mid: 'mid.1', seq: '116981768090823485', text },
});

const comment = (text: string) => ({
	...message(text),
	recipient: { chat_id: GROUP, chat_type: 'channel', post_id: 'mid.0' },
});

const inChat = (facts: object = {}) => ({
	chat_id: GROUP,
	user: person,
	is_channel: false,
	...facts,
});
const inDialog = (facts: object = {}) => ({ chat_id: 146854609, user: person, ...facts });

/** One event of every type that the service has (wire 4.2). */
const SAMPLES: Record<string, object> = {
	message_created: { message: message('Where is my parcel?') },
	message_edited: { message: message('Where is it?') },
	message_callback: {
		callback: { timestamp: TIME, callback_id: 'k0Zr', payload: 'order:17', user: person },
		message: message('Confirm?', robot),
	},
	message_removed: { message_id: 'mid.1', chat_id: GROUP, user_id: person.user_id },
	comment_created: { message: comment('Thanks!') },
	comment_edited: { message: comment('Thank you!') },
	comment_removed: {
		message_id: 'mid.1',
		chat_id: GROUP,
		user_id: person.user_id,
		post_id: 'mid.0',
	},
	bot_added: inChat(),
	bot_removed: inChat(),
	user_added: inChat({ inviter_id: 130000777 }),
	user_removed: inChat({ is_channel: true, admin_id: 130000777 }),
	bot_started: inDialog({ payload: 'campaign_42' }),
	bot_stopped: inDialog(),
	dialog_cleared: inDialog(),
	dialog_removed: inDialog(),
	dialog_muted: inDialog({ muted_until: TIME }),
	dialog_unmuted: inDialog(),
	chat_title_changed: inChat({ title: 'Day shift', is_channel: undefined }),
	bot_admin_permissions_changed: {
		chat_id: GROUP,
		user_id: person.user_id,
		bot_id: 240000111,
		is_channel: false,
		is_admin: true,
		permissions: ['write'],
	},
};

export const TYPES = Object.keys(SAMPLES);

/** An event as it reaches the trigger, with changes. */
export const update = (update_type: string, changes: object = {}): Update => ({
	update_type,
	timestamp: TIME,
	...SAMPLES[update_type],
	...changes,
});

/** A message with this text, by this sender. */
export const said = (text: string, sender?: object): Update =>
	update('message_created', { message: message(text, sender) });

/** A message that does not say who wrote it, such as a post of a channel. */
export const unsigned = (text: string): Update => {
	const { sender, ...rest } = message(text);
	return update('message_created', { message: rest });
};

/** A reply to a message with a picture by that sender, in that kind of chat. */
export const answering = (sender: object, chat_type: string): Update =>
	update('message_created', {
		message: {
			...message('Pallet seven'),
			recipient: { chat_id: GROUP, chat_type },
			link: {
				type: 'reply',
				sender,
				message: {
					mid: 'mid.0',
					text: 'Which pallet?',
					attachments: [{ type: 'inline_keyboard' }, { type: 'image' }],
				},
			},
		},
	});
