import type { INodePropertyOptions } from 'n8n-workflow';
import { EVENTS } from '../events/events';
import { compareLabels } from './options';

/** Every type of event as a choice, sorted by label. */
export const eventTypeChoices: INodePropertyOptions[] = Object.entries(EVENTS)
	.map(([value, { name, description }]) => ({ name, value, description }))
	.sort((a, b) => compareLabels(a.name, b.name));
