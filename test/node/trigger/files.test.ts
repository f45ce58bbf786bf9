import { waitFor } from '../../support/wait';
import { readBinary } from '../support/binary';
import { Stage } from '../support/stage';

const PICTURE = {
	type: 'image',
	content_base64: Buffer.from('a picture').toString('base64'),
	file_name: 'sea.png',
	mime_type: 'image/png',
};

describe('attachments of an event', () => {
	const stage = Stage.forEachTest();
	let chatId: string;
	beforeEach(async () => {
		({ chatId } = await stage.dialog());
	});

	const received = async (parameters: object) => {
		const host = await stage.activeTrigger({ events: ['message_created'], ...parameters });
		await stage.control.userWrites(chatId, { text: 'Look', attachments: [PICTURE] });
		const [execution] = await host.ended(1);
		return execution?.items[0];
	};

	it('are not downloaded unless the form says so', async () => {
		const item = await received({});
		expect(item).not.toHaveProperty('binary');
		expect(item?.json.attachments).toMatchObject([{ type: 'image' }]);
	});

	it('are downloaded into binary fields', async () => {
		const item = await received({
			download_attachments: true,
			options: { binary_prefix: 'file_' },
		});
		expect(Object.keys(item?.binary ?? {})).toEqual(['file_0']);
		const binary = item?.binary?.file_0;
		expect(binary && (await readBinary(binary)).toString()).toBe('a picture');
		expect(item?.json).toMatchObject({ event: 'message_created', text: 'Look' });
	});

	it('are downloaded before the service is answered, so that it delivers again what n8n loses until then', async () => {
		await stage.control.setFaults([
			{ match: { origin: 'upload', method: 'GET' }, then: { delay_ms: 1000 } },
		]);
		const item = await received({ download_attachments: true });
		expect(item?.binary).toBeDefined();
		const isThere = async () => (await stage.control.journal({ kind: 'delivery' })).length > 0;
		await waitFor(isThere, { what: 'the delivery' });
		const entries = [
			...(await stage.control.journal({ kind: 'request', origin: 'upload' })),
			...(await stage.control.journal({ kind: 'delivery' })),
		];
		const [file = NaN, answer = NaN] = entries.map(({ time, duration_ms }) => time + duration_ms);
		expect(answer).toBeGreaterThanOrEqual(file);
	});

	it('that cannot be downloaded do not keep the event from the workflow', async () => {
		const item = await received({
			download_attachments: true,
			options: { size_limit_mb: 0.000001 },
		});
		expect(item?.json).toMatchObject({ text: 'Look' });
		const [delivery] = await stage.control.journal({ kind: 'delivery' });
		expect(delivery).toMatchObject({ status: 200, attempt: 1 });
	});
});
