import { setTimeout as sleep } from 'node:timers/promises';
import { waited } from '../../../nodes/BotMessaging/service/clock';

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
