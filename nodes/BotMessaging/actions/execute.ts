import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { withoutGaps } from '../events/output';
import { textAt } from '../service/read';
import { openService, type Client, type ServiceSettings } from '../service/client';
import { throwWithAdvice } from '../service/errors';
import type { Service } from '../service/types';
import { findOperation, formFields } from './catalogue';
import { labelsOf } from '../form/fields';
import { readSettings } from '../form/delivery';
import type { Call } from '../form/call';
import { Form } from '../form/form';
import { viewOf } from '../form/simplify';
import { inLanes } from './lanes';
import type { Operation } from './operation';
import { progressOf } from './progress';
import { keepOutput, triesOf, type Tried } from './tries';

type NodeError = NodeApiError | NodeOperationError;

/** Items in flight at a time: enough to use up the service's rate limits, however slowly it answers. */
const AT_A_TIME = 300;

/** What n8n adds to both menus. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

const CUSTOM_API_CALL_ADVICE =
	"Add this node, set its 'Authentication' to 'Predefined Credential Type' and choose 'Bot Messaging API'.";

const CHOOSE_ONE =
	"Choose one in 'Resource' and 'Operation'. If the workflow was made with a newer version of this package, update the package instead.";

/**
 * Runs the chosen operation for every item: those of one lane in order, the others concurrently. The output is in input
 * order, paired. Without Continue On Fail, the first failure ends the run before the next request.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = String(this.getNodeParameter('resource', 0));
	// A resource that does not exist has no such parameter.
	const name = String(this.getNodeParameter('operation', 0, ''));
	const operation = findOperation(resource, name);
	if (!operation) {
		const unknown = unknownOperation(this.getNode(), resource, name);
		return refuseAll(unknown, this, this.getInputData().length);
	}
	const labels = labelsOf(formFields(operation));
	const formOf = (itemIndex: number): Form =>
		new Form(this.getNode(), labels, (name) => this.getNodeParameter(name, itemIndex, null));

	let failure: NodeError | undefined;
	const stopped = (): boolean =>
		failure !== undefined || this.getExecutionCancelSignal()?.aborted === true;
	const count = 'once' in operation ? 1 : this.getInputData().length;
	let service: Client;
	try {
		service = await openService(this, settingsOf(formOf(0)), stopped);
	} catch (error) {
		return refuseAll(asNodeError(error, this), this, count);
	}
	const noteDone = progressOf(this, count);
	const triedOf = triesOf(this);

	const results = await inLanes({
		count,
		stopped,
		atATime: AT_A_TIME,
		prepare: (itemIndex) => prepared(operation, formOf(itemIndex), itemIndex),
		run: async ({ form, itemIndex, lane }, backlog) => {
			const tried = triedOf(itemIndex);
			const call = {
				form,
				service: queued(service, backlog, tried),
				context: this,
				itemIndex,
				sent: tried.sent,
			};
			const outcome = tried.output ?? (await runItem(operation, call));
			noteDone();
			if (!(outcome instanceof Error)) return keepOutput(tried, outcome, lane);
			if (!this.continueOnFail()) failure ??= outcome;
			return [errorItem(outcome, this, itemIndex)];
		},
		skip: ({ itemIndex, replaces }) => {
			noteDone();
			const json = { success: true, message_id: replaces, replaced_by_newer: true };
			return [{ json, pairedItem: { item: itemIndex } }];
		},
	});
	if (failure) fail(failure, this);
	if (service.refusals > 0) this.addExecutionHints(refusedHint(service));
	return [results.flatMap((items) => items ?? [])];
}

function unknownOperation(node: INode, resource: string, name: string): NodeOperationError {
	if (resource === CUSTOM_API_CALL || name === CUSTOM_API_CALL) {
		const message = 'A custom API call is made by the HTTP Request node';
		return new NodeOperationError(node, message, { description: CUSTOM_API_CALL_ADVICE });
	}
	const what = name ? `operation "${name}" of "${resource}"` : `resource "${resource}"`;
	return new NodeOperationError(node, `There is no ${what}`, { description: CHOOSE_ONE });
}

/** An item with what orders it. What cannot be read here fails the item when that is run. */
const prepared = (operation: Operation, form: Form, itemIndex: number) => ({
	form,
	itemIndex,
	lane: readable(() => operation.lane?.(form)),
	replaces: readable(() => operation.replaces?.(form)),
});

