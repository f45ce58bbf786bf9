import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../service/types';
import type { Form } from './form';

/** What an operation needs beyond its form: the service and n8n's helpers, for one item. */
export interface Call {
	form: Form;
	service: Service;
	/** n8n's context; operations use its binary data helpers. */
	context: IExecuteFunctions;
	itemIndex: number;
}
