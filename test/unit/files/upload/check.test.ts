import { checkUpload, MEDIA } from '../../../../nodes/BotMessaging/files/media';
import { nodeOf } from '../../../support/node';

const context = { getNode: () => nodeOf() };

describe.each(MEDIA)('A file to be sent as $type', ({ type, name, maxBytes, limit }) => {
	const check = (size: number) => () => checkUpload(context, type, { fileName: 'a/b.bin', size });

	it('is accepted with one byte and with exactly the limit', () => {
		expect(check(1)).not.toThrow();
		expect(check(maxBytes)).not.toThrow();
	});

	it('is refused with one byte more, with its size, the limit and what to do', () => {
		expect(check(maxBytes + 1)).toThrow(
			expect.objectContaining({
				message: `The file a_b.bin is too large: ${limit.replace(' ', '.0 ')} (${maxBytes + 1} bytes), and the limit of ${name} is ${limit}`,
				description: expect.stringContaining(
					type === 'file' ? 'split it' : "'Media Type' → 'File'",
				),
			}),
		);
	});

	it('is refused when it is empty', () => {
		expect(check(0)).toThrow('The file a_b.bin is empty');
	});
});
