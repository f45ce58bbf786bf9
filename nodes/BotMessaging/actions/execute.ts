import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { openService, type Client, type ServiceSettings } from '../service/client';
import type { Service } from '../service/types';
import { findOperation } from './catalogue';
import { formFields } from './describe';
import { labelsOf, OPTIONS } from '../form/fields';
import { readSettings } from '../form/settings';
import { Form, type Call } from '../form/form';
import { inLanes } from './lanes';
import type { Operation } from './operation';
import { Progress } from './progress';

type NodeError = NodeApiError | NodeOperationError;

/** So many items are under way at a time: enough to keep the limits of the service used, however slowly it answers. */
const AT_A_TIME = 300;

/**
 * Runs the chosen operation for every item: items of one lane in their order, the others concurrently. The output
 * stands in input order, each item paired with the one it came from. With Continue On Fail an item that failed
 * gives an error item; otherwise the first failure ends the run before its next request.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = findOperation(
		String(this.getNodeParameter('resource', 0)),
		String(this.getNodeParameter('operation', 0)),
	);
	const labels = labelsOf(formFields(operation));
	const formOf = (itemIndex: number): Form =>
		new Form(this.getNode(), labels, (name) => this.getNodeParameter(name, itemIndex, null));

	let failure: NodeError | undefined;
	const stopped = (): boolean =>
		failure !== undefined || this.getExecutionCancelSignal()?.aborted === true;
	const service = await openService(this, settingsOf(formOf(0)), stopped);

	const count = 'startWaiting' in operation ? 1 : this.getInputData().length;
	const progress = new Progress(this, count);

	const results = await inLanes({
		count,
		stopped,
		atATime: AT_A_TIME,
		prepare: (itemIndex) => {
			const form = formOf(itemIndex);
			const lane = laneOf(operation, form);
			return { form, itemIndex, lane, replaces: lane && operation.replaces?.(form) };
		},
		run: async ({ form, itemIndex }, backlog) => {
			const queued: Service = {
				connection: service.connection,
				request: (request) => service.request({ ...request, backlog }),
			};
			const call: Call = { form, service: queued, context: this, itemIndex };
			const outcome = await runItem(operation, call);
			progress.step();
			if (!(outcome instanceof Error)) return outcome;
			if (!this.continueOnFail()) failure ??= outcome;
			return [errorItem(outcome, call)];
		},
		skip: ({ itemIndex, replaces }) => {
			progress.step();
			const json = { success: true, message_id: replaces, replaced_by_newer: true };
			return [{ json, pairedItem: { item: itemIndex } }];
		},
	});
	if (failure) throw failure;
	if (service.refusals > 0) this.addExecutionHints(refusedHint(service));
	return [results.flatMap((items) => items ?? [])];
}

/** The settings of the run. An expression that fails is the failure of its item, where it is resolved again. */
function settingsOf(form: Form): Partial<ServiceSettings> {
	try {
		form.value(OPTIONS);
	} catch {
		return {};
	}
	return readSettings(form);
}

/** Tells the user that the service takes less than the options say. */
function refusedHint({ refusals, rate }: Client): NodeExecutionHint {
	const repeated = refusals === 1 ? 'One request was' : `${refusals} requests were`;
	return {
		message: `${repeated} refused because of the service's limits, and sent again later. The pace is now ${Number(rate.toFixed(1))} requests per second. The pace finds its level by itself; if other programs use this bot, a lower 'Requests per Second' in 'Options' → 'Delivery' leaves room for them.`,
		type: 'info',
		location: 'outputPane',
	};
}

/** An item whose lane cannot be told will fail for the same reason when it is run, so it needs none. */
function laneOf(operation: Operation, form: Form): string | undefined {
	try {
		return operation.lane?.(form);
	} catch {
		return undefined;
	}
}

async function runItem(
	operation: Operation,
	call: Call,
): Promise<INodeExecutionData[] | NodeError> {
	try {
		const items = await runOperation(operation, call);
		return items.map((item) => ({ ...item, pairedItem: { item: call.itemIndex } }));
	} catch (error) {
		return asNodeError(error, call);
	}
}

async function runOperation(operation: Operation, call: Call): Promise<INodeExecutionData[]> {
	if ('run' in operation) return await operation.run(call);
	if ('startWaiting' in operation) {
		await call.context.putExecutionToWait(await operation.startWaiting(call));
		return call.context.getInputData();
	}
	const answer = await call.service.request(operation.request(call.form));
	const output = operation.output?.(answer, call.form) ?? answer;
	return (Array.isArray(output) ? output : [output]).map((json) => ({ json }));
}

function asNodeError(error: unknown, { context, itemIndex }: Call): NodeError {
	const shown =
		error instanceof NodeApiError || error instanceof NodeOperationError
			? error
			: new NodeOperationError(context.getNode(), error instanceof Error ? error : String(error));
	shown.context.itemIndex = itemIndex;
	return shown;
}

/**
 * What Continue On Fail gives for an item: `error` (what happened), `description` (what to do), the service's `code` and
 * `http_code`. On an error output all but `error` stands in `details`: n8n takes an item for an error by its keys.
 */
function errorItem(error: NodeError, { context, itemIndex }: Call): INodeExecutionData {
	const httpCode = error instanceof NodeApiError ? error.httpCode : null;
	const details = {
		...(error.description && { description: error.description }),
		...(typeof error.context.code === 'string' && { code: error.context.code }),
		...(httpCode !== null && { http_code: Number(httpCode) }),
	};
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return {
		json: { error: error.message, ...(hasErrorOutput ? { details } : details) },
		pairedItem: { item: itemIndex },
	};
}
