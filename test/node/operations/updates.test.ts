import { Stage } from '../support/stage';

const stage = Stage.forEachTest();

test('Update → Get Many continues at the marker where it stopped', async () => {
	const { chatId } = await stage.dialog();
	const poll = async (marker: unknown) => {
		const { items } = await stage.run({
			resource: 'update',
			operation: 'getAll',
			output: 'raw',
			options: { timeout: 0, update_limit: 2, types: ['message_created'], marker: String(marker) },
		});
		return items.map(({ json }) => json);
	};
	for (const text of ['One', 'Two', 'Three']) await stage.control.userWrites(chatId, text);
	const first = await poll(0);
	expect(first).toMatchObject([
		{ update_type: 'message_created', message: { body: { text: 'One' } } },
		{ message: { body: { text: 'Two' } } },
	]);
	const second = await poll(first.at(-1)?.marker);
	expect(second).toMatchObject([{ message: { body: { text: 'Three' } } }]);
	const { marker } = second.at(-1) ?? {};
	expect(await poll(marker)).toEqual([{ marker }]);
});

test('Update → Get Many waits for an update up to the timeout', async () => {
	await stage.fault({ path: '/updates' }, { delay_ms: 0 });
	const run = stage.run({ resource: 'update', operation: 'getAll', options: { timeout: 90 } });
	await stage.faultMet();
	const { user } = await stage.dialog();
	const { items } = await run;
	expect(items).toMatchObject([{ json: { event: 'bot_started', user_id: String(user.user_id) } }]);
});

test('Update → Get Many ends at the timeout, with the marker to continue from', async () => {
	const run = stage.run({ resource: 'update', operation: 'getAll', options: { timeout: 1 } });
	const { items, error } = await run;
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([{ marker: expect.any(Number) }]);
});
