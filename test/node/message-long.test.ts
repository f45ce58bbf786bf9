import type { INodeParameters } from 'n8n-workflow';
import { NO_LIMITS } from '../platform';
import { Stage } from './support/stage';

const long = `${'word '.repeat(700)}\n\n${'more '.repeat(700)}\n\n${'last '.repeat(300)}`;

describe('A text that consists only of markup', () => {
	const stage = Stage.forAllTests();

	it.each([true, false])('is refused before it is sent (Split Long Text: %s)', async (split) => {
		const { error } = await stage.run({
			resource: 'message',
			chat_id: '5',
			text: '<b> </b>',
			format: 'html',
			options: { split_long_text: split },
		});
		expect(error?.message).toBe('Text shows nothing');
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});
});

describe('A text of more than 4000 characters', () => {
	const stage = Stage.forEachTest({ limits: NO_LIMITS });
	let chatId: string;
	beforeEach(async () => {
		({ chatId } = await stage.dialog());
	});

	const keyboard: INodeParameters = {
		keyboard_source: 'json',
		keyboard_json: '[[{ "type": "callback", "text": "Press", "payload": "last" }]]',
	};

	const send = async (text: string, options: INodeParameters, more: INodeParameters = {}) =>
		await stage.run({
			resource: 'message',
			chat_id: chatId,
			text,
			options,
			...more,
		});

	it('is refused before it is sent, with advice on what to do', async () => {
		const { error } = await send(long, {});
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Text has \d+ characters/),
			description: expect.stringContaining('Split Long Text'),
		});
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	it('is sent in parts: the reply with the first one, the keyboard with the last one', async () => {
		const first = String((await send('First', {})).items[0]?.json.message_id);
		const { items, error } = await send(
			long,
			{ split_long_text: true },
			{ ...keyboard, reply_to: 'id', reply_to_message_id: first },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		const newest = await stage.control.messages(chatId, items.length);
		const messages = newest.reverse();
		expect(messages.map(({ body }) => body.mid)).toEqual(items.map(({ json }) => json.message_id));
		expect(messages.map(({ body }) => body.text?.replace(/\s+/g, '')).join('')).toBe(
			long.replace(/\s+/g, ''),
		);
		const last = messages.length - 1;
		expect(last).toBeGreaterThan(0);
		expect(messages.map(({ link }) => link !== undefined)).toEqual(
			messages.map((_, index) => index === 0),
		);
		expect(messages.map(({ body }) => body.attachments?.length ?? 0)).toEqual(
			messages.map((_, index) => (index === last ? 1 : 0)),
		);
	});

	it('reports how many parts were sent when a later one fails', async () => {
		await stage.fault(
			{ path: '/messages' },
			{ status: 400, body: { message: 'No' } },
			{ after: 1 },
		);
		const { error } = await send(long, { split_long_text: true });
		expect(error).toMatchObject({
			message: 'No',
			description: expect.stringMatching(/^1 of 3 parts of the text were sent/),
		});
	});

	it('is left to the service to judge if only its UTF-16 code units are more', async () => {
		const { error } = await send('👍'.repeat(2001), {});
		expect(error?.message).toContain('4002');
		const split = await send('👍'.repeat(2001), { split_long_text: true });
		expect(split.items.map(({ json }) => String(json.text).length)).toEqual([4000, 2]);
	});
});
