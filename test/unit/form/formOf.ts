import { Form } from '../../../nodes/BotMessaging/form/form';
import { labelsOf } from '../../../nodes/BotMessaging/form/fields';
import { formFields } from '../../../nodes/BotMessaging/actions/catalogue';
import type { Operation } from '../../../nodes/BotMessaging/actions/operation';
import { nodeOf } from '../../support/node';

/** What the fields of a form hold, by name. */
export type Values = Record<string, unknown>;

/** The form of an operation, filled in with plain values. */
export const formOf = (operation: Operation, values: Values): Form =>
	new Form(nodeOf(), labelsOf(formFields(operation)), (name) => values[name]);
