import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { at, listAt } from '../../nodes/BotMessaging/service/read';
import { openTicket } from '../../nodes/BotMessaging/wait/ticket';
import { itemWith } from './mediaFiles';
import { Stage } from './support/stage';
import { carrying, post } from './trigger/post';
import { ask, open } from './wait/asked';

const stage = Stage.forEachTest();

/**
 * The service gives a hash of each contact card, made with the token as its key (wire 3.4), and takes any text for a card:
 * whoever may use the credential can have every text hashed without knowing the token.
 */
describe('The hash of a contact card', () => {
	const hashOf = async (card: string): Promise<Buffer> => {
		const { chatId } = await stage.dialog();
		const { items, error } = await stage.run({
			chat_id: chatId,
			attachments_source: 'list',
			attachments: { items: [{ kind: 'contact', vcf_info: card }] },
		});
		expect(error).toBeUndefined();
		const [attachment] = listAt(items[0]?.json, 'attachments');
		return Buffer.from(String(at(attachment, 'payload', 'hash')), 'hex');
	};

	it('is not the secret that a trigger derives', async () => {
		const host = await stage.activeTrigger({ events: ['*'] });
		const { definition, node } = host.stored;
		for (const begin of ['', 'webhook secret\n']) {
			const hash = await hashOf(`${begin}${definition.id}\n${node.id}`);
			expect(await post(host, '{}', carrying(hash.toString('hex')))).toMatchObject({ status: 403 });
		}
	});

	it('signs no answer to a question, nor is it the key that does', async () => {
		const { chatId } = await stage.dialog();
		const { host, buttons } = await ask(stage, chatId, { answer_in: 'chat' });
		const ticket = openTicket(stage.bot.token, buttons[0]?.payload);
		const press = JSON.stringify({ question: ticket?.question, choice: 0, user_id: '1' });
		const key = await hashOf('press');
		const signatures = [await hashOf(press), createHmac('sha256', key).update(press).digest()];
		for (const signature of signatures) {
			const body: IDataObject = { press, signature: signature.toString('base64url') };
			const { status } = await open(ticket?.url, {
				method: 'POST',
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			});
			expect(status).toBe(403);
		}
		expect(host).toMatchObject({ status: 'waiting', opened: 0 });
	});
});

/** Somebody who may use the credential, but not see the token, could otherwise guess it letter by letter. */
describe('An error that repeats a guess', () => {
	const guesses = (): string[] => {
		const right = stage.bot.token.slice(3, 16);
		return [right, right.toLowerCase(), `${right.slice(0, -1)}_`, 'nothing-of-the-kind'];
	};

	it('of the service does not tell whether it is a part of the token', async () => {
		const { chatId } = await stage.dialog();
		for (const guess of guesses()) {
			const link = { reply_to: 'id', reply_to_message_id: `mid.${guess}` };
			const { error } = await stage.run({ chat_id: chatId, text: 'Hi', ...link });
			expect(error?.message).toContain(`mid.${guess}`);
		}
	});

	it('of the service does not tell so even if it writes it in capitals', async () => {
		const guess = stage.bot.token.replace(/[^A-Z0-9]/g, '').slice(0, 13);
		stage.credentials.botMessagingApi.accessToken = `x-${guess}-y`;
		const body = { code: 'not.found', message: `No chat ${guess}` };
		await stage.fault({ path: '/messages' }, { status: 404, body });
		const text = guess.toLowerCase();
		const { error } = await stage.run({ chat_id: '5', text });
		expect(error?.message).toBe(body.message);
	});

	it('of the upload host does not tell so either', async () => {
		for (const guess of guesses()) {
			const mimeType = `text/${stage.bot.token.slice(20, 33)}`;
			const body = `No such kind of file: ${guess}.txt, ${mimeType}`;
			await stage.fault({ origin: 'upload' }, { status: 400, body });
			const file = { size: 3, fileName: `${guess}.txt`, mimeType };
			const upload = { resource: 'file', operation: 'upload' };
			const { error } = await stage.run(upload, { items: [await itemWith({ data: file })] });
			expect(error?.message).toBe(body);
		}
	});
});

it('A gateway that cuts short what it repeats gets no part of a secret into the error', async () => {
	const host = await stage.activeTrigger({ events: ['*'] });
	const secret = (await stage.subscriptions())[0]?.secret ?? '';
	await host.deactivate();
	const body = `Cannot read {"secret":"${secret.slice(0, 40)}`;
	await stage.fault({ method: 'POST', path: '/subscriptions' }, { status: 400, body });
	await expect(host.republish({ events: ['bot_started'] })).rejects.toThrow(
		/^Cannot read {"secret":"…\. /,
	);
});
