import { choicesField, stringField } from '../../form/fields';
import { eventTypeChoices } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** POST /subscriptions */
export const operation: RequestOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create subscription',
	description:
		'Have events sent to an address; the trigger node does this by itself for its own address',
	fields: [
		stringField('URL', 'url', {
			required: true,
			placeholder: 'e.g. https://flow.example.com/webhook/7f/bot',
			description:
				'Public address that begins with https://, on port 443 and without a port in it. An existing subscription of the same address is replaced.',
		}),
	],
	options: [
		choicesField('Event Types', 'update_types', {
			options: eventTypeChoices,
			description: 'Events that are sent; all of them when none is chosen',
		}),
		stringField('Secret', 'secret', {
			typeOptions: { password: true },
			description:
				'Sent in a header with each event, so that the receiver knows who is calling. 5 to 256 letters, digits, underscores and hyphens.',
		}),
	],
	lane: (form) => form.requiredText('url'),
	request: (form) => {
		const options = form.options;
		// If they were left out, all event types would be sent, or anybody could forge events.
		options.refuseGivenNothing('secret', 'update_types');
		const types = options.texts('update_types');
		return {
			method: 'POST',
			twice: 'same',
			path: '/subscriptions',
			body: {
				url: form.requiredText('url'),
				update_types: types.length > 0 ? types : undefined,
				secret: options.text('secret') || undefined,
			},
		};
	},
};
