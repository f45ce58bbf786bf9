import { waitFor } from '../support/wait';
import { jsonOf } from './support/executions';
import { Stage } from './support/stage';
import { example, withNode } from './support/workflow';

describe('the chat directory', () => {
	// Such a service does not tell who has added the bot to a group.
	const stage = Stage.forEachTest({ profile: 'coded' });

	/** The chats in the table that the examples share, which is empty when this test starts. */
	const rows = async () => {
		const broadcast = example('broadcast-from-data-table.json', stage.credential);
		const workflow = await stage.create(withNode(broadcast, 'Send', { disabled: true }));
		const id = await stage.n8n.run(workflow, 'When clicking Execute');
		const execution = await stage.n8n.executions.finished(id);
		return jsonOf(execution, 'All Chats');
	};

	const chats = async () => (await rows()).map(({ chat_id }) => String(chat_id));

	const until = async (expected: Array<number | string>) => {
		let seen: string[] = [];
		await waitFor(
			async () => {
				seen = await chats();
				return seen.sort().join() === expected.map(String).sort().join();
			},
			{ what: () => `${expected.join()} in the table, there is ${seen.join()}`, interval: 300 },
		);
	};

	it('remembers the chats of the bot, forgets those it has left, and writes to all', async () => {
		const directory = await stage.create(example('chat-directory.json', stage.credential));
		const made = await stage.n8n.run(directory, 'Make the Table');
		expect(await stage.n8n.executions.finished(made)).toMatchObject({ status: 'success' });
		await stage.n8n.activate(directory);

		const { control, bot, user } = stage;
		const group = await control.createChat({
			type: 'chat',
			title: 'Neighbours',
			owner_id: user.user_id,
		});
		await control.addMember(group.chat_id, { user_id: bot.user_id });
		// The service delivers the next event twice.
		await control.setFaults([{ match: { origin: 'delivery' }, count: 1, then: { duplicate: 1 } }]);
		const dialog = await control.startBot(bot.user_id, user.user_id);
		await until([group.chat_id, dialog.chat_id]);
		expect(await rows()).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ chat_id: String(group.chat_id), added_by: null }),
				expect.objectContaining({ chat_id: String(dialog.chat_id), added_by: 'Vera' }),
			]),
		);

		const broadcast = await stage.create(
			example('broadcast-from-data-table.json', stage.credential),
		);
		const id = await stage.n8n.run(broadcast, 'When clicking Execute');
		const execution = await stage.n8n.executions.finished(id);
		expect(execution).toMatchObject({ status: 'success' });
		await stage.answer(({ body }) => body.text === 'Hello to all of you', dialog.chat_id);
		await stage.answer(({ body }) => body.text === 'Hello to all of you', group.chat_id);

		await control.removeMember(group.chat_id, bot.user_id, user.user_id);
		await control.treatDialog(dialog.chat_id, 'stop');
		await until([]);
	});
});
