import { MESSAGE_FIELDS } from '../profiles';
import { checkSize, type Fields } from './fields';
import { badRequest, notFound } from './errors';
import { readMessage } from './content/message';
import { admitWrite } from './limits';
import { rewrite } from './messages';
import { notify } from '../world/presses';
import { type Call, type Routes, SUCCESS } from './route';

const CALLBACK_ID = /^(?!\s*$).+/;

export const answerRoutes: Routes = {
	'POST /answers': answer,
};

async function answer(call: Call) {
	const { world, bot, query, body } = call;
	const id = query.required('callback_id', query.text('callback_id'));
	checkSize('callback_id', id, { pattern: CALLBACK_ID });
	query.flag('disable_link_preview');
	const notification = body.text('notification');
	const fields: Fields | undefined = body.nested('message')?.known(...MESSAGE_FIELDS);
	if (notification === undefined && fields === undefined) {
		throw badRequest('Invalid request. `message` or `notification` required');
	}
	const wanted = fields === undefined ? undefined : readMessage(fields, world);
	const press = world.presses.get(id);
	if (press === undefined || press.bot !== bot) throw notFound(`Callback ${id} not found`);
	const { message } = press;
	if (wanted === undefined) await admitWrite(call, message.chat);
	else if (message.removed) throw notFound(`Message ${message.mid} not found`);
	else await rewrite(call, message, wanted);
	if (notification !== undefined) notify(world, id, notification);
	return SUCCESS;
}
