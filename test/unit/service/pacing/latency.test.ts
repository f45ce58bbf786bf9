import { Latency } from '../../../../nodes/BotMessaging/service/pacing/latency';

describe('The latency of the service', () => {
	let latency: Latency;
	beforeEach(() => {
		latency = new Latency();
	});

	const note = (...delays: number[]) => delays.forEach((ms) => latency.note(ms));

	it('is known after three answers', () => {
		expect([latency.isKnown(), latency.quickMs]).toEqual([false, Infinity]);
		note(20, 10);
		expect([latency.isKnown(), latency.quickMs]).toEqual([false, 10]);
		note(30);
		expect([latency.isKnown(), latency.quickMs]).toEqual([true, 10]);
	});

	it('is that of the quickest recent answers, but not of a single one among many', () => {
		note(...Array<number>(24).fill(50), 10);
		expect(latency.quickMs).toBe(50);
		note(12);
		expect(latency.quickMs).toBe(12);
	});

	it('forgets all but the last 32 answers', () => {
		note(10, 10, ...Array<number>(30).fill(50));
		expect(latency.quickMs).toBe(10);
		note(50);
		expect(latency.quickMs).toBe(50);
	});
});
