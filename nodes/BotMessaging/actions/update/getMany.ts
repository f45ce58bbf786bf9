import { choicesField, noticeField, numberField, stringField } from '../../form/fields';
import { listAt, asObject } from '../../service/read';
import { eventOutput, isUpdate } from '../../events/events';
import { markerOf } from '../../form/paging';
import { eventOutputFields, eventTypeChoices, viewOf } from '../../form/simplify';
import { POLLS } from '../../service/types';
import type { RequestOperation } from '../operation';

// Bounds and defaults are the service's own (interface: GET /updates).
const limitField = numberField('Limit', 'update_limit', {
	typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
	default: 100,
	description: 'Max number of results to return',
});

const timeoutField = numberField('Timeout (Seconds)', 'timeout', {
	typeOptions: { minValue: 0, maxValue: 90, numberPrecision: 0 },
	default: 30,
	description: 'How long to wait for an update when there is none yet',
});

/** Time for the answer itself, after the hold. */
const SPARE_MS = 30_000;

/** GET /updates */
export const operation: RequestOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many updates',
	description:
		'Retrieve a list of updates with one long poll, for development. An empty poll returns one item with only the marker.',
	fields: [
		noticeField(
			'Works only while the bot has no subscription: a published trigger or any other subscriber gets all events. In production, use Bot Messaging Trigger.',
			'development_notice',
		),
		...eventOutputFields,
	],
	options: [
		choicesField('Event Types', 'types', {
			options: eventTypeChoices,
			description: 'Events to get; all of them when none is chosen',
		}),
		stringField('Marker', 'marker', {
			placeholder: 'e.g. 25493970',
			description:
				'Where to continue: the marker of the last poll. All updates before it count as read and are not returned again.',
		}),
		limitField,
		timeoutField,
	],
	// A poll may mark updates as read that the next one would otherwise get.
	lane: () => 'updates',
	request: (form) => {
		const options = form.options;
		const types = options.texts('types');
		const timeout = options.number(timeoutField);
		return {
			method: 'GET',
			path: '/updates',
			chat: POLLS,
			query: {
				limit: options.number(limitField),
				timeout,
				marker: options.text('marker')
					? options.id('marker', 'is not a whole number', 'Give the marker of the last poll.')
					: undefined,
				types: types.length > 0 ? types : undefined,
			},
			timeoutMs: (timeout ?? timeoutField.default) * 1000 + SPARE_MS,
		};
	},
	output: (answer, form) => {
		const marker = markerOf(answer);
		const view = viewOf(form);
		const updates = listAt(answer, 'updates').map((update) => ({
			...(isUpdate(update) ? eventOutput(update, view) : asObject(update)),
			marker,
		}));
		// Without the marker the next poll could not continue after an empty one.
		return updates.length === 0 && marker !== undefined ? [{ marker }] : updates;
	},
};
