import { hurry } from '../../support/hurry';
import { Stage } from '../support/stage';
import { castOf, chosen } from './cast';
import { samples } from './samples';

/** Operations that do something new each time: a repetition would be visible, or be answered differently. */
const NEW_EACH_TIME = [
	'message send',
	'message sendOrEdit',
	'callback answer',
	'comment create',
	'member add',
];

hurry(5);

const stage = Stage.forEachTest();

const requests = async () => (await stage.control.journal({ origin: 'api' })).length;

/** Runs an operation whose first request the service carries out, while its answer is lost; a second one is too many. */
async function runWithLostAnswer(sample: (typeof samples)[number]) {
	const cast = await castOf(stage);
	await sample.before?.(stage, cast);
	await stage.control.clearJournal();
	await stage.control.setFaults([
		{ match: { origin: 'api' }, then: { cut: 'after' } },
		{ match: { origin: 'api' }, then: { status: 429, body: { code: 'too.many.requests' } } },
	]);
	const result = await stage.run({ ...chosen(sample.use), ...sample.fields(cast, stage) });
	return { ...result, expected: sample.output(cast) };
}

test.each(samples.filter(({ use }) => NEW_EACH_TIME.includes(use)))(
	'$use is not repeated when its answer is lost',
	async (sample) => {
		const { error } = await runWithLostAnswer(sample);
		expect(error?.message).toContain('No answer from the service');
		expect(await requests()).toBe(1);
	},
);

test.each(samples.filter(({ use }) => !NEW_EACH_TIME.includes(use)))(
	'$use is repeated when its answer is lost, and succeeds',
	async (sample) => {
		const { error, items, expected } = await runWithLostAnswer(sample);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject(expected);
		expect(await requests()).toBeGreaterThan(1);
	},
);
