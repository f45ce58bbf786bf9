import type { ControlId } from '../../platform';
import { standIn } from '../../support/standIn';
import type { Stage } from '../support/stage';

/** Chats and people of one test, by their ids. Those of people and of the group lie beyond 2^53. */
export interface Cast {
	/** A group chat and a channel; the bot is an administrator with all rights. */
	group: string;
	channel: string;
	/** The dialog of the bot with Vera. */
	dialog: string;
	/** Owner of group and channel. */
	vera: string;
	/** Member of the group. */
	oleg: string;
	/** Administrator of the group. */
	nina: string;
	/** Nowhere a member. */
	stranger: string;
	/** The bot itself. */
	bot: string;
	/** Message of Oleg in the group. */
	message: string;
	/** Message of the bot in the group, with a button. */
	keyboard: string;
	/** Post of the bot in the channel. */
	post: string;
	/** Comment of the bot on the post. */
	comment: string;
	/** Press of Oleg on the button. */
	callback: string;
	/** Token of a video that Vera sent. */
	video: string;
}

const FIRST_ID = 9_007_199_254_740_993n;
let ids = 0n;

const nextId = (): string => String(FIRST_ID + 2n * ids++);

/** Sets up chats and people on a stage. */
export async function castOf(stage: Stage): Promise<Cast> {
	const { control, bot } = stage;
	const person = async (first_name: string): Promise<string> =>
		String((await control.createUser({ user_id: nextId(), first_name })).user_id);
	const [vera, oleg, nina, stranger] = await Promise.all(
		['Vera', 'Oleg', 'Nina', 'Stranger'].map(person),
	);
	if (!vera || !oleg || !nina || !stranger) throw new Error('Someone is missing');
	const admins = [{ user_id: bot.user_id }];
	const place = { owner_id: vera, admins, silent: true };
	const group = await control.createChat({
		chat_id: `-${nextId()}`,
		title: 'Warehouse',
		link: 'https://service.invalid/join/1',
		...place,
		admins: [...admins, { user_id: nina, permissions: ['read_all_messages'], alias: 'Helper' }],
		members: [oleg],
	});
	const channel = await control.createChat({ type: 'channel', title: 'News', ...place });
	const dialog = await control.startBot(bot.user_id, vera);

	const write = async (path: string, body: object): Promise<string> => {
		const answer = await stage.call('POST', path, body);
		const mid = /"mid":"([^"]+)"/.exec(answer)?.[1];
		if (!mid) throw new Error(`Nothing was written: ${answer}`);
		return mid;
	};
	const button = { type: 'callback', text: 'Yes', payload: 'yes' };
	const keyboard = await write(`/messages?chat_id=${group.chat_id}`, {
		text: 'Confirm?',
		attachments: [{ type: 'inline_keyboard', payload: { buttons: [[button]] } }],
	});
	const post = await write(`/messages?chat_id=${channel.chat_id}`, { text: 'News of today' });
	const commented = { user_id: bot.user_id, text: 'First' };
	const comment = (await control.userComments(post, commented)).body.mid;
	const told = { user_id: oleg, text: 'Pallet seven' };
	const message = await control.userWrites(group.chat_id, told);
	const film = await control.userWrites(dialog.chat_id, {
		attachments: [{ type: 'video', size: 1000 }],
	});
	const pressed = await control.press(keyboard, { user_id: oleg, payload: 'yes' });
	return {
		vera,
		oleg,
		nina,
		stranger,
		keyboard,
		post,
		comment,
		bot: text(bot.user_id),
		group: text(group.chat_id),
		channel: text(channel.chat_id),
		dialog: text(dialog.chat_id),
		message: message.body.mid,
		callback: text(pressed.callback_id),
		video: text(film.body.attachments?.[0]?.payload?.token),
	};
}

/** A cast for each test of the file that this is called in; what set it up is not in the journal. */
export function castForEachTest(stage: Stage): Readonly<Cast> {
	let cast: Cast | undefined;
	beforeEach(async () => {
		cast = await castOf(stage);
		await stage.control.clearJournal();
	});
	return standIn('The cast', () => cast);
}

/** One cast for all tests of the file. */
export function castForAllTests(stage: Stage): Readonly<Cast> {
	let cast: Cast | undefined;
	beforeAll(async () => {
		cast = await castOf(stage);
	});
	return standIn('The cast', () => cast);
}

function text(value: ControlId | undefined): string {
	if (value === undefined) throw new Error('The platform left something out');
	return String(value);
}

/** What n8n stores for a field that is chosen from a list or given by its ID. */
export const byId = (value: string, mode = 'id') => ({ __rl: true as const, mode, value });

/** The fields that choose an operation, which is given as `resource operation`. */
export function chosen(use: string) {
	const [resource = '', operation = ''] = use.split(' ');
	return { resource, operation };
}
