import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { at, listAt } from '../../nodes/BotMessaging/service/read';
import { openTicket } from '../../nodes/BotMessaging/wait/ticket';
import { Stage } from './support/stage';
import { carrying, post } from './trigger/post';
import { ask, open } from './wait/asked';

/**
 * The service gives a hash of each contact card, made with the token as its key (wire 3.4), and takes any text for a card:
 * whoever may use the credential can have every text hashed without knowing the token.
 */
describe('The hash of a contact card', () => {
	const stage = Stage.forEachTest();

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
