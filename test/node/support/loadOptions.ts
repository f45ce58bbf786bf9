import './environment';
import { LoadOptionsContext } from 'n8n-core';
import {
	UnexpectedError,
	Workflow,
	type ICredentialType,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { additionalDataOf } from './additionalData';
import { CredentialStore, type CredentialData } from './credentials';
import { toWorkflowNode, type NodeUse } from './engine';
import { NodeRegistry } from './nodeTypes';
import { newScope, within } from './scope';
import { startServices } from './services';

/** An open form whose drop-down is being filled. */
interface OpenForm extends Pick<NodeUse, 'node' | 'parameters' | 'typeVersion'> {
	/** Name of the method that fills the field. */
	method: string;
	credentials?: CredentialData;
	credentialTypes?: ICredentialType[];
	/** Path of the field in the form. */
	path?: string;
}

interface ListSearch extends OpenForm {
	/** What the user typed into the search box. */
	filter?: string;
	/** From the previous page. */
	paginationToken?: string;
}

/** Fills a searchable drop-down (a resource locator in list mode) as the editor does. Rejects if the node does. */
export async function searchList(search: ListSearch): Promise<INodeListSearchResult> {
	const method = search.node.methods?.listSearch?.[search.method];
	if (!method) throw new UnexpectedError(`The node has no list search "${search.method}"`);
	return await inForm(search, async (context) => {
		const result = await method.call(context, search.filter, search.paginationToken);
		const token: unknown = result.paginationToken;
		return typeof token === 'number' ? { ...result, paginationToken: String(token) } : result;
	});
}

/** Fills a plain drop-down as the editor does. Rejects if the node does. */
export async function loadOptions(form: OpenForm): Promise<INodePropertyOptions[]> {
	const method = form.node.methods?.loadOptions?.[form.method];
	if (!method) throw new UnexpectedError(`The node has no options "${form.method}"`);
	return await inForm(form, async (context) => await method.call(context));
}

async function inForm<T>(
	form: OpenForm,
	work: (context: LoadOptionsContext) => Promise<T>,
): Promise<T> {
	await startServices();
	const { node, parameters = {}, typeVersion, credentials = {}, credentialTypes, path = '' } = form;
	const workflowNode = {
		...toWorkflowNode({ node, parameters, typeVersion }, credentials),
		name: 'Temp-Node',
	};
	const workflow = new Workflow({
		nodes: [workflowNode],
		connections: {},
		active: false,
		nodeTypes: new NodeRegistry({ [workflowNode.type]: node }),
	});
	const additionalData = {
		...additionalDataOf({ credentials: new CredentialStore(credentials, credentialTypes) }),
		currentNodeParameters: parameters,
	};
	const context = new LoadOptionsContext(workflow, workflowNode, additionalData, path);
	return await within(newScope(), async () => await work(context));
}
