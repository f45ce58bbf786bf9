import { BotMessagingTrigger } from '../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { setClockBack } from '../../support/hurry';
import { botStarted } from '../../support/botStarted';
import { waitFor } from '../../support/wait';
import { nodesOfAnotherProcess } from '../support/anotherProcess';
import type { TriggerHost } from '../support/trigger';
import { carrying, post } from './post';
import { ANOTHER, EVENTS, HOUR_MS, watched } from './watched';

/** The part of a webhook address for a workflow that no longer exists. */
const GONE = '/0b8f4a9e-6f0c-4a37-9f7e-ffffffffffff';

describe('the watchdog of a trigger', () => {
	const { stage, urls, active } = watched();

	let restoreClock = () => {};
	afterEach(() => restoreClock());

	/** What the addresses of this n8n start with, and what those of this trigger end with. */
	const partsOf = (host: TriggerHost) => {
		const parts = host.webhookUrl().split('/');
		return { base: parts.slice(0, -2).join('/'), path: parts.at(-1) };
	};

	describe('when somebody subscribed its address with another secret', () => {
		const SECRET = 'somebody-elses';

		/** Subscribes the address with another secret, and waits until so many events, of which this is the last, were refused. */
		const usurp = async (host: TriggerHost, event: string, refusals = 1) => {
			await stage.subscribe(host.webhookUrl(), { update_types: EVENTS, secret: SECRET });
			await stage.happen(event);
			await stage.seen({ kind: 'delivery', status: 403 }, refusals);
		};

		const usurped = async () => {
			const host = await active();
			const [before] = await stage.subscriptions();
			await usurp(host, 'unheard');
			return { host, before };
		};

		it('subscribes again with its own secret and says so, and refused events are delivered again', async () => {
			const { host, before } = await usurped();
			await host.memory.tick();
			expect((await stage.subscriptions())[0]?.secret).toBe(before?.secret);
			expect(host.logged).toContainEqual(expect.stringContaining('another secret'));
			await stage.control.advance(61_000);
			expect(await host.payloads(1)).toEqual(['unheard']);
		});

		it('does so also shortly after it was subscribed again for another reason', async () => {
			const host = await active();
			const [before] = await stage.subscriptions();
			await stage.unsubscribe(host.webhookUrl());
			await host.memory.tick();
			await usurp(host, 'unheard');
			await host.memory.tick();
			expect((await stage.subscriptions())[0]?.secret).toBe(before?.secret);
		});

		it('does so also where another process receives the calls, such as n8n webhook', async () => {
			const node = new BotMessagingTrigger();
			const host = await active({ node });
			const [before] = await stage.subscriptions();
			const another = await nodesOfAnotherProcess();
			Object.assign(node, new another.BotMessagingTrigger());
			await usurp(host, 'unheard');
			await waitFor(async () => (await stage.subscriptions())[0]?.secret === before?.secret, {
				what: 'the subscription with its own secret',
			});
			await stage.control.advance(61_000);
			expect(await host.payloads(1)).toEqual(['unheard']);
			await usurp(host, 'unheard', 2);
			expect((await stage.subscriptions())[0]?.secret).toBe(SECRET);
			expect(host.logged).toContainEqual(expect.stringContaining('another secret'));
		});

		it('does so at once when a person publishes it again', async () => {
			const { host, before } = await usurped();
			await host.deactivate();
			await host.activate();
			expect((await stage.subscriptions())[0]?.secret).toBe(before?.secret);
			await host.memory.tick();
			expect(host.logged).not.toContainEqual(expect.stringContaining('another secret'));
		});

		it('does so at most once in ten minutes, not for each forged call', async () => {
			const { host } = await usurped();
			await host.memory.tick();
			await usurp(host, 'unheard-too', 2);
			await host.memory.tick();
			expect((await stage.subscriptions())[0]?.secret).toBe(SECRET);
		});
	});

	describe('with a service that keeps one subscription per bot', () => {
		beforeEach(async () => {
			await stage.control.setSettings({ single_subscription: true });
		});

		it.each([
			['', 0],
			[', even if the clock was set back by an hour in between', HOUR_MS],
		])('gives way to the trigger that was switched on later, and reports that%s', async (_, ms) => {
			const first = await active();
			restoreClock = setClockBack(ms);
			const second = await active(ANOTHER);
			restoreClock();
			for (let look = 0; look < 3; look++) {
				await first.memory.tick();
				await second.memory.tick();
			}
			expect(await urls()).toEqual([second.webhookUrl()]);
			expect(first.memory.failures).toMatchObject([
				{ message: expect.stringContaining('go to another subscription') },
			]);
			expect(second.memory.failures).toEqual([]);
			await first.memory.tick();
			expect(await urls()).toEqual([second.webhookUrl()]);
		});

		const ELSEWHERE = 'https://elsewhere.example/hook';
		/** Another program takes the bot so many times, and the trigger looks each time. */
		const taken = async (host: TriggerHost, times: number) => {
			const left: string[] = [];
			for (let time = 0; time < times; time++) {
				await stage.subscribe(ELSEWHERE);
				await host.memory.tick();
				left.push(...(await urls()));
			}
			return left;
		};

		it('does not report that it gives way when the workflow is switched off while it looks', async () => {
			const host = await active();
			await taken(host, 1);
			await stage.subscribe(ELSEWHERE);
			await stage.fault({ method: 'GET', path: '/subscriptions' }, { delay_ms: 500 });
			const look = host.memory.tick();
			await stage.faultMet();
			await Promise.all([look, host.deactivate()]);
			expect(host.memory.failures).toEqual([]);
		});

		it('still gives way after a restart of n8n, but not once a person has switched it on again', async () => {
			const host = await active();
			const [own] = await stage.subscriptions();
			await taken(host, 2);
			// n8n saves what a trigger remembers along with the next event; this one was on its way.
			const late = JSON.stringify({ ...botStarted('late'), timestamp: Date.now() });
			await post(host, late, carrying(String(own?.secret)));
			expect(await host.payloads(1)).toEqual(['late']);
			await host.restart();
			await host.memory.tick();
			expect(await urls()).toEqual([ELSEWHERE]);
			await host.deactivate();
			await host.activate();
			expect(await urls()).toEqual([host.webhookUrl()]);
		});

		it('subscribes again when the other one is gone', async () => {
			const host = await active();
			await taken(host, 2);
			await stage.unsubscribe(ELSEWHERE);
			await host.memory.tick();
			expect(await urls()).toEqual([host.webhookUrl()]);
		});
	});

	describe('tidies up', () => {
		/** Looks several times at once, and once more when all triggers have had time to start. */
		const lookForLong = async (host: TriggerHost) => {
			for (let look = 0; look < 3; look++) await host.memory.tick();
			const found = await urls();
			const restoreClock = setClockBack(-120_000, performance);
			await host.memory.tick();
			restoreClock();
			return found;
		};

		it('a subscription of this n8n that no workflow uses any more, once all have had time to start', async () => {
			const host = await active();
			const { base, path } = partsOf(host);
			await stage.subscribe(`${base}${GONE}/${path}`);
			await stage.subscribe(`${base}-test${GONE}/${path}`);
			expect(await lookForLong(host)).toHaveLength(3);
			expect(await urls()).toEqual([host.webhookUrl()]);
		});

		it('nothing that belongs to somebody else', async () => {
			const host = await active();
			const { base, path } = partsOf(host);
			const others = [
				`https://other.example/webhook${GONE}/${path}`,
				`${base}/my-own-path`,
				// Triggers of other packages in this n8n.
				`${base}${GONE}/webhook`,
			];
			for (const url of others) await stage.subscribe(url);
			await lookForLong(host);
			expect((await urls()).sort()).toEqual([...others, host.webhookUrl()].sort());
		});

		it('nothing of a workflow that is switched on', async () => {
			const first = await active();
			const { origin } = new URL(first.webhookUrl());
			const second = await active({ ...ANOTHER, publicUrl: origin });
			await lookForLong(first);
			expect((await urls()).sort()).toEqual([first.webhookUrl(), second.webhookUrl()].sort());
		});
	});
});
