import { at, textAt } from '../service/read';
import type { Form } from '../form/form';
import { shapeOf } from '../events/events';
import { CHAT_TYPES } from './filterFields';
import { readMatcher } from './pattern';
import type { Update } from '../events/update';

/** Whether an event starts the workflow. */
export type Filter = (update: Update) => boolean;

const isOneOf = (list: readonly string[], value: string | undefined): boolean =>
	value !== undefined && list.includes(value);

const passAll: Filter = () => true;

/** The filters of the form by field name. An event that lacks what a filter looks at does not pass it. */
const FILTERS = new Map<string, (filters: Form) => Filter>(
	Object.entries({
		chat_ids: (filters: Form) => {
			const ids = filters.requiredIds('chat_ids').map(String);
			return (update: Update) => isOneOf(ids, shapeOf(update)?.chat(update));
		},
		chat_types: (filters: Form) => {
			const types: readonly string[] = filters.requiredChoices('chat_types', CHAT_TYPES);
			// Some events of groups and channels do not say which of the two it is: they may be what is wanted.
			return (update: Update) =>
				shapeOf(update)
					?.chatTypes(update)
					.some((type) => types.includes(type)) ?? false;
		},
		user_ids: (filters: Form) => {
			const ids = filters.requiredIds('user_ids').map(String);
			return (update: Update) => isOneOf(ids, textAt(shapeOf(update)?.user(update), 'user_id'));
		},
		ignore_bots: (filters: Form) => {
			if (!filters.requiredFlag('ignore_bots')) return passAll;
			return (update: Update) => {
				const shape = shapeOf(update);
				return !shape?.written || at(shape.user(update), 'is_bot') === false;
			};
		},
		text: (filters: Form) => {
			const matches = readMatcher(filters.part('text').part('rule'));
			return (update: Update) => {
				const text = shapeOf(update)?.text(update);
				return text !== undefined && matches(text);
			};
		},
	}),
);

/**
 * The filters of a trigger as one. A filter that is there has to say what passes: one whose value came to nothing
 * would let everything through.
 *
 * @param events types to let through, all when empty
 * @throws NodeOperationError that names the field whose value cannot be used
 */
export function readFilters(form: Form, events: string[]): Filter {
	const given = form.value('filters') ?? {};
	if (typeof given !== 'object') form.refuse('filters', 'is not a list of filters');
	const filters = form.part('filters');
	const chosen = Object.keys(given).map(
		(name) =>
			FILTERS.get(name)?.(filters) ?? form.refuse('filters', `has no filter called ${name}`),
	);
	if (events.length > 0) chosen.unshift(({ update_type }) => events.includes(update_type));
	return (update: Update) => chosen.every((passes) => passes(update));
}
