import type { INodeParameters } from 'n8n-workflow';
import { castForEachTest } from './operations/cast';
import type { NodeRun } from './support/engine';
import { Stage } from './support/stage';

const stage = Stage.forAllTests();
const cast = castForEachTest(stage);

const grow = async (
	fields: INodeParameters,
	texts: Array<string | null> = [''],
	more: Partial<NodeRun> = {},
) =>
	await stage.run(
		{
			resource: 'message',
			operation: 'sendOrEdit',
			chat_id: cast.group,
			text: '={{ $json.text }}',
			...fields,
		},
		{ items: texts.map((text) => ({ json: { text } })), ...more },
	);

const requests = async () => await stage.control.journal({ kind: 'request', path: '/messages' });

test('A placeholder is sent, and edited to the final text by its ID', async () => {
	const { items } = await grow({ message_id: '={{ $json.nope }}' }, ['…']);
	const message_id = String(items[0]?.json.message_id);
	const { items: edited } = await grow({ message_id }, ['Done']);
	expect(edited).toMatchObject([{ json: { success: true, message_id } }]);
	expect(await stage.control.message(message_id)).toMatchObject({ body: { text: 'Done' } });
	const accepted = (await requests()).filter(({ status }) => status === 200);
	expect(accepted.map(({ method }) => method)).toEqual(['POST', 'PUT']);
});

test('An edited message matches the form: buttons that are not filled in disappear', async () => {
	await grow({ message_id: cast.keyboard }, ['Confirmed']);
	const { body } = await stage.control.message(cast.keyboard);
	expect(body.text).toBe('Confirmed');
	expect(body.attachments ?? []).toEqual([]);
});

test.each<[string, INodeParameters]>([
	['finds no trigger', { reply_to: 'trigger' }],
	['is empty', { reply_to: 'id', reply_to_message_id: '={{ $json.nope }}' }],
])('An edit does not fail because Reply To, for new messages, %s', async (_, fields) => {
	const { error } = await grow({ message_id: cast.keyboard, ...fields }, ['Confirmed']);
	expect(error).toBeUndefined();
	const isNew = await grow(fields, ['Hello']);
	expect(isNew.error?.message).toMatch(/^Reply/);
});

test('Many edits of one message collapse to the newest, within the pace', async () => {
	const texts = Array.from({ length: 40 }, (_, index) => `Part ${index}`);
	const { items, error } = await grow({ message_id: cast.keyboard }, texts);
	expect(error).toBeUndefined();
	expect(await stage.control.message(cast.keyboard)).toMatchObject({ body: { text: 'Part 39' } });
	// The first may be refused: the cast has just written to the chat, which the node does not know.
	const sent = (await requests()).filter(({ status }) => status === 200);
	expect(sent.length).toBeLessThanOrEqual(3);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(texts.map((_, item) => ({ item })));
	expect(items.filter(({ json }) => json.replaced_by_newer)).toHaveLength(40 - sent.length);
	const json = { success: true, message_id: cast.keyboard };
	expect(items.at(-1)?.json).toEqual(json);
	expect(items.at(-2)?.json).toEqual({ ...json, replaced_by_newer: true });
});

/** An expression for the field of the last edit, and another one for those before. */
const onlyLast = (last: string, others: string): string =>
	`={{ $json.text === 'Three' ? ${last} : ${others} }}`;

test.each<[string, INodeParameters, string | null, RegExp]>([
	['its expression gives nothing', {}, null, /^Text is empty: its expression gave nothing/],
	['its text is too long', {}, 'x'.repeat(4001), /^Text has 4001 characters/],
	[
		'its attachments are no JSON',
		{ attachments_source: 'json', attachments_json: onlyLast("'[{'", "'[]'") },
		'Three',
		/^Attachments JSON is not valid JSON/,
	],
	[
		'an attachment lacks its address',
		{
			attachments_source: 'list',
			attachments: {
				items: [{ kind: 'image_url', image_url: onlyLast("''", "'https://example.com/a.jpg'") }],
			},
		},
		'Three',
		/^Image URL of attachment 1 is empty/,
	],
	[
		'its keyboard is missing',
		{
			keyboard_source: 'json',
			keyboard_json: onlyLast('null', `'[[{"type":"message","text":"Yes"}]]'`),
		},
		'Three',
		/^Keyboard JSON is empty/,
	],
	[
		'an option is no switch',
		{ options: { notify: onlyLast("'yes'", 'true') } },
		'Three',
		/^Notify is neither on nor off/,
	],
])(
	'An edit that is refused because %s replaces no earlier one',
	async (_, fields, last, message) => {
		const form = { message_id: cast.keyboard, ...fields };
		const { items } = await grow(form, ['One', 'Two', last], { onError: 'continueRegularOutput' });
		expect(items.at(-1)?.json.error).toMatch(message);
		expect(items.at(-2)?.json).toEqual({ success: true, message_id: cast.keyboard });
		expect(await stage.control.message(cast.keyboard)).toMatchObject({ body: { text: 'Two' } });
	},
);

test('The advice for a text that is too long names no option that this form lacks', async () => {
	const { error } = await grow({}, ['x'.repeat(4001)]);
	expect(error).toMatchObject({
		message: expect.stringContaining('4001 characters'),
		description: 'Shorten it.',
	});
});

test('New messages do not collapse', async () => {
	const { items } = await grow({}, ['One', 'Two', 'Three']);
	expect(new Set(items.map(({ json }) => json.message_id)).size).toBe(3);
});
