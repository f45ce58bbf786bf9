import type { INodeParameters } from 'n8n-workflow';
import { hurry } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';

/** Parameters of a trigger that polls. */
export const POLLING = { events: ['*'], delivery: 'polling' };

/** A webhook of somebody else. */
export const ELSEWHERE = 'https://elsewhere.example/hook';

/** A new stage in a hurry for each test of the `describe` where this is called, and what its tests do there. */
export function polled() {
	hurry(5);
	const stage = Stage.forEachTest({ limits: { polls_per_second: 2 } });
	const active = async (parameters: INodeParameters = {}) =>
		await stage.activeTrigger({ ...POLLING, ...parameters });

	/** An active trigger that has handed over one event, with the payload a. */
	const activeSince = async () => {
		const host = await active();
		await stage.happen('a');
		await host.ended(1);
		return host;
	};

	/** Resolves when the event with this payload has started the workflow. */
	const came = async (host: TriggerHost, payload: string) => {
		const isThere = async () => (await host.payloads(1)).includes(payload);
		await waitFor(isThere, { what: `event ${payload}` });
	};

	/** From now on, `stage.faultMet()` waits until so many polls have arrived. */
	const countPolls = async (count: number) =>
		await stage.fault({ path: '/updates' }, { delay_ms: 0 }, { count });

	return { stage, active, activeSince, came, countPolls };
}
