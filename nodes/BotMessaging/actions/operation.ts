import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Call } from '../form/call';
import type { Form } from '../form/form';
import type { ServiceAnswer, ServiceRequest } from '../service/types';

interface OperationBase {
	value: string;
	/** Name in the operation menu, such as `Send`. */
	name: string;
	/** Name in the node panel, such as `Send message`. */
	action: string;
	description: string;
	/** Its form; the catalogue adds the display options for resource and operation. */
	fields: INodeProperties[];
	options?: INodeProperties[];
	/** Technical options besides those of every operation; shown in the Delivery group of its options. */
	delivery?: INodeProperties[];
	/** Items of the same lane run in order, all others concurrently; without it, in any order. */
	lane?(form: Form): string;
	/**
	 * Names what the item overwrites completely, such as the message it edits: of the waiting items of a lane with the
	 * same value, only the last runs. Throws, or returns `undefined`, for an item that overwrites nothing.
	 */
	replaces?(form: Form): string | undefined;
}

/** An operation of one request: pure functions from the form to the request, and from the answer to the output. */
export interface RequestOperation extends OperationBase {
	request(form: Form): ServiceRequest;
	/** The JSON of the items, or none for an empty list; by default the answer, or n8n's word for a deletion. */
	output?(answer: ServiceAnswer, form: Form): IDataObject | IDataObject[];
}

/** An operation that takes several requests, handles binary data, or puts the execution to wait. */
export interface RunOperation extends OperationBase {
	/** Whether it runs for the first item alone, and its output is that of the whole execution. */
	once?: true;
	run(call: Call): Promise<INodeExecutionData[]>;
}

export type Operation = RequestOperation | RunOperation;

/** A resource and its operations, in menu order. */
export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}
