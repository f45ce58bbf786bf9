import { noteDate, serviceTime, sleepUnless } from '../../../nodes/BotMessaging/service/clock';

const HOURS_MS = 3 * 3_600_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('A pause ends in time, although the clock is set back by hours meanwhile', async () => {
	const ended = jest.fn();
	void sleepUnless(1000, () => false).then(ended);
	await jest.advanceTimersByTimeAsync(500);
	jest.setSystemTime(Date.now() - HOURS_MS);
	await jest.advanceTimersByTimeAsync(499);
	expect(ended).not.toHaveBeenCalled();
	await jest.advanceTimersByTimeAsync(1);
	expect(ended).toHaveBeenCalledWith(true);
});

const DATE = 'Sat, 01 Jan 2000 12:00:00 GMT';

describe('the time of a service', () => {
	it('is that of its last answer and goes on from there, whatever the clock of the machine says', () => {
		const service = { baseUrl: 'https://a.example' };
		noteDate(service, DATE);
		jest.advanceTimersByTime(5000);
		jest.setSystemTime(0);
		expect(serviceTime(service)).toBeCloseTo(Date.parse(DATE) + 5000);
	});

	it.each([undefined, '', 'soon'])(
		'is that of the machine as long as no answer had a date, such as with %p',
		(date) => {
			const service = { baseUrl: `https://b.example/${date}` };
			noteDate(service, date);
			expect(serviceTime(service)).toBe(Date.now());
		},
	);

	it('is not that of another service', () => {
		noteDate({ baseUrl: 'https://c.example' }, DATE);
		expect(serviceTime({ baseUrl: 'https://d.example' })).toBe(Date.now());
	});
});
