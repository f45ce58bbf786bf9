import { at, textAt } from '../service/read';
import type { Form } from '../form/form';
import { shapeOf } from '../events/events';
import { readMatcher } from './pattern';
import type { Update } from '../events/update';

/** Whether an event starts the workflow. */
export type Filter = (update: Update) => boolean;

const isOneOf = (list: string[], value: string | undefined): boolean =>
	value !== undefined && list.includes(value);

/** The filters of the form by field name. An event that lacks what a filter looks at does not pass it. */
const FILTERS: Record<string, (filters: Form) => Filter | undefined> = {
	chat_ids: (filters) => {
		const ids = filters.ids('chat_ids').map(String);
		return ids.length > 0 ? (update) => isOneOf(ids, shapeOf(update)?.chat(update)) : undefined;
	},
	chat_types: (filters) => {
		const types = filters.texts('chat_types');
		return types.length > 0
			? (update) => isOneOf(types, shapeOf(update)?.chatType(update))
			: undefined;
	},
	user_ids: (filters) => {
		const ids = filters.ids('user_ids').map(String);
		return ids.length > 0
			? (update) => isOneOf(ids, textAt(shapeOf(update)?.user(update), 'user_id'))
			: undefined;
	},
	ignore_bots: (filters) =>
		filters.flag('ignore_bots')
			? (update) => {
					const shape = shapeOf(update);
					return !shape?.written || at(shape.user(update), 'is_bot') === false;
				}
			: undefined,
	text: (filters) => {
		const rule = filters.part('text').part('rule');
		if (!rule.has('match')) return undefined;
		const matches = readMatcher(rule);
		return (update) => {
			const text = shapeOf(update)?.text(update);
			return text !== undefined && matches(text);
		};
	},
};

/**
 * The filters of a trigger as one.
 *
 * @param events types to let through, all when empty
 * @throws NodeOperationError that names the field whose value cannot be used
 */
export function readFilters(form: Form, events: string[]): Filter {
	const filters = form.part('filters');
	const chosen = Object.values(FILTERS).flatMap((read) => read(filters) ?? []);
	if (events.length > 0) chosen.unshift(({ update_type }) => events.includes(update_type));
	return (update) => chosen.every((passes) => passes(update));
}
