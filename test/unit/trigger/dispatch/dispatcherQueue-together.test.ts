import {
	LONGEST_COLLECTION_MS,
	type Policy,
} from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { AT_ONCE, IN_ORDER, quick, run, World, type Course } from './queueWorld';

describe('the queue of a dispatcher', () => {
	describe('that collects messages', () => {
		const collecting: Policy = { ...IN_ORDER, quietMs: 3000 };
		const written = (person: string | undefined, after?: number) => ({
			chat: 'chat',
			person,
			collects: true,
			after,
		});

		it('starts one execution with them, in order, once the person stops writing', async () => {
			const world = new World(collecting, () => quick);
			const messages = [1, 3, 2].map((time, index) => ({ ...written('Vera', index * 1000), time }));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions).toMatchObject([
				{ at: 5000, contents: ['chat 1', 'chat 3', 'chat 2'] },
			]);
		});

		it('holds up no event whose author is unknown, not even behind what others write', async () => {
			const world = new World(collecting, () => quick);
			await run(world, async () => await world.deliverAll(written('Vera'), written(undefined)));
			expect(world.executions).toMatchObject([
				{ at: 0, contents: ['chat 2'] },
				{ at: 3000, contents: ['chat 1'] },
			]);
		});

		it('lets others go first while a person may write more', async () => {
			const world = new World(collecting, () => quick, true);
			const press = { chat: 'chat', person: 'Igor', after: 500 };
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.deliverAll(written('Vera'), press);
			});
			expect(world.executions.map(({ at }) => at)).toEqual([0, 530, 3030]);
		});

		it('keeps people apart', async () => {
			const world = new World(collecting, () => quick);
			const messages = ['Vera', 'Igor', 'Vera', 'Igor'].map((person) => written(person));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions.map(({ contents }) => contents)).toEqual([
				['chat 1', 'chat 3'],
				['chat 2', 'chat 4'],
			]);
		});

		it('waits no longer than 20 s for somebody who never stops', async () => {
			const world = new World(collecting, () => quick);
			const messages = Array.from({ length: 30 }, (_, second) => written('Vera', second * 1000));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions[0]?.at).toBe(LONGEST_COLLECTION_MS);
			expect(world.started).toHaveLength(30);
		});

		it('starts another execution for more than a hundred messages', async () => {
			const world = new World({ ...collecting, together: true }, () => quick);
			const messages = Array.from({ length: 150 }, () => written('Vera'));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions.map(({ contents }) => contents.length)).toEqual([100, 50]);
		});

		it('collects nothing more in an execution that gave back its place, since the person may have done something else', async () => {
			const world = new World(
				collecting,
				([key]) => ({ begins: 100, ends: key === 'Igor writes' ? 15_000 : 100, fails: false }),
				true,
			);
			const events = [
				{ key: 'Igor writes', ...written('Igor', 0) },
				{ key: 'Vera writes', ...written('Vera', 1) },
				{ key: 'Igor writes more', ...written('Igor', 2) },
				{ key: 'Vera presses', ...written('Vera', 3050), collects: false },
				{ key: 'Vera writes again', ...written('Vera', 9000) },
			];
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.deliverAll(...events.map((event) => ({ ...event, time: event.after })));
			});
			expect(world.good.slice(1).map(({ contents }) => contents)).toEqual([
				['Igor writes', 'Igor writes more'],
				['Vera writes'],
				['Vera presses'],
				['Vera writes again'],
			]);
		});

		it('stops collecting when the person does something else, which starts afterwards', async () => {
			const world = new World(collecting, () => quick);
			const press = { chat: 'chat', person: 'Vera', after: 500 };
			await run(world, async () => await world.deliverAll(written('Vera'), press));
			expect(world.executions).toMatchObject([
				{ at: 500, contents: ['chat 1'] },
				{ at: 630, contents: ['chat 2'] },
			]);
		});
	});

	it('lets an execution of several that n8n does not begin hold up the next one for half a minute only', async () => {
		const courses: Course[] = [{ ...quick, begins: 900_000 }];
		const world = new World({ ...AT_ONCE, together: true }, () => courses.shift() ?? quick);
		await run(world, async () => {
			void world.queue.offer(world.event('a'), Infinity);
			await world.deliver(world.event('b'));
		});
		expect(world.executions).toMatchObject([{ contents: ['a 1'] }, { contents: ['b 2'] }]);
		expect(world.executions[1]?.at).toBeLessThan(31_000);
	});

	it('groups events that wait while an execution is being stored, at most a hundred per execution', async () => {
		const world = new World({ ...AT_ONCE, together: true }, () => ({ ...quick, begins: 100 }));
		const events = Array.from({ length: 151 }, (_, index) => ({
			after: Math.min(index, 50),
			chat: `chat ${index % 2}`,
		}));
		await run(world, async () => await world.deliverAll(...events));
		expect(world.executions.map(({ contents }) => contents.length)).toEqual([1, 100, 50]);
	});
});
