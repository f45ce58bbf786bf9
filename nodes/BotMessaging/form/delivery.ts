import type { INodeProperties } from 'n8n-workflow';
import { groupField, numberField, sortedByLabel, type NumberField } from './fields';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../service/client';
import type { Form } from './form';

const SECOND_MS = 1000;
const { messagesPerSecondPerChat, requestsPerSecond, patienceMs, attachmentPatienceMs } =
	DEFAULT_SETTINGS;

/** Technical option of operations that write into chats. */
export const chatRateOption = numberField('Messages per Chat', 'messages_per_second_per_chat', {
	typeOptions: { minValue: 0.01, maxValue: 2 },
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

const requestRateOption = numberField('Requests per Second', 'requests_per_second', {
	typeOptions: { minValue: 0.01, maxValue: 30 },
	default: requestsPerSecond,
	description:
		'Maximum number of requests per second for this bot, for all workflows of this n8n process together; if several values are in use at the same time, the lowest counts. Several n8n workers do not need a lower value: each learns its share from what the service refuses.',
});

const patienceOption = numberField('Retry For (Seconds)', 'retry_for_seconds', {
	typeOptions: { minValue: 0 },
	default: Math.round(patienceMs / SECOND_MS),
	description:
		'How long to retry a request that the service refused because of its limits, or because it was unavailable',
});

const DELIVERY = 'delivery';
const VALUES = 'values';

/** The technical options as one entry in an operation's options: pace and patience of its requests, plus its own. */
export function deliveryOption(own: INodeProperties[]): INodeProperties {
	const values = sortedByLabel([requestRateOption, patienceOption, ...own]);
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

/** Reads the settings of a run, which apply to all of its items, from the form of the first. */
export function readSettings(form: Form): ServiceSettings {
	const options = deliveryOf(form);
	const read = (field: NumberField): number => options.number(field) ?? field.default;
	return {
		requestsPerSecond: read(requestRateOption),
		messagesPerSecondPerChat: read(chatRateOption),
		patienceMs: read(patienceOption) * SECOND_MS,
		attachmentPatienceMs: read(attachmentWaitOption) * SECOND_MS,
	};
}
