import type { INodePropertyOptions } from 'n8n-workflow';
import { READ_ALL_MESSAGES, RIGHTS } from '../service/rights';

/** Every right as a choice that says what it means and where it applies. */
export const rightChoices: INodePropertyOptions[] = RIGHTS.map(({ value, name, description }) => ({
	name,
	value,
	description,
}));

/** The rights, with read_all_messages where one of them needs it. */
export function withReadAll(permissions: string[]): string[] {
	const needed = RIGHTS.some((right) => right.needsReadAll && permissions.includes(right.value));
	const missing = needed && !permissions.includes(READ_ALL_MESSAGES);
	return missing ? [READ_ALL_MESSAGES, ...permissions] : permissions;
}
