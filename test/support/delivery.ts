import type { INodeParameters } from 'n8n-workflow';

/** The options of a form with these values in the Delivery group. */
export const delivery = (values: INodeParameters): INodeParameters => ({ delivery: { values } });
