import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, optionsField, showWhen, sortedChoices } from '../form/fields';
import { deliveryOption } from '../form/delivery';
import { operation as administratorGetMany } from './administrator/getMany';
import { operation as administratorGrantRights } from './administrator/grantRights';
import { operation as administratorRevokeRights } from './administrator/revokeRights';
import { operation as botGet } from './bot/get';
import { operation as botSetCommands } from './bot/setCommands';
import { operation as callbackAnswer } from './callback/answer';
import { operation as chatGet } from './chat/get';
import { operation as chatLeave } from './chat/leave';
import { operation as chatSendAction } from './chat/sendAction';
import { operation as chatUpdate } from './chat/update';
import { operation as commentCreate } from './comment/create';
import { operation as commentDelete } from './comment/delete';
import { operation as commentEdit } from './comment/edit';
import { operation as commentGet } from './comment/get';
import { operation as commentGetMany } from './comment/getMany';
import { operation as fileGetUploadUrl } from './file/getUploadUrl';
import { operation as fileGetVideo } from './file/getVideo';
import { operation as fileUpload } from './file/upload';
import { operation as memberAdd } from './member/add';
import { operation as memberGetMany } from './member/getMany';
import { operation as memberGetOwnMembership } from './member/getOwnMembership';
import { operation as memberRemove } from './member/remove';
import { operation as messageDelete } from './message/delete';
import { operation as messageDownloadAttachments } from './message/downloadAttachments';
import { operation as messageEdit } from './message/edit';
import { operation as messageGet } from './message/get';
import { operation as messageGetMany } from './message/getMany';
import { operation as messageSend } from './message/send';
import { operation as messageSendOrEdit } from './message/sendOrEdit';
import { operation as messageSendAndWait } from './message/sendAndWait';
import { operation as pinnedMessageGet } from './pinnedMessage/get';
import { operation as pinnedMessagePin } from './pinnedMessage/pin';
import { operation as pinnedMessageUnpin } from './pinnedMessage/unpin';
import { operation as subscriptionCreate } from './subscription/create';
import { operation as subscriptionDelete } from './subscription/delete';
import { operation as subscriptionGetMany } from './subscription/getMany';
import { operation as updateGetMany } from './update/getMany';
import type { Operation, Resource } from './operation';

/** Every resource and its operations, in menu order. Menus, forms, dispatch and documentation are derived from it. */
export const catalogue: Resource[] = [
	{
		value: 'message',
		name: 'Message',
		operations: [
			messageSend,
			messageSendAndWait,
			messageSendOrEdit,
			messageEdit,
			messageGet,
			messageGetMany,
			messageDelete,
			messageDownloadAttachments,
		],
	},
	{ value: 'callback', name: 'Callback', operations: [callbackAnswer] },
	{ value: 'file', name: 'File', operations: [fileUpload, fileGetUploadUrl, fileGetVideo] },
	{ value: 'chat', name: 'Chat', operations: [chatGet, chatUpdate, chatSendAction, chatLeave] },
	{
		value: 'member',
		name: 'Member',
		operations: [memberGetMany, memberAdd, memberRemove, memberGetOwnMembership],
	},
	{
		value: 'administrator',
		name: 'Administrator',
		operations: [administratorGetMany, administratorGrantRights, administratorRevokeRights],
	},
	{
		value: 'pinnedMessage',
		name: 'Pinned Message',
		operations: [pinnedMessageGet, pinnedMessagePin, pinnedMessageUnpin],
	},
	{
		value: 'comment',
		name: 'Comment',
		operations: [commentCreate, commentEdit, commentGet, commentGetMany, commentDelete],
	},
	{ value: 'bot', name: 'Bot', operations: [botGet, botSetCommands] },
	{
		value: 'subscription',
		name: 'Subscription',
		operations: [subscriptionCreate, subscriptionGetMany, subscriptionDelete],
	},
	{ value: 'update', name: 'Update', operations: [updateGetMany] },
];

/** `undefined` for a pair that the menus do not offer. */
export const findOperation = (resource: string, operation: string): Operation | undefined =>
	catalogue
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);

/** The whole form of one operation: its own fields, then its options with the Delivery group among them. */
export const formFields = ({
	fields,
	options = [],
	delivery = [],
}: Operation): INodeProperties[] => [
	...fields,
	optionsField([...options, deliveryOption(delivery)]),
];

/** Menus are sorted, but the default is the first entry of the catalogue, the one used most. */
const firstOf = (choices: ReadonlyArray<{ value: string }>): string => choices[0]?.value ?? '';

const resourceMenu: INodeProperties = menuField(
	'Resource',
	'resource',
	{ default: firstOf(catalogue), noDataExpression: true },
	sortedChoices(catalogue.map(({ name, value }) => choice(name, value))),
);

const operationMenu = ({ value: resource, operations }: Resource): INodeProperties =>
	menuField(
		'Operation',
		'operation',
		{
			default: firstOf(operations),
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
		},
		sortedChoices(
			operations.map(({ name, value, action, description }) => ({
				...choice(name, value, description),
				action,
			})),
		),
	);

/** The whole form of the action node: menus of resources and operations, and the fields of every operation. */
export const properties: INodeProperties[] = [
	resourceMenu,
	...catalogue.map(operationMenu),
	...catalogue.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			showWhen({ resource: [value], operation: [operation.value] }, formFields(operation)),
		),
	),
];

/** Labels of the chosen operation, such as `Send: Message`, by the values of resource and operation. */
const labels = catalogue.flatMap(({ name, value, operations }) =>
	operations.map((each) => [`${value} ${each.value}`, `${each.name}: ${name}`]),
);
const labelTable = JSON.stringify(Object.fromEntries(labels));

/** The node's subtitle, an expression that looks up the labels of the chosen operation. */
export const subtitle = `={{ (${labelTable})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
