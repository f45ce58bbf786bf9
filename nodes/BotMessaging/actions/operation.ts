import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Call } from '../form/call';
import type { Form } from '../form/form';
import type { ServiceAnswer, ServiceRequest } from '../service/types';

interface OperationBase {
	/** Value of the operation parameter. */
	value: string;
	/** Name in the operation menu, such as `Send`. */
	name: string;
	/** Name in the node panel, such as `Send message`. */
	action: string;
	/** What it does, one short sentence. */
	description: string;
	/** Its form; display options of resource and operation are added by `describe`. */
	fields: INodeProperties[];
	/** Technical options besides those that every operation has; they stand in the group Delivery of its options. */
	delivery?: INodeProperties[];
	/**
	 * Names what must not be overtaken: items of the same lane run in their order, all others concurrently.
	 * Without it the order of the operation's items cannot matter.
	 */
	lane?(form: Form): string;
	/**
	 * Names what the item makes anew as a whole, such as the message that it edits: of items of a lane that wait at the
	 * same time and name the same, only the last is done.
	 */
	replaces?(form: Form): string | undefined;
}

/** An operation that is one request: a pure function from the form to it, and from the answer to the output. */
export interface RequestOperation extends OperationBase {
	request(form: Form): ServiceRequest;
	/** The output items' JSON; the answer itself where this is left out. An empty list gives no item. */
	output?(answer: ServiceAnswer, form: Form): IDataObject | IDataObject[];
}

/** An operation that takes several requests, or handles binary data. */
export interface RunOperation extends OperationBase {
	run(call: Call): Promise<INodeExecutionData[]>;
}

/** An operation that sends something for the first item and then lets the whole execution wait for an answer. */
export interface WaitOperation extends OperationBase {
	/** Returns when the waiting ends without an answer. */
	startWaiting(call: Call): Promise<Date>;
}

/** One entry of an operation menu. */
export type Operation = RequestOperation | RunOperation | WaitOperation;

/** A resource and its operations, in menu order. */
export interface Resource {
	/** Value of the resource parameter. */
	value: string;
	/** Name in the resource menu. */
	name: string;
	operations: Operation[];
}

/** The result of what deletes, in n8n's words. */
export const deleted = (): IDataObject => ({ deleted: true });
