import type { INodeParameters } from 'n8n-workflow';
import { hashOf, itemWith, KINDS, receivedHashes } from './mediaFiles';
import { Stage } from './support/stage';
import { delivery } from '../support/delivery';

const size = 40_000;

describe('Attachments that the service is still processing', () => {
	const stage = Stage.forEachTest();
	let chatId: string;
	beforeEach(async () => {
		({ chatId } = await stage.dialog());
	});

	const list = (...items: INodeParameters[]): INodeParameters => ({
		attachments_source: 'list',
		attachments: { items },
	});

	const send = (parameters: INodeParameters): INodeParameters => ({
		resource: 'message',
		operation: 'send',
		chat_id: chatId,
		...parameters,
	});

	const anotherChat = async () => (await stage.dialog('Oleg')).chatId;

	it('are uploaded once and waited for while messages to other chats are sent', async () => {
		await stage.control.setSettings({ ready_after_ms: 60_000 });
		const other = await anotherChat();
		const file = { size, ...KINDS.video };
		const items = [await itemWith({ data: file }), { json: { other } }];
		const run = stage.run(
			send({
				chat_id: `={{ $json.other ?? "${chatId}" }}`,
				text: 'Hi',
				attachments_source: '={{ $json.other ? "none" : "list" }}',
				attachments: { items: [{ kind: 'binary' }] },
			}),
			{ items },
		);
		await stage.seen({ path: '/messages', status: 200 });
		await stage.seen({ path: '/messages', status: 400 }, 2);
		await stage.control.advance(60_000);
		const { items: sent, error } = await run;
		expect(error).toBeUndefined();
		const times = sent.map(({ json }) => Number(json.timestamp));
		expect(times[1]).toBeLessThan(Number(times[0]));
		expect(await receivedHashes(stage)).toEqual([hashOf(file)]);
	});

	it('are waited for as long as the user says, and no longer', async () => {
		await stage.control.setSettings({ ready_after_ms: 60_000 });
		const items = [await itemWith({ data: { size, ...KINDS.video } })];
		const { error } = await stage.run(
			send({ ...list({ kind: 'binary' }), options: delivery({ wait_for_attachments_seconds: 1 }) }),
			{ items },
		);
		// After half a second; the next try would come 750 ms later.
		expect(await stage.control.journal({ path: '/messages' })).toHaveLength(2);
		expect(error).toMatchObject({
			httpCode: '400',
			message: 'The attached file is not ready yet',
			description: expect.stringMatching(/'Wait for Attachments'.*not\.processed/s),
			context: { code: 'attachment.not.ready' },
		});
		expect(await receivedHashes(stage)).toHaveLength(1);
	});

	it('are no longer waited for when the execution is stopped', async () => {
		await stage.control.setSettings({ ready_after_ms: 60_000 });
		const items = [await itemWith({ data: { size, ...KINDS.video } })];
		const run = stage.run(send(list({ kind: 'binary' })), { items });
		await stage.seen({ path: '/messages' });
		run.cancel();
		expect((await run).status).toBe('canceled');
	});
});
