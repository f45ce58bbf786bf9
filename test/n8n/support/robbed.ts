import { Stage } from './stage';
import { happen, Steps } from './steps';

/** Three bots that lost their subscriptions, each in another way, and the steps after their triggers. */
export interface Robbed {
	deleted: Stage;
	expired: Stage;
	usurped: Stage;
	/** The subscription that somebody else has now. */
	lost: Awaited<ReturnType<Stage['subscriptions']>>[number] | undefined;
	steps: Steps;
}

/** Lets three bots lose their subscriptions. */
export async function rob(): Promise<Robbed> {
	const steps = await Steps.open();
	const [deleted, expired, usurped] = [await Stage.open(), await Stage.open(), await Stage.open()];
	for (const each of [deleted, expired, usurped]) await each.createActive(steps.workflow(each));

	const [own] = await deleted.subscriptions();
	await deleted.call('DELETE', '/subscriptions', { query: { url: own?.url ?? '' } });
	await happen(deleted, 'missed');

	await expired.control.setFaults([
		{ match: { origin: 'delivery' }, count: -1, then: { status: 502 } },
	]);
	await happen(expired, 'lost');
	await expired.control.advance(9 * 3_600_000);
	await expired.control.setFaults([]);
	expect([await deleted.subscriptions(), await expired.subscriptions()]).toEqual([[], []]);

	const [lost] = await usurped.subscriptions();
	const theirs = { url: lost?.url, secret: 'somebody-elses' };
	await usurped.call('POST', '/subscriptions', { body: theirs });
	await happen(usurped, 'refused');
	return { deleted, expired, usurped, lost, steps };
}
