import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { downloadSettings } from '../form/download';
import { openService } from '../service/client';
import { attachmentsIn, downloadAttachments } from '../files/download';
import { toItem } from '../events/output';
import { DOWNLOAD, formOf } from './parameters';
import type { Update } from '../events/update';

/** One event as the item of a workflow, with its attachments where the form says so. */
export async function toOutput(
	context: IExecuteFunctions,
	update: Update,
): Promise<INodeExecutionData> {
	const item = toItem(update, context.getNodeParameter('simplify', 0, true) === true);
	if (context.getNodeParameter(DOWNLOAD, 0, false) !== true) return item;
	const settings = downloadSettings(formOf(context).part('options'));
	try {
		const service = await openService(context);
		item.binary = await downloadAttachments(context, service, attachmentsIn(update), settings);
	} catch (error) {
		// The event does not come again, so it goes on without its files.
		item.json.download_error = error instanceof Error ? error.message : 'unknown reason';
	}
	return item;
}
