import type { INodePropertyOptions } from 'n8n-workflow';
import { EVENTS } from '../events/events';
import { FACTS } from '../events/facts';
import { compareLabels } from './options';
import { outputFields } from './simplify';
import { READ_ALL_MESSAGES, RIGHTS } from '../service/rights';

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

/** Every right as a choice that says what it means and where it applies. */
export const rightChoices: INodePropertyOptions[] = RIGHTS.map(({ value, name, description }) => ({
	name,
	value,
	description,
}));

/** Names that answers still use, and those that rights are assigned by (interface: ChatAdminPermission values). */
const LEGACY = new Map([
	['post_edit_delete_message', 'write'],
	['edit_message', 'edit'],
	['delete_message', 'delete'],
]);

/** Rights by their current names, each once. */
export const currentRights = (permissions: string[]): string[] => [
	...new Set(permissions.map((name) => LEGACY.get(name) ?? name)),
];

/** The rights, with read_all_messages where one of them needs it. */
export function withReadAll(permissions: string[]): string[] {
	const needed = RIGHTS.some((right) => right.needsReadAll && permissions.includes(right.value));
	const missing = needed && !permissions.includes(READ_ALL_MESSAGES);
	return missing ? [READ_ALL_MESSAGES, ...permissions] : permissions;
}
