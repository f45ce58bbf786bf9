import { ManualExecutionCancelledError, TimeoutExecutionCancelledError } from 'n8n-workflow';
import { PICTURE } from '../mediaFiles';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import { waitFor } from '../../support/wait';

/** Longer than any test waits, in ms. */
const ENDLESS_MS = 300_000;

describe('An event whose execution is stopped while its files are downloaded', () => {
	const stage = Stage.forEachTest();

	/** Its execution, which has begun to download. */
	const downloading = async (prepare = async (_host: TriggerHost): Promise<void> => {}) => {
		const host = await stage.activeTrigger({
			events: ['message_created'],
			download_attachments: true,
		});
		await prepare(host);
		const { chatId } = await stage.dialog();
		const { control } = stage;
		await stage.fault({ origin: 'upload', method: 'GET' }, { delay_ms: ENDLESS_MS }, { count: 1 });
		await control.userWrites(chatId, { text: 'Look', attachments: [PICTURE] });
		await stage.faultMet();
		return { host, chatId, execution: host.stored.executions[0]! };
	};

	const answers = async () => (await stage.seen({ kind: 'delivery' })).map(({ status }) => status);

	it('at the timeout of its workflow starts another one, as no step has begun', async () => {
		const { host, execution } = await downloading();
		execution.stop(new TimeoutExecutionCancelledError('1'));

		const [, again] = await host.ended(2);
		expect(again?.items).toMatchObject([{ json: { text: 'Look' } }]);
		expect(again?.items[0]?.binary).toHaveProperty('attachment_0');
		expect(await answers()).toEqual([200]);
	});

	it('in a process without the trigger comes again', async () => {
		const { host, chatId } = await downloading(async ({ memory }) => await memory.stop());
		host.stored.executions[0]?.result.cancel();

		await waitFor(async () => (await answers()).length === 1, { what: 'the answer' });
		expect(await answers()).toEqual([503]);
		await stage.control.advance(61_000);
		const [, again] = await host.ended(2);
		expect(again?.items).toMatchObject([{ json: { text: 'Look', chat_id: chatId } }]);
	});

	it('by a person starts no other, does not come again, and holds up its chat no longer', async () => {
		const { host, execution, chatId } = await downloading();
		execution.stop(new ManualExecutionCancelledError('1'));
		await waitFor(async () => (await answers()).length === 1, { what: 'the answer' });
		await stage.control.userWrites(chatId, 'Never mind');

		const [, next] = await host.ended(2);
		expect(next?.items).toMatchObject([{ json: { text: 'Never mind' } }]);
		expect(await answers()).toEqual([200, 200]);
	});
});
