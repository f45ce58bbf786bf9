import { setTimeout as sleep } from 'node:timers/promises';
import { noteDate, serviceTime, waited } from '../../../nodes/BotMessaging/service/clock';

test('A pause ends in time, although the clock is set back by hours meanwhile', async () => {
	const startedAt = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValueOnce(startedAt);
	clock.mockReturnValue(startedAt - 3 * 3_600_000);
	let isOver = false;
	const pause = waited(20, () => isOver);
	const ended = await Promise.race([pause, sleep(2000, 'not in time')]);
	isOver = true;
	clock.mockRestore();
	expect(ended).toBe(true);
});

const DATE = 'Sat, 01 Jan 2000 12:00:00 GMT';

const lag = (time: number, expected: number) => Math.abs(time - expected);

describe('the time of a service', () => {
	it('is that of its last answer and goes on from there, whatever the clock of the machine says', () => {
		const service = { baseUrl: 'https://a.example' };
		noteDate(service, DATE);
		const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
		expect(lag(serviceTime(service), Date.parse(DATE))).toBeLessThan(1000);
		clock.mockRestore();
	});

	it.each([undefined, '', 'soon'])(
		'is that of the machine as long as no answer had a date, such as with %p',
		(date) => {
			const service = { baseUrl: `https://b.example/${date}` };
			noteDate(service, date);
			expect(lag(serviceTime(service), Date.now())).toBeLessThan(1000);
		},
	);

	it('is not that of another service', () => {
		noteDate({ baseUrl: 'https://c.example' }, DATE);
		expect(lag(serviceTime({ baseUrl: 'https://d.example' }), Date.now())).toBeLessThan(1000);
	});
});
