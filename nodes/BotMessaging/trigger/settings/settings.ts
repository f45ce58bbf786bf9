import { readPolicy, showsTyping } from './dispatcherOptions';
import { readFilters } from './filters';
import { chosenEvents, formOf, readOutput, type TriggerContext } from './parameters';

/**
 * Reads when events start the workflow and what it gets, which has to be usable when the workflow is published.
 *
 * @throws NodeOperationError naming the field whose value cannot be used
 */
export function readTriggerSettings(context: TriggerContext) {
	const form = formOf(context);
	const events = chosenEvents(context);
	return {
		events,
		passes: readFilters(form, events),
		output: readOutput(form),
		policy: readPolicy(form),
		typing: showsTyping(form),
	};
}
