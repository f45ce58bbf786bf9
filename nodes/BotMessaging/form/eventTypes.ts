import type { INodePropertyOptions } from 'n8n-workflow';
import { EVENTS } from '../events/events';
import { FACTS } from '../events/facts';
import { compareLabels } from './options';
import { outputFields } from './simplify';

/** Every type of event as a choice, sorted by label. */
export const eventTypeChoices: INodePropertyOptions[] = Object.entries(EVENTS)
	.map(([value, { name, description }]) => ({
		...{ name, value, description },
		// What n8n's node panel calls the trigger that it adds for this event.
		action: `On ${name.toLowerCase()}`,
	}))
	.sort((a, b) => compareLabels(a.name, b.name));

/** How much is told of events. */
export const eventOutputFields = outputFields({ fields: FACTS });
