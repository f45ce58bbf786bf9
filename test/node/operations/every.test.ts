import { catalogue } from '../../../nodes/BotMessaging/actions/catalogue';
import type { ProfileName } from '../../platform';
import { endpointOf, ENDPOINTS, NEWER_OPERATIONS } from '../../support/endpoints';
import { Stage } from '../support/stage';
import { castOf, chosen } from './cast';
import { samples, type Sample } from './samples';

test('Every operation has a sample, except the one that waits', () => {
	const offered = catalogue.flatMap(({ value, operations }) =>
		operations.filter((each) => !('once' in each)).map((each) => `${value} ${each.value}`),
	);
	expect(samples.map(({ use }) => use).sort()).toEqual([...offered].sort());
});

describe.each<ProfileName>(['current', 'strict', 'contract'])(
	'On a service of profile %s',
	(profile) => {
		const lacking = profile === 'contract' ? NEWER_OPERATIONS : [];
		const stage = Stage.forAllTests({ profile, limits: { requests_per_second: 0 } });
		const run = async (sample: Sample) => {
			const cast = await castOf(stage);
			await sample.before?.(stage, cast);
			const fields = { ...sample.fields(cast, stage), ...sample.fieldsFor?.[profile] };
			await stage.control.clearJournal();
			const result = await stage.run({ ...chosen(sample.use), ...fields });
			const entries = await stage.control.journal({ kind: 'request', origin: 'api' });
			const requested = entries.map(
				({ method, path }) => endpointOf(method, path) ?? `${method} ${path}`,
			);
			return { cast, ...result, requested };
		};
		const runs = new Map<Sample, ReturnType<typeof run>>();
		/** The run of a sample, which happens once: its output, and the endpoints that it requested. */
		const runOf = async (sample: Sample) => {
			if (!runs.has(sample)) runs.set(sample, run(sample));
			return await runs.get(sample)!;
		};

		test.each(samples)('$use does what it says', async (sample) => {
			const { cast, items, error } = await runOf(sample);
			if (lacking.includes(sample.use)) {
				// In this case it says that the service does not offer it.
				expect(items).toEqual([]);
				expect(error?.message).toMatch(/is not (recognized|allowed)$/);
				expect(error?.description).toContain('This service does not offer this operation');
				return;
			}
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toMatchObject(sample.output(cast));
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		});

		test('Together they use every endpoint of the specification, and nothing else', async () => {
			const requested: string[] = [];
			for (const sample of samples) requested.push(...(await runOf(sample)).requested);
			expect([...new Set(requested)].sort()).toEqual([...ENDPOINTS].sort());
		});
	},
);
