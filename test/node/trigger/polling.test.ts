import type { INodeParameters } from 'n8n-workflow';
import { BotMessagingTrigger } from '../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { botStarted } from '../../support/botStarted';
import { waitFor } from '../../support/wait';
import { runNode } from '../support/engine';
import { Stage } from '../support/stage';
import { ELSEWHERE, polled, POLLING } from './polled';

describe('a trigger that polls', () => {
	const { stage, active, activeSince, came, countPolls } = polled();

	/** The polls that were answered: until then, a poll is not in the journal. */
	const polls = async () => await stage.control.journal({ kind: 'request', path: '/updates' });

	it.each(['uncommitted', 'latest'])(
		'subscribes nothing and starts the workflow for each event, in order, when a poll without marker means %s',
		async (polling_without_marker) => {
			await stage.control.setSettings({ polling_without_marker });
			const host = await active();
			for (const [index, payload] of ['a', 'b', 'c'].entries()) {
				await stage.happen(payload);
				await host.ended(index + 1);
			}
			expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
			const modes = host.stored.executions.map(({ mode }) => mode);
			expect(modes).toEqual(['trigger', 'trigger', 'trigger']);
			expect(await stage.subscriptions()).toEqual([]);
		},
	);

	it('asks for the chosen events within the limits of the service, and passes the marker on, so that events it has got are not sent again', async () => {
		const host = await active({ events: ['bot_started', 'bot_stopped'] });
		for (const [index, payload] of ['a', 'b'].entries()) {
			await stage.happen(payload);
			await host.ended(index + 1);
		}
		const [first, second] = await stage.seen({ kind: 'request', path: '/updates' }, 2);
		const query = { limit: '100', timeout: '30', types: 'bot_started,bot_stopped' };
		expect(first).not.toHaveProperty('query.marker');
		const marker = expect.stringMatching(/^\d+$/);
		expect(second).toMatchObject({ query: { ...query, marker }, status: 200 });
	});

	it('continues after a restart where it stopped: gets what happened meanwhile, and runs nothing twice', async () => {
		const host = await activeSince();
		await host.memory.stop();
		await stage.happen('b');
		await host.activate('init');
		await stage.happen('c');
		await came(host, 'c');
		expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
	});

	it('hands over what happened while it was changed to receive by webhook', async () => {
		const host = await activeSince();
		await host.deactivate();
		for (const payload of ['b', 'c']) await stage.happen(payload);
		host.stored.setParameters({ events: ['*'] });
		await host.activate('update');
		await stage.happen('d');
		expect((await host.payloads(4)).sort()).toEqual(['a', 'b', 'c', 'd']);
	});

	it('gets what happened while n8n was down before any event has started the workflow, even if a poll without marker means the latest event', async () => {
		await stage.control.setSettings({ polling_without_marker: 'latest' });
		const host = await active();
		await host.memory.stop();
		for (const payload of ['a', 'b', 'c']) await stage.happen(payload);
		await host.activate('init');
		await came(host, 'c');
		expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
	});

	it('goes on where it stopped when its node is renamed, even if a poll without marker means the latest event', async () => {
		await stage.control.setSettings({ polling_without_marker: 'latest' });
		const host = await activeSince();
		await host.deactivate();
		for (const payload of ['b', 'c', 'd']) await stage.happen(payload);
		host.stored.node.name = 'Renamed';
		await host.activate('update');
		await came(host, 'd');
		expect(await host.payloads(4)).toEqual(['b', 'c', 'd']);
	});

	it('goes on where it stopped although another trigger of the workflow, which began earlier, was the last to save', async () => {
		await stage.control.setSettings({ polling_without_marker: 'latest' });
		const other = await stage.control.createBot();
		const happenToOther = async (payload: string) =>
			await stage.control.enqueue(other.user_id, { ...botStarted(payload), timestamp: Date.now() });
		const workflowId = `two${Date.now()}`;
		const earlier = await stage.activeTrigger(POLLING, { workflowId });
		const later = await stage.activeTrigger(POLLING, {
			workflowId,
			nodeId: 'later',
			credentials: stage.credentialsWith({ accessToken: other.token }),
		});
		await happenToOther('a');
		await later.ended(1);
		for (const [index, payload] of ['x', 'y'].entries()) {
			await stage.happen(payload);
			await earlier.ended(index + 1);
		}
		await later.memory.stop();
		for (const payload of ['b', 'c', 'd']) await happenToOther(payload);
		later.stored.staticData = earlier.stored.staticData;
		await later.activate('init');
		await came(later, 'd');
		expect(await later.payloads(4)).toEqual(['a', 'b', 'c', 'd']);
	});

	it('gets later events even after one that is nested thousands of levels deep', async () => {
		const nested = `{"update_type":"poll_closed","timestamp":1,"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
		const after = JSON.stringify({ update_type: 'bot_started', timestamp: 2, payload: 'after' });
		const body = `{"updates":[${nested},${after}],"marker":1}`;
		await stage.fault({ path: '/updates' }, { status: 200, body });
		const host = await active();
		expect(await host.payloads(1)).toEqual(['after']);
	});

	it('says in the log which events it cannot read, as they do not come again', async () => {
		const updates = [
			null,
			{ update_type: 'poll_closed' },
			{ update_type: 'bot_started', timestamp: '2' },
		];
		await stage.fault({ path: '/updates' }, { status: 200, body: { updates, marker: 1 } });
		const host = await active();
		const said = () => host.logged.filter((line) => line.startsWith('Events were passed over'));
		await waitFor(() => said().length > 0, { what: 'a line in the log' });
		expect(said()).toEqual([expect.stringMatching(/ unlike "", "poll_closed", "bot_started"$/)]);
		await stage.happen('after');
		expect(await host.payloads(1)).toEqual(['after']);
	});

	it('begins anew when the service no longer takes its marker, which nobody could correct', async () => {
		const host = await activeSince();
		const then = { status: 200, body: { updates: [], marker: 'expired' } };
		await stage.fault({ path: '/updates' }, then);
		await stage.faultMet();
		await stage.happen('b');
		await came(host, 'b');
		await stage.happen('c');
		expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
		expect(host.memory.failures).toEqual([]);
		expect(host.logged).toContainEqual(expect.stringMatching(/^Polling begins anew: .*marker/i));
	});

	describe('when n8n cannot store an execution', () => {
		it('retries, and passes the marker on only after that', async () => {
			const host = await activeSince();
			host.memory.unstorable = 2;
			await stage.happen('b');
			await waitFor(() => host.memory.unstorable === 0, { what: 'two tries' });
			expect(await host.payloads(2)).toEqual(['a', 'b']);
			await stage.happen('c');
			expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
			expect(host.memory.failures).toEqual([]);
		});

		it('polls no further before the events of its first poll are stored: the service may send them only once', async () => {
			await stage.happen('a');
			const host = await stage.trigger(POLLING);
			host.memory.unstorable = 3;
			await host.activate();
			await host.ended(1);
			expect(await polls()).toHaveLength(1);
		});

		it('asks for the event again until it could store it, also if n8n dies before', async () => {
			const host = await activeSince();
			host.memory.unstorable = Infinity;
			await stage.happen('b');
			await stage.seen({ kind: 'request', path: '/updates' }, 4);
			await host.memory.stop();
			host.memory.unstorable = 0;
			await host.activate('init');
			await came(host, 'b');
			const [, , third, ...again] = (await polls()).map(({ query }) => query.marker);
			expect(again.length).toBeGreaterThan(1);
			expect(new Set(again)).toEqual(new Set([third]));
		});
	});

	it('ends the current poll when the workflow is switched off, which is no failure', async () => {
		await countPolls(2);
		const host = await active();
		await stage.faultMet();
		await host.deactivate();
		await stage.seen({ kind: 'request', path: '/updates' }, 2);
		await stage.happen('too late');
		expect(await polls()).toMatchObject([{ status: 200 }, { status: 0 }]);
		expect(host.stored.executions).toEqual([]);
		expect(host.memory.failures).toEqual([]);
		expect(host.logs.filter(({ level }) => level === 'warn')).toEqual([]);
	});

	describe('in a run from the editor', () => {
		const run = (parameters: INodeParameters = {}) =>
			runNode({
				node: new BotMessagingTrigger(),
				parameters: { ...POLLING, ...parameters },
				credentials: stage.credentials,
			});

		it('waits for one event and leaves it to the active workflow as well', async () => {
			await countPolls(3);
			const host = await active();
			const running = run();
			await stage.faultMet();
			await stage.happen('a');
			expect((await running).items).toMatchObject([{ json: { payload: 'a' } }]);
			expect(await host.payloads(1)).toEqual(['a']);
		});

		it('takes the latest event that passes the filters', async () => {
			for (const payload of ['yes', 'yes too', 'no']) await stage.happen(payload);
			const { items } = await run({
				filters: { text: { rule: { match: 'contains', value: 'yes' } } },
			});
			expect(items).toMatchObject([{ json: { payload: 'yes too' } }]);
			expect(await polls()).toMatchObject([
				{ query: expect.not.objectContaining({ marker: expect.anything() }) },
			]);
		});

		it('takes no message of the bot itself, which some services report as well', async () => {
			await stage.happen('a');
			const message = {
				sender: { user_id: stage.bot.user_id, is_bot: true },
				body: { text: 'own' },
			};
			await stage.happen('own', { update_type: 'message_created', message });
			expect((await run()).items).toMatchObject([{ json: { payload: 'a' } }]);
		});

		it('takes no press that answers Send and Wait, which starts no published workflow either', async () => {
			await stage.happen('a');
			const callback = { callback_id: 'k', payload: `wait:${'A'.repeat(200)}` };
			await stage.happen('press', { update_type: 'message_callback', callback });
			expect((await run()).items).toMatchObject([{ json: { payload: 'a' } }]);
		});

		it('gives the item all fields that it has when the trigger waits for more messages', async () => {
			await stage.happen('a');
			const { items } = await run({ options: { collect_seconds: 1 } });
			expect(items).toMatchObject([{ json: { payload: 'a', collected_text: 'a' } }]);
		});

		it('goes on waiting when the service has had no event for a while', async () => {
			const running = run();
			await waitFor(
				async () => {
					await stage.control.advance(26_000);
					return (await polls()).length > 0;
				},
				{ what: 'a poll without an event' },
			);
			await stage.happen('a');
			expect((await running).items).toMatchObject([{ json: { payload: 'a' } }]);
		});

		it('says which webhook is in the way', async () => {
			await stage.subscribe(ELSEWHERE);
			const { error } = await run();
			expect(error?.message).toContain(ELSEWHERE);
		});

		it('can be canceled', async () => {
			const running = run();
			setTimeout(() => running.cancel(), 300);
			expect((await running).items).toEqual([]);
		});
	});
});

// In a hurry, the machine would seem too slow to poll more often.
describe('a trigger that polls, in its own time,', () => {
	const stage = Stage.forEachTest({ limits: { polls_per_second: 2 } });

	it('does so at most twice a second, however fast events come', async () => {
		const host = await stage.activeTrigger(POLLING);
		for (let at = 0; at < 5; at++) {
			await stage.happen(`event ${at}`);
			await host.ended(at + 1);
		}
		const polls = await stage.control.journal({ kind: 'request', path: '/updates' });
		expect(polls.filter(({ status }) => status !== 200)).toEqual([]);
	});
});
