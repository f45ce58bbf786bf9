import type { Hint } from '../failure';

/** What the service says about requests of the trigger, whose form has other fields than those of operations. */
export const OUTSIDE_HINTS: readonly Hint[] = [
	{
		isOutside: true,
		text: /update type|event type|^Field '(update_)?types'/i,
		advice: "Choose other 'Events': this service does not know one of them.",
	},
	{
		isOutside: true,
		text: /https:\/\/ urls|punycode|^Field 'url'/,
		advice:
			"The service does not take the webhook address of this n8n. Set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to its public https:// address without a port, or choose 'Long Polling' in 'Receive By'.",
	},
	{
		isOutside: true,
		text: /no subscription/i,
		advice: 'The subscription is gone already, so nothing has to be done.',
	},
	{
		isOutside: true,
		text: /^Field '(?!secret')|^Missing (required parameter|`)/,
		advice:
			'No field of the trigger holds this value: the service has other limits than this version of the node knows. Report the message to its authors.',
	},
];
