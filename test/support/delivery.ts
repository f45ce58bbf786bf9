import type { INodeParameters } from 'n8n-workflow';

/** The options of a form that holds these technical options. */
export const delivery = (values: INodeParameters): INodeParameters => ({ delivery: { values } });
