import type { Update } from '../../../nodes/BotMessaging/events/update';
import { handOverMissed } from '../../../nodes/BotMessaging/trigger/missedEvents';

const BATCH = 100;
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** A service that keeps events for polling, and the events that were handed over, in order. */
function missed(count: number) {
	const events = Array.from({ length: count }, (_, index) => ({
		update_type: 'bot_started',
		timestamp: 1785000120000 + index,
		payload: `${index}`,
	}));
	const handed = new Set<unknown>();
	let committed = 0;
	return {
		handed,
		service: {
			request: async ({ query = {} }: { query?: object }) => {
				const marker = 'marker' in query ? Number(query.marker ?? committed) : committed;
				committed = marker;
				const updates = events.slice(marker, marker + BATCH);
				return await Promise.resolve({ updates, marker: marker + updates.length });
			},
		},
		dispatcher: {
			handOver: async ({ payload }: Update) => {
				const fate = handed.has(payload) ? ('known' as const) : ('begun' as const);
				handed.add(payload);
				return await Promise.resolve(fate);
			},
		},
	};
}

describe('events that were missed', () => {
	it('are handed over in as many rounds as it takes', async () => {
		const { service, dispatcher, handed } = missed(12_345);
		let rounds = 0;
		for (let isAll = false; !isAll && rounds < 10; rounds++) {
			isAll = await handOverMissed(service, dispatcher, { events: [], since: 0 }, SILENT);
		}
		expect(handed.size).toBe(12_345);
		expect(rounds).toBe(7);
	});

	it('are no longer requested if the service repeats the same ones forever', async () => {
		const { service, dispatcher } = missed(10);
		let marker = 0;
		const forgetful = {
			request: async () => ({ ...(await service.request({})), marker: ++marker }),
		};
		for (const isAll of [false, true]) {
			expect(await handOverMissed(forgetful, dispatcher, { events: [], since: 0 }, SILENT)).toBe(
				isAll,
			);
		}
	});
});
