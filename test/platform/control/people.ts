import { badRequest } from '../api/errors';
import { Fields } from '../api/fields';
import type { JsonObject } from '../json';
import { given } from '../options';
import { accessToken, asId } from '../world/ids';
import { renderBot, renderUserWithPhoto } from '../world/render';
import type { Bot, BotCommand, Person } from '../world/types';
import type { World } from '../world/world';
import { botOf, personOf, type ControlRequest, type ControlRoutes } from './route';

export const peopleRoutes: ControlRoutes = {
	'POST /bots': createBot,
	'PATCH /bots/:userId': ({ world, path, body }) => {
		const bot = botOf(world, asId(path.userId));
		Object.assign(bot, personFields(body), botFields(body));
		return announced(world, bot, showBot(bot));
	},
	'POST /bots/:userId/token': rotateToken,
	'DELETE /bots/:userId/token': ({ world, path }) => {
		const bot = botOf(world, asId(path.userId));
		world.setToken(bot, undefined);
		return showBot(bot);
	},
	'POST /users': createUser,
	'PATCH /users/:userId': ({ world, path, body }) => {
		const person = personOf(world, asId(path.userId));
		Object.assign(person, personFields(body));
		return announced(world, person, showUser(person));
	},
};

/** A bot, including what only the control API shows. */
export function showBot(bot: Bot): JsonObject {
	return { ...renderBot(bot), token: bot.token, approved: bot.approved };
}

/** A person, including what only the control API shows. */
export function showUser(person: Person): JsonObject {
	const { locale, phone, private_profile } = person;
	return { ...renderUserWithPhoto(person), locale, phone, private_profile };
}

/** Notifies the windows of a new or changed person or bot. */
function announced(world: World, { user_id, is_bot }: Person, shown: JsonObject): JsonObject {
	world.base.events.emit(() => ({ type: 'person', user_id, is_bot }));
	return shown;
}

function createBot({ world, body }: ControlRequest) {
	const user_id = freshId(body, world.people);
	const token = body.text('token', { min: 1 });
	if (token !== undefined && world.botByToken(token) !== undefined) {
		throw badRequest('The token belongs to another bot');
	}
	const bot = world.addBot({ ...personFields(body), ...botFields(body), user_id, token });
	return announced(world, bot, showBot(bot));
}

function createUser({ world, body }: ControlRequest) {
	const user_id = freshId(body, world.people);
	const person = world.addPerson({ ...personFields(body), user_id });
	return announced(world, person, showUser(person));
}

function rotateToken({ world, path }: ControlRequest) {
	const bot = botOf(world, asId(path.userId));
	world.setToken(bot, accessToken());
	return showBot(bot);
}

function freshId(body: Fields, taken: ReadonlyMap<bigint, unknown>): bigint | undefined {
	const id = body.looseId('user_id');
	if (id !== undefined && taken.has(id)) throw badRequest(`User ${id} exists already`);
	if (id !== undefined && id <= 0n) throw badRequest('user_id must be positive');
	return id;
}

/** The given fields, for people and bots alike. */
function personFields(body: Fields): Partial<Omit<Person, 'user_id' | 'is_bot'>> {
	return given({
		first_name: body.text('first_name', { min: 1 }) ?? body.text('name', { min: 1 }),
		last_name: body.text('last_name'),
		username: body.text('username', { min: 1 }),
		description: body.text('description'),
		avatar_url: body.text('avatar_url'),
		full_avatar_url: body.text('full_avatar_url'),
		locale: body.text('locale', { min: 1 }),
		phone: body.text('phone'),
		private_profile: body.flag('private_profile'),
	});
}

function botFields(body: Fields): Partial<Pick<Bot, 'approved' | 'commands'>> {
	return given({ approved: body.flag('approved'), commands: commandsOf(body) });
}

function commandsOf(body: Fields): BotCommand[] | undefined {
	return body.list('commands')?.map((item) => {
		const fields = Fields.of(item);
		const name = fields.required('name', fields.text('name'));
		return given({ name, description: fields.text('description') });
	});
}