/** The service for one item: its requests tell how many items wait behind it, and changes are noted for the next try. */
const queued = (service: Service, backlog: () => number, { twice }: Tried): Service => ({
	connection: service.connection,
	request: (request) => {
		if (request.twice !== undefined) twice.add(request.twice);
		return service.request({ ...request, backlog });
	},
});

/** The settings of the run. If an expression in the options fails, its item reports it when it is run. */
const settingsOf = (form: Form): Partial<ServiceSettings> =>
	readable(() => form.options) ? readSettings(form) : {};

/** Ends the run with its error. n8n shows an agent only the message, so there it holds the advice too. */
function fail(error: NodeError, context: IExecuteFunctions): never {
	if (context.getNode().type.endsWith('Tool')) throwWithAdvice(error);
	throw error;
}

function refuseAll(
	refusal: NodeError,
	context: IExecuteFunctions,
	count: number,
): INodeExecutionData[][] {
	if (!context.continueOnFail()) fail(refusal, context);
	// If it were thrown, n8n would pass the input on.
	return [Array.from({ length: count }, (_, item) => errorItem(refusal, context, item))];
}

/** Tells the user that the service allows less than the options ask for. */
function refusedHint({ refusals, rate }: Client): NodeExecutionHint {
	const repeated = refusals === 1 ? 'One request was' : `${refusals} requests were`;
	return {
		message: `${repeated} refused because of the service's limits, and sent again later. The pace is now ${Number(rate.toFixed(1))} requests per second. The pace finds its level by itself; if other programs use this bot, a lower 'Requests per Second' in 'Options' → 'Delivery' leaves room for them.`,
		type: 'info',
		location: 'outputPane',
	};
}

/** What `read` returns; `undefined` if it throws. */
function readable<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

async function runItem(
	operation: Operation,
	call: Call,
): Promise<INodeExecutionData[] | NodeError> {
	try {
		// Read only after the request, a wrong choice would fail an item whose message has been sent.
		viewOf(call.form);
		const items = await runOperation(operation, call);
		return items.map((item) => ({ ...item, pairedItem: { item: call.itemIndex } }));
	} catch (error) {
		const failed = asNodeError(error, call.context);
		failed.context.itemIndex = call.itemIndex;
		return failed;
	}
}

async function runOperation(operation: Operation, call: Call): Promise<INodeExecutionData[]> {
	if ('run' in operation) return await operation.run(call);
	const request = operation.request(call.form);
	const answer = await call.service.request(request);
	const whole = request.method === 'DELETE' ? { deleted: true } : answer;
	const output = operation.output?.(answer, call.form) ?? whole;
	return (Array.isArray(output) ? output : [output]).map((json) => ({ json }));
}

const asNodeError = (error: unknown, context: IExecuteFunctions): NodeError =>
	error instanceof NodeApiError || error instanceof NodeOperationError
		? error
		: new NodeOperationError(context.getNode(), error instanceof Error ? error : String(error));

/** The error item for Continue On Fail. On an error output, n8n tells it by its keys, so the rest is in `details`. */
function errorItem(error: NodeError, context: IExecuteFunctions, item: number): INodeExecutionData {
	const httpCode = error instanceof NodeApiError ? error.httpCode : null;
	const details = withoutGaps({
		description: error.description || undefined,
		code: textAt(error.context, 'code'),
		http_code: httpCode === null ? undefined : Number(httpCode),
	});
	const pairedItem = { item };
	if (context.getNode().onError !== 'continueErrorOutput') {
		return { json: { error: error.message, ...details }, pairedItem };
	}
	const failed = { json: { error: error.message, details }, pairedItem };
	// Older versions of n8n know no `details`. They, too, send an item with an error of its own to the error output; it is
	// not enumerable, as n8n would reduce a copied one to its message.
	return Object.defineProperty(failed, 'error', { value: error });
}
