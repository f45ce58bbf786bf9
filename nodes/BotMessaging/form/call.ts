import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Service } from '../service/types';
import type { Form } from './form';

/** What an operation needs beyond its form: the service and n8n's helpers, for one item. */
export interface Call {
	form: Form;
	service: Service;
	/** n8n's context; operations use its binary data helpers. */
	context: IExecuteFunctions;
	itemIndex: number;
	/** Messages of the item that were sent. n8n's Retry On Fail runs an item again that has failed after these. */
	sent: INodeExecutionData[];
}
