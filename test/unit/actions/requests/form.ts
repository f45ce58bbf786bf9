import { Form } from '../../../../nodes/BotMessaging/form/form';
import { labelsOf } from '../../../../nodes/BotMessaging/form/fields';
import { formFields } from '../../../../nodes/BotMessaging/actions/catalogue';
import type { Operation, RequestOperation } from '../../../../nodes/BotMessaging/actions/operation';
import type { ServiceRequest } from '../../../../nodes/BotMessaging/service/types';
import { nodeOf } from '../../../support/node';

type Values = Record<string, unknown>;

/** The form of an operation, filled in with plain values. */
export const formOf = (operation: Operation, values: Values): Form =>
	new Form(nodeOf(), labelsOf(formFields(operation)), (name) => values[name]);

/** The one request that an operation makes of a filled-in form. */
const requestOf = (operation: RequestOperation, values: Values): ServiceRequest =>
	operation.request(formOf(operation, values));

/** What n8n stores for a field that is chosen from a list or given by its ID. */
export const locator = (value: string | number, mode = 'id') => ({ __rl: true, mode, value });

/** Name, operation, filled-in fields, and the request that has to come of them. */
type RequestCase = [string, RequestOperation, Values, ServiceRequest];

export function testRequests(cases: RequestCase[]): void {
	test.each(cases)('%s', (_name, operation, values, expected) => {
		expect(requestOf(operation, values)).toEqual(expected);
	});
}

/** What is given, the operation, filled-in fields, and the message that has to come of them. */
type RefusalCase = [string, RequestOperation, Values, string];

export function testRefusals(cases: RefusalCase[]): void {
	test.each(cases)('Refuses %s and names the field', (_name, operation, values, message) => {
		expect(() => requestOf(operation, values)).toThrow(message);
	});
}
