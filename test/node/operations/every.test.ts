import { catalogue } from '../../../nodes/BotMessaging/actions/catalogue';
import type { ProfileName } from '../../platform';
import { endpointOf, ENDPOINTS, NEWER_OPERATIONS } from '../../support/endpoints';
import { Stage } from '../support/stage';
import { castOf, chosen } from './cast';
import { samples } from './samples';

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
		/** The endpoints that the operations requested, or method and path where there is no such endpoint. */
		const requested: string[] = [];

		test.each(samples)('$use does what it says', async (sample) => {
			const cast = await castOf(stage);
			await sample.before?.(stage, cast);
			const fields = { ...sample.fields(cast, stage), ...sample.fieldsFor?.[profile] };
			await stage.control.clearJournal();
			const { items, error } = await stage.run({ ...chosen(sample.use), ...fields });
			for (const entry of await stage.control.journal({ kind: 'request', origin: 'api' })) {
				if (entry.kind !== 'request') continue;
				const { method, path } = entry;
				requested.push(endpointOf(method, path) ?? `${method} ${path}`);
			}
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

		test('Together they use every endpoint of the specification, and nothing else', () => {
			expect([...new Set(requested)].sort()).toEqual([...ENDPOINTS].sort());
		});
	},
);
