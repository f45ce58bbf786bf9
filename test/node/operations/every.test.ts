import { catalogue } from '../../../nodes/BotMessaging/actions/catalogue';
import { Stage } from '../support/stage';
import { castOf } from './cast';
import { samples } from './samples';

let stage: Stage;

beforeEach(async () => {
	stage = await Stage.start();
});

afterEach(async () => await stage.stop());

test('Every operation has a sample, but the one that waits', () => {
	const offered = catalogue.flatMap(({ value, operations }) =>
		operations.filter((each) => !('startWaiting' in each)).map((each) => `${value} ${each.value}`),
	);
	const sampled = samples.map(({ resource, operation }) => `${resource} ${operation}`);
	expect([...sampled].sort()).toEqual([...offered].sort());
});

test.each(samples)('$resource → $operation does what it says', async (sample) => {
	const cast = await castOf(stage);
	await sample.before?.(stage, cast);
	const { resource, operation } = sample;
	const { items, error } = await stage.run({ resource, operation, ...sample.fields(cast, stage) });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toMatchObject(sample.output(cast));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
});
