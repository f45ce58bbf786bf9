import { Stage } from '../support/stage';
import { byId, castForAllTests } from './cast';

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });
const cast = castForAllTests(stage);

/** The only request that arrived. */
async function arrived() {
	const requests = await stage.control.journal({ kind: 'request', origin: 'api' });
	expect(requests).toHaveLength(1);
	return requests[0];
}

describe('Identifiers beyond 2^53 are exact', () => {
	test('in lists in the query', async () => {
		const ids = [cast.oleg, cast.nina];
		const { items } = await stage.run(
			{
				resource: 'member',
				operation: 'getAll',
				get_by: 'user_ids',
				chat_id: cast.group,
				user_ids: '={{ $json.ids }}',
			},
			{ items: [{ json: { ids } }] },
		);
		expect((await arrived())?.query).toEqual({ user_ids: ids.join(',') });
		expect(items.map(({ json }) => json.user_id)).toEqual(ids);
	});

	test('in a body given as JSON', async () => {
		await stage.run({
			resource: 'administrator',
			operation: 'grantRights',
			chat_id: cast.group,
			admins_source: 'json',
			admins_json: `[{ "user_id": ${cast.oleg}, "permissions": [], "alias": "Json" }]`,
		});
		const { members } = await stage.control.chat(cast.group);
		expect(members?.find(({ user_id }) => String(user_id) === cast.oleg)?.alias).toBe('Json');
	});

	const button = () => {
		const app = { web_app: stage.bot.username, contact_id: cast.oleg };
		return { type: 'open_app', text: 'Open', ...app };
	};
	const inJson = (attachments_json: string) => ({
		resource: 'message',
		chat_id: cast.group,
		attachments_source: 'json',
		attachments_json,
	});

	test('in attachments and keyboards from an expression, where they are text', async () => {
		const card = { type: 'contact', payload: { name: 'Oleg', contact_id: cast.oleg } };
		const { error } = await stage.run(
			{
				...inJson('={{ $json.card }}'),
				keyboard_source: 'json',
				keyboard_json: '={{ $json.rows }}',
			},
			{ items: [{ json: { card, rows: [[button()]] } }] },
		);
		// The platform refuses an ID that is not written as an integer.
		expect(error).toBeUndefined();
		expect((await arrived())?.body).toMatchObject({
			attachments: [card, { payload: { buttons: [[button()]] } }],
		});
	});

	test('in a keyboard among attachments', async () => {
		const keyboard = { type: 'inline_keyboard', payload: { buttons: [[button()]] } };
		const { error } = await stage.run(
			{ ...inJson('={{ [$json.keyboard] }}'), chat_id: cast.channel, text: 'Open it' },
			{ items: [{ json: { keyboard } }] },
		);
		// The platform refuses an ID that is not written as an integer.
		expect(error).toBeUndefined();
		expect((await arrived())?.body).toMatchObject({ attachments: [keyboard] });
	});

	test('in answers, including seq', async () => {
		const { items } = await stage.run({
			resource: 'message',
			operation: 'get',
			message_id: cast.message,
			output: 'raw',
		});
		const message = await stage.control.message(cast.message);
		const { seq } = message.body;
		expect(BigInt(seq)).toBeGreaterThan(2n ** 53n);
		expect(items[0]?.json).toMatchObject({
			recipient: { chat_id: cast.group },
			sender: { user_id: cast.oleg },
			body: { seq: String(seq), mid: cast.message },
		});
		// The ID of a message ends with its seq.
		expect(cast.message.endsWith(BigInt(seq).toString(16))).toBe(true);
	});
});

describe('Values that are false, zero or empty are sent', () => {
	test('an empty description, which removes the old one', async () => {
		await stage.control.changeChat(cast.group, { description: 'Old' });
		await stage.control.clearJournal();
		await stage.run({
			resource: 'chat',
			operation: 'update',
			chat_id: cast.group,
			updateFields: { description: '' },
			options: { notify: false },
		});
		expect((await arrived())?.body).toEqual({ description: '', notify: false });
		expect((await stage.control.chat(cast.group)).description).toBeUndefined();
	});

	test('Block switched off', async () => {
		await stage.run({
			resource: 'member',
			operation: 'remove',
			chat_id: cast.group,
			user_id: byId(cast.stranger),
			options: { block: false },
		});
		expect((await arrived())?.query).toMatchObject({ block: 'false' });
	});
});
