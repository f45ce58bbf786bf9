import type { BotCommand } from '../world/types';
import { renderBot } from '../world/render';
import { badRequest } from './errors';
import type { Fields } from './fields';
import type { Call, Routes } from './route';

const MOST_COMMANDS = 32;

export const botRoutes: Routes = {
	'GET /me': ({ bot }) => renderBot(bot),
	'PATCH /me/commands': setCommands,
};

function setCommands({ bot, body }: Call) {
	bot.commands = body.required('commands', readCommands(body));
	return { commands: bot.commands };
}

function readCommands(body: Fields): BotCommand[] | undefined {
	const list = body.objects('commands');
	if (list !== undefined && list.length > MOST_COMMANDS) {
		throw badRequest(`Field 'commands' size (${list.length}) must be at most ${MOST_COMMANDS}`);
	}
	return list?.map((item) => {
		const fields = item.known('name', 'description');
		const name = fields.text('name', { min: 1, max: 64 });
		const description = fields.text('description', { min: 1, max: 128 });
		if (name === undefined) throw badRequest("Field 'name' cannot be null");
		return description === undefined ? { name } : { name, description };
	});
}
