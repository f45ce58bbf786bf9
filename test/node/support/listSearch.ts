import './environment';
import { LoadOptionsContext } from 'n8n-core';
import { UnexpectedError, Workflow, type INodeListSearchResult } from 'n8n-workflow';
import { additionalDataOf } from './additionalData';
import { CredentialStore, type CredentialData } from './credentials';
import { toWorkflowNode, type NodeUse } from './engine';
import { NodeRegistry } from './nodeTypes';
import { newScope, within } from './scope';
import { startServices } from './services';

/** A searchable drop-down (a resource locator in list mode) of an open form. */
interface ListSearch extends Pick<NodeUse, 'node' | 'parameters'> {
	/** Name of the method that fills the field. */
	method: string;
	credentials: CredentialData;
	/** What the user typed into the search box. */
	filter?: string;
	/** From the previous page. */
	paginationToken?: string;
}

/** Fills a searchable drop-down as the editor does. Rejects if the node does. */
export async function searchList(search: ListSearch): Promise<INodeListSearchResult> {
	const { node, parameters = {}, credentials, filter, paginationToken } = search;
	const method = node.methods?.listSearch?.[search.method];
	if (!method) throw new UnexpectedError(`The node has no list search "${search.method}"`);
	await startServices();
	const workflowNode = { ...toWorkflowNode({ node, parameters }, credentials), name: 'Temp-Node' };
	const workflow = new Workflow({
		nodes: [workflowNode],
		connections: {},
		active: false,
		nodeTypes: new NodeRegistry({ [workflowNode.type]: node }),
	});
	const additionalData = {
		...additionalDataOf({ credentials: new CredentialStore(credentials) }),
		currentNodeParameters: parameters,
	};
	const context = new LoadOptionsContext(workflow, workflowNode, additionalData, '');
	return await within(newScope(), async () => await method.call(context, filter, paginationToken));
}
