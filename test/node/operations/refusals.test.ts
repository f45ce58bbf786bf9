import type { ProfileName } from '../../platform';
import { Stage } from '../support/stage';
import { castForEachTest, chosen } from './cast';
import { chatRefusals } from './refusals/chats';
import { memberRefusals } from './refusals/members';
import { otherRefusals } from './refusals/others';

const refusals = [...chatRefusals, ...memberRefusals, ...otherRefusals];

// The same refusals, with the status of their code, or with status 200 and the code.
describe.each<ProfileName>(['current', 'coded'])('On a service of profile %s', (profile) => {
	const stage = Stage.forAllTests({ profile, limits: { requests_per_second: 0 } });
	const cast = castForEachTest(stage);

	test.each(refusals)('$use: $what', async (refusal) => {
		const { use, message, advice, code } = refusal;
		await refusal.before?.(stage, cast);
		const { error, items } = await stage.run({ ...chosen(use), ...refusal.fields(cast) });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
		expect(error?.context?.code).toBe(code);
		expect(error?.context?.itemIndex).toBe(0);
	});
});
