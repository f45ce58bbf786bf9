import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forAgents, needsOwnId, SESSIONS, tellEvent } from '../events/output';
import { attachmentsIn, downloadAttachments } from '../files/download';
import { eventDownloadSettings } from '../form/download';
import { OPTIONS } from '../form/options';
import { viewOf } from '../form/simplify';
import { openService } from '../service/client';
import { readConnection } from '../service/connection';
import { textAt } from '../service/read';
import { AGENT_SESSION, DOWNLOAD, formOf } from './parameters';
import type { Form } from '../form/form';
import type { Update } from '../events/update';
import { reasonOf } from '../service/reason';

/**
 * One event as the item of a workflow, with its attachments where the form says so. What cannot be had is left out or
 * told in the item: the event does not come again.
 */
export async function toOutput(
	context: IExecuteFunctions,
	update: Update,
): Promise<INodeExecutionData> {
	const form = formOf(context);
	const view = viewOf(form);
	const ownId = view !== 'raw' && needsOwnId(update) ? await ownIdOf(context) : undefined;
	const json = { ...tellEvent(update, view, ownId), ...agentFields(update, form) };
	if (!form.flag(DOWNLOAD)) return { json };
	try {
		const { files, missed } = await downloadAttachments(
			context,
			await openService(context),
			attachmentsIn(update),
			eventDownloadSettings(form.part(OPTIONS)),
		);
		const not_downloaded = missed.map(({ index, type, reason }) => ({
			...{ attachment: index, type, reason: reasonOf(reason) },
		}));
		return { json: missed.length > 0 ? { ...json, not_downloaded } : json, binary: files };
	} catch (error) {
		return { json: { ...json, not_downloaded: [{ reason: reasonOf(error) }] } };
	}
}

function agentFields(update: Update, form: Form): IDataObject {
	const options = form.part(OPTIONS);
	if (!options.has(AGENT_SESSION)) return {};
	return forAgents(
		update,
		options.text(AGENT_SESSION) === 'person' ? SESSIONS.person : SESSIONS.chat,
	);
}

/** User IDs of bots, asked for once. */
const ownIds = new Map<string, Promise<string | undefined>>();

/** The bot's own user ID, `undefined` when the service does not tell it now. */
async function ownIdOf(context: IExecuteFunctions): Promise<string | undefined> {
	const { botKey } = await readConnection(context);
	const asked = ownIds.get(botKey) ?? askOwnId(context);
	ownIds.set(botKey, asked);
	const id = await asked;
	if (id === undefined) ownIds.delete(botKey);
	return id;
}

async function askOwnId(context: IExecuteFunctions): Promise<string | undefined> {
	try {
		const service = await openService(context);
		return textAt(await service.request({ method: 'GET', path: '/me' }), 'user_id');
	} catch {
		// The event matters more than whether the message that it answers was the bot's own.
		return undefined;
	}
}
