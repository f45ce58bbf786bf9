import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import {
	UnexpectedError,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { CredentialStore } from './credentials';

/** Address of the instance unless a webhook server provides a real one. */
const NOWHERE = 'http://n8n.invalid';

interface Instance {
	credentials: CredentialStore;
	/** Address of the instance without a trailing slash. */
	publicUrl?: string;
}

const notPlayed = (what: string) => async () =>
	await Promise.reject(new UnexpectedError(`${what}: not played by this engine`));

/** What n8n's server passes to its engine: credentials and addresses. */
export function additionalDataOf({
	credentials,
	publicUrl = NOWHERE,
}: Instance): IWorkflowExecuteAdditionalData {
	return {
		currentNodeExecutionIndex: 0,
		credentialsHelper: credentials,
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		variables: {},
		restApiUrl: `${publicUrl}/rest`,
		instanceBaseUrl: `${publicUrl}/`,
		webhookBaseUrl: `${publicUrl}/webhook`,
		webhookTestBaseUrl: `${publicUrl}/webhook-test`,
		webhookWaitingBaseUrl: `${publicUrl}/webhook-waiting`,
		formBaseUrl: `${publicUrl}/form`,
		formTestBaseUrl: `${publicUrl}/form-test`,
		formWaitingBaseUrl: `${publicUrl}/form-waiting`,
		mcpBaseUrl: `${publicUrl}/mcp`,
		mcpTestBaseUrl: `${publicUrl}/mcp-test`,
		executeWorkflow: notPlayed('Sub-workflows'),
		startRunnerTask: notPlayed('Task runners'),
		getRunExecutionData: notPlayed('Stored executions'),
		getRuntimeCredential: notPlayed('Runtime credentials'),
		logAiEvent: () => {},
	};
}

/** The same, for one execution. */
export function forExecution(
	instance: Instance,
	mode: WorkflowExecuteMode,
	executionId: string,
	workflow: IWorkflowBase,
): IWorkflowExecuteAdditionalData & { hooks: ExecutionLifecycleHooks } {
	const hooks = new ExecutionLifecycleHooks(mode, executionId, workflow);
	return { ...additionalDataOf(instance), executionId, workflowId: workflow.id, hooks };
}
