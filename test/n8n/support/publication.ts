import { waitFor } from '../../support/wait';
import { N8nError, type Session } from './session';

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** n8n resumes a publication that a killed process had begun once its lease of two minutes has expired. */
const ACTIVATION_MS = 150_000;

/** Older versions have no such status: they answer the request only once the triggers have started or stopped. */
async function publicationStatus(session: Session, id: string): Promise<PublicationStatus> {
	try {
		return await session.request('GET', `/rest/workflows/${id}/publication-status`);
	} catch (error) {
		if (!(error instanceof N8nError && error.status === 404)) throw error;
		const { active } = await session.request<{ active: boolean }>('GET', `/rest/workflows/${id}`);
		return { status: active ? 'published' : 'not_published', triggers: [] };
	}
}

/** Resolves once the publication of a workflow has ended (with this status, if given). */
export async function settled(session: Session, id: string, wanted?: PublicationStatus['status']) {
	let last: PublicationStatus | undefined;
	return await waitFor(
		async () => {
			last = await publicationStatus(session, id);
			const over = last.status !== 'in_progress' && last.status !== (wanted ? '' : 'not_published');
			return over && (wanted === undefined || last.status === wanted) ? last : undefined;
		},
		{
			timeout: ACTIVATION_MS,
			what: () => `the activation of workflow ${id} to settle, now ${JSON.stringify(last)}`,
		},
	);
}
