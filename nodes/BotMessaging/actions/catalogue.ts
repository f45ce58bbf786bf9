import { UnexpectedError } from 'n8n-workflow';
import * as administratorGetMany from './administrator/getMany';
import * as administratorGrantRights from './administrator/grantRights';
import * as administratorRevokeRights from './administrator/revokeRights';
import * as botGet from './bot/get';
import * as botSetCommands from './bot/setCommands';
import * as callbackAnswer from './callback/answer';
import * as chatGet from './chat/get';
import * as chatLeave from './chat/leave';
import * as chatSendAction from './chat/sendAction';
import * as chatUpdate from './chat/update';
import * as commentCreate from './comment/create';
import * as commentDelete from './comment/delete';
import * as commentEdit from './comment/edit';
import * as commentGet from './comment/get';
import * as commentGetMany from './comment/getMany';
import * as fileGetUploadUrl from './file/getUploadUrl';
import * as fileGetVideo from './file/getVideo';
import * as fileUpload from './file/upload';
import * as memberAdd from './member/add';
import * as memberGetMany from './member/getMany';
import * as memberGetOwnMembership from './member/getOwnMembership';
import * as memberRemove from './member/remove';
import * as messageDelete from './message/delete';
import * as messageDownloadAttachments from './message/downloadAttachments';
import * as messageEdit from './message/edit';
import * as messageGet from './message/get';
import * as messageGetMany from './message/getMany';
import * as messageSend from './message/send';
import * as messageSendOrEdit from './message/sendOrEdit';
import * as messageSendAndWait from './message/sendAndWait';
import * as pinnedMessageGet from './pinnedMessage/get';
import * as pinnedMessagePin from './pinnedMessage/pin';
import * as pinnedMessageUnpin from './pinnedMessage/unpin';
import * as subscriptionCreate from './subscription/create';
import * as subscriptionDelete from './subscription/delete';
import * as subscriptionGetMany from './subscription/getMany';
import * as updateGetMany from './update/getMany';
import type { Operation, Resource } from './operation';

/** Every resource and its operations, in menu order: menus, forms, dispatch and documentation follow from it. */
export const catalogue: Resource[] = [
	{
		value: 'message',
		name: 'Message',
		operations: [
			messageSend.operation,
			messageSendAndWait.operation,
			messageSendOrEdit.operation,
			messageEdit.operation,
			messageGet.operation,
			messageGetMany.operation,
			messageDelete.operation,
			messageDownloadAttachments.operation,
		],
	},
	{ value: 'callback', name: 'Callback', operations: [callbackAnswer.operation] },
	{
		value: 'file',
		name: 'File',
		operations: [fileUpload.operation, fileGetUploadUrl.operation, fileGetVideo.operation],
	},
	{
		value: 'chat',
		name: 'Chat',
		operations: [
			chatGet.operation,
			chatUpdate.operation,
			chatSendAction.operation,
			chatLeave.operation,
		],
	},
	{
		value: 'member',
		name: 'Member',
		operations: [
			memberGetMany.operation,
			memberAdd.operation,
			memberRemove.operation,
			memberGetOwnMembership.operation,
		],
	},
	{
		value: 'administrator',
		name: 'Administrator',
		operations: [
			administratorGetMany.operation,
			administratorGrantRights.operation,
			administratorRevokeRights.operation,
		],
	},
	{
		value: 'pinnedMessage',
		name: 'Pinned Message',
		operations: [
			pinnedMessageGet.operation,
			pinnedMessagePin.operation,
			pinnedMessageUnpin.operation,
		],
	},
	{
		value: 'comment',
		name: 'Comment',
		operations: [
			commentCreate.operation,
			commentEdit.operation,
			commentGet.operation,
			commentGetMany.operation,
			commentDelete.operation,
		],
	},
	{ value: 'bot', name: 'Bot', operations: [botGet.operation, botSetCommands.operation] },
	{
		value: 'subscription',
		name: 'Subscription',
		operations: [
			subscriptionCreate.operation,
			subscriptionGetMany.operation,
			subscriptionDelete.operation,
		],
	},
	{ value: 'update', name: 'Update', operations: [updateGetMany.operation] },
];

/** @throws UnexpectedError for a pair that the menus do not offer */
export function findOperation(resource: string, operation: string): Operation {
	const found = catalogue
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (!found) throw new UnexpectedError(`There is no operation "${operation}" of "${resource}"`);
	return found;
}
