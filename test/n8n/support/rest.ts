import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import { Executions } from './executions';
import type { N8nInstance } from './instance';
import { settled } from './publication';
import { N8nError, Session } from './session';
import { VERSION, type WorkflowDraft } from './workflow';

/** The owner of every instance that the tests and `npm start` set up. */
export const OWNER = {
	email: 'owner@bot.example',
	firstName: 'Olga',
	lastName: 'Owner',
	password: 'Bot-Messaging-1',
};

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface Workflow extends WorkflowDraft {
	id: string;
	versionId: string;
	active: boolean;
}

interface CommunityPackage {
	packageName: string;
	installedVersion: string;
	failedLoading?: boolean;
	installedNodes: Array<{ name: string; type: string }>;
}

/** Logins by the address of n8n: each would keep it busy for a tenth of a second. */
const owners = new Map<string, Session['user']>();

/** What the tests do in n8n, through the REST API of its editor. */
export class N8nClient {
	readonly executions: Executions;

	private constructor(readonly session: Session) {
		this.executions = new Executions(session);
	}

	/** Logs in as the owner, or creates the owner of a new instance. Later clients share the first one's login. */
	static async open({ url, ca }: Pick<N8nInstance, 'url' | 'ca'>): Promise<N8nClient> {
		const owner = owners.get(url);
		const session = new Session(url, ca, {}, owner);
		if (owner) return new N8nClient(session);
		const { email, password } = OWNER;
		const body = { emailOrLdapLoginId: email, password };
		await session.request('POST', '/rest/login', { body }).catch(async (error: unknown) => {
			if (!(error instanceof N8nError && error.status === 401)) throw error;
			await session.request('POST', '/rest/owner/setup', { body: OWNER });
		});
		owners.set(url, session.user);
		return new N8nClient(session);
	}

	/** Ends the connections. */
	async close() {
		await this.session.close();
	}

	/** The descriptions of all node types that n8n has loaded. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.session.request('GET', '/types/nodes.json');
	}

	/** Installs a community package in this repository's version, as the settings page of the editor does. */
	async installPackage(name: string): Promise<CommunityPackage> {
		return await this.session.request('POST', '/rest/community-packages', {
			body: { name, version: VERSION },
		});
	}

	/** The community packages that the settings page of the editor lists. */
	async packages(): Promise<CommunityPackage[]> {
		return await this.session.request('GET', '/rest/community-packages');
	}

	async createCredential(name: string, type: string, data: IDataObject): Promise<Credential> {
		return await this.session.request('POST', '/rest/credentials', { body: { name, type, data } });
	}

	async deleteCredential({ id }: Credential) {
		await this.session.request('DELETE', `/rest/credentials/${id}`);
	}

	async createWorkflow(draft: WorkflowDraft): Promise<Workflow> {
		return await this.session.request('POST', '/rest/workflows', { body: draft });
	}

	/** All workflows, without their nodes. */
	async workflows(): Promise<Array<Pick<Workflow, 'id' | 'name' | 'active'>>> {
		return await this.session.request('GET', '/rest/workflows');
	}

	async getWorkflow(id: string): Promise<Workflow> {
		return await this.session.request('GET', `/rest/workflows/${id}`);
	}

	/** Saves a changed workflow. An active one continues with the version it was activated with. */
	async updateWorkflow(workflow: Workflow, change: Partial<WorkflowDraft>): Promise<Workflow> {
		return await this.session.request('PATCH', `/rest/workflows/${workflow.id}`, {
			body: { ...change, versionId: workflow.versionId },
		});
	}

	/** Activates the saved version and waits until every trigger runs. Otherwise throws with the trigger's error. */
	async activate({ id }: Workflow): Promise<Workflow> {
		const { versionId } = await this.getWorkflow(id);
		await this.session.request('POST', `/rest/workflows/${id}/activate`, { body: { versionId } });
		const { status, triggers } = await settled(this.session, id);
		if (status !== 'published') {
			const reasons = triggers.map(({ errorMessage }) => errorMessage).join('; ');
			throw new Error(`The workflow was not activated (${status}): ${reasons}`);
		}
		return await this.getWorkflow(id);
	}

	/** Deactivates and waits until every trigger has stopped. */
	async deactivate({ id }: Workflow): Promise<Workflow> {
		await this.session.request('POST', `/rest/workflows/${id}/deactivate`, { body: {} });
		await settled(this.session, id, 'not_published');
		return await this.getWorkflow(id);
	}

	async archive({ id }: Workflow) {
		await this.session.request('POST', `/rest/workflows/${id}/archive`, { body: {} });
	}

	/** Deactivates, archives and deletes a workflow; n8n refuses any shorter way. */
	async deleteWorkflow(workflow: Workflow) {
		const { active } = await this.getWorkflow(workflow.id);
		if (active) await this.deactivate(workflow);
		await this.archive(workflow);
		await this.session.request('DELETE', `/rest/workflows/${workflow.id}`);
	}

	/** Runs the saved workflow from this trigger, like "Execute workflow". Resolves to the execution's ID. */
	async run(workflow: Workflow, trigger: string): Promise<string> {
		const { executionId } = await this.start(workflow, trigger);
		if (!executionId) throw new Error(`${trigger} waits for an event; use listen()`);
		return executionId;
	}

	/** "Listen for test event": resolves once the trigger waits for an event. */
	async listen(workflow: Workflow, trigger: string) {
		const { waitingForWebhook } = await this.start(workflow, trigger);
		if (!waitingForWebhook) throw new Error(`${trigger} does not wait for an event`);
	}

	/** "Stop listening". */
	async stopListening({ id }: Workflow) {
		await this.session.request('DELETE', `/rest/test-webhook/${id}`);
	}

	private async start({ id }: Workflow, trigger: string) {
		// Older versions want the whole workflow and a list of nodes; newer ones use the saved one.
		const workflowData = await this.getWorkflow(id);
		return await this.session.request<{ executionId?: string; waitingForWebhook?: boolean }>(
			'POST',
			`/rest/workflows/${id}/run`,
			{ body: { workflowData, startNodes: [], triggerToStartFrom: { name: trigger } } },
		);
	}
}
