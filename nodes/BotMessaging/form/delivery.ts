import type { INodeProperties } from 'n8n-workflow';
import { groupField, numberField, sortedByLabel } from './fields';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../service/client';
import type { Form } from './form';

const SECOND_MS = 1000;
const { messagesPerSecondPerChat, requestsPerSecond, patienceMs, attachmentPatienceMs } =
	DEFAULT_SETTINGS;

/** Technical option of operations that write into chats. */
export const chatRateOption = numberField('Messages per Chat', 'messages_per_second_per_chat', {
	typeOptions: { minValue: 0.1, maxValue: 2, numberPrecision: 1 },
	default: messagesPerSecondPerChat,
	hint: 'Per second',
	description:
		'Maximum number of messages to one chat per second. Several n8n workers do not need a lower value: each learns its share from what the service refuses.',
});

/** Technical option of operations that send attachments. */
export const attachmentWaitOption = numberField(
	'Wait for Attachments',
	'wait_for_attachments_seconds',
	{
		typeOptions: { minValue: 0 },
		default: Math.round(attachmentPatienceMs / SECOND_MS),
		hint: 'In seconds',
		description:
			'How many seconds to keep trying to send while the service is still processing an uploaded file; long videos can take minutes. Messages to other chats are not held up.',
	},
);

/** Technical options of every operation: pace and patience of requests. They apply to all items of a run. */
const settingFields: INodeProperties[] = [
	numberField('Requests per Second', 'requests_per_second', {
		typeOptions: { minValue: 0.1, maxValue: 30, numberPrecision: 1 },
		default: requestsPerSecond,
		description:
			'Maximum number of requests per second for this bot, for all workflows of this n8n process together; if several values are in use at the same time, the lowest counts. Several n8n workers do not need a lower value: each learns its share from what the service refuses.',
	}),
	numberField('Retry For (Seconds)', 'retry_for_seconds', {
		typeOptions: { minValue: 0 },
		default: Math.round(patienceMs / SECOND_MS),
		description:
			'How long to retry a request that the service refused because of its limits, or because it was unavailable',
	}),
];

const DELIVERY = 'delivery';
const VALUES = 'values';

/** The technical options as one entry in an operation's options: those of all operations, plus its own. */
export function deliveryOption(own: INodeProperties[]): INodeProperties {
	const values = sortedByLabel([...settingFields, ...own]);
	return groupField('Delivery', DELIVERY, {
		// Without values, n8n would show only a button, which adds them.
		default: { [VALUES]: Object.fromEntries(values.map((field) => [field.name, field.default])) },
		description:
			'How fast requests are sent and how long they are retried; with files, also how they are uploaded',
		options: [{ displayName: 'Delivery', name: VALUES, values }],
	});
}

/** The part of a form with the technical options. */
export const deliveryOf = (form: Form): Form => form.options.part(DELIVERY).part(VALUES);

/** Reads the settings of a run from the form of its first item. */
export function readSettings(form: Form): ServiceSettings {
	const options = deliveryOf(form);
	const ms = (name: string, fallback: number): number =>
		(options.number(name) ?? fallback / SECOND_MS) * SECOND_MS;
	const positive = (name: string, fallback: number): number => {
		const rate = options.number(name) ?? fallback;
		return rate > 0 ? rate : options.refuse(name, 'must be more than 0');
	};
	return {
		requestsPerSecond: positive('requests_per_second', requestsPerSecond),
		messagesPerSecondPerChat: positive('messages_per_second_per_chat', messagesPerSecondPerChat),
		patienceMs: ms('retry_for_seconds', patienceMs),
		attachmentPatienceMs: ms(attachmentWaitOption.name, attachmentPatienceMs),
	};
}
