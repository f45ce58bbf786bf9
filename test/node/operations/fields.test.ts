import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { NO_LIMITS } from '../../platform';
import { nodeOf } from '../../support/node';
import { Stage } from '../support/stage';
import { byId, castOf, chosen } from './cast';
import { samples, type Sample } from './samples';

const stage = Stage.forAllTests({ limits: NO_LIMITS });

const { description } = new BotMessaging();
const { properties } = description;

const OBJECT = '={{ ({ a: 1 }) }}';

/** Fields that hold other fields, take an object or hold nothing. */
const OTHER_TYPES = ['collection', 'fixedCollection', 'json', 'notice'];

/** The fields that a form shows, those of its options included, and for each a form in which it holds an object. */
function misfits(form: INodeParameters) {
	const node = nodeOf();
	const values = NodeHelpers.getNodeParameters(properties, form, true, false, node, description);
	if (!values) throw new Error('n8n has no values for this form');
	const isShown = (field: INodeProperties): boolean =>
		NodeHelpers.displayParameter(values, field, node, description, values);
	const withObjects = (fields: INodeProperties[], put: (field: INodeParameters) => object) =>
		fields
			.filter((field) => isShown(field) && !OTHER_TYPES.includes(field.type))
			.map(({ displayName, name, type }) => ({
				name,
				label: displayName,
				parameters: {
					...form,
					...put({ [name]: type === 'resourceLocator' ? byId(OBJECT) : OBJECT }),
				},
			}));
	const own = properties.filter(({ name }) => name !== 'resource' && name !== 'operation');
	const options = properties
		.filter((field) => field.name === 'options' && isShown(field))
		.flatMap((field) => field.options ?? [])
		.flatMap((field) => ('type' in field ? [field] : []));
	return [
		...withObjects(own, (field) => field),
		...withObjects(options, (field) => ({ options: field })),
	];
}

/** The fields of a form that hold a value of their own. */
const plainFields = (form: INodeParameters): string[] =>
	Object.keys(form).filter((given) =>
		properties.some(({ name, type }) => name === given && !OTHER_TYPES.includes(type)),
	);

const question: Sample = {
	use: 'message sendAndWait',
	fields: ({ group }) => ({
		chat_id: group,
		message: 'Ready?',
		responseType: 'choices',
		choices: 'Yes',
	}),
	output: () => [],
};

test.each([...samples, question])(
	'$use changes nothing if a field holds an object, and names the field',
	async (sample) => {
		const cast = await castOf(stage);
		await sample.before?.(stage, cast);
		const given = sample.fields(cast, stage);
		const fields = misfits({ ...chosen(sample.use), ...given });
		expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(plainFields(given)));
		for (const { label, parameters } of fields) {
			await stage.control.clearJournal();
			const { error, items } = await stage.run(parameters);
			const requests = await stage.control.journal({ kind: 'request' });
			expect(items).toEqual([]);
			expect(requests.map((entry) => 'method' in entry && entry.method)).not.toContainEqual(
				expect.stringMatching(/POST|PUT|PATCH|DELETE/),
			);
			// Where another field is only shown for some choices of this one, n8n asks for that field first.
			if (!error?.message.endsWith('is required.')) expect(error?.message).toMatch(`${label} `);
		}
	},
);
