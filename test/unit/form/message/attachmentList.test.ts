import { attachmentRequest } from '../../../../nodes/BotMessaging/form/message/attachmentList';

describe('An attachment to send', () => {
	it.each([
		[{ type: 'image', payload: { photo_id: 1, token: 'T', url: 'https://x/' } }, { token: 'T' }],
		[{ type: 'image', payload: { url: 'https://x/' } }, { url: 'https://x/' }],
		[
			{ type: 'image', payload: { photos: { k: { token: 'T' } } } },
			{ photos: { k: { token: 'T' } } },
		],
		[{ type: 'video', token: 'T', size: 5, file_name: 'a.mp4' }, { token: 'T' }],
		[
			{ type: 'file', payload: { token: 'T', url: 'https://x/' }, filename: 'a', size: 1 },
			{ token: 'T' },
		],
		[{ type: 'sticker', payload: { code: 'c', url: 'https://x/' }, width: 1 }, { code: 'c' }],
		[{ type: 'share', payload: { url: 'https://x/', token: 'T' } }, { url: 'https://x/' }],
		[{ type: 'contact', payload: { vcf_info: 'V', hash: 'h' } }, { vcf_info: 'V' }],
		[
			{
				type: 'contact',
				payload: { vcf_info: null, service_info: { user_id: '9007199254740993' } },
			},
			{ contact_id: 9007199254740993n },
		],
		[
			{ type: 'contact', payload: { vcf_info: 'V', hash: 'h', brand_info: { user_id: 1 } } },
			{ contact_id: 1, vcf_info: 'V' },
		],
		[
			{ type: 'contact', payload: { contact_id: 2, brand_info: { user_id: 1 } } },
			{ contact_id: 2 },
		],
		[{ type: 'inline_keyboard', callback_id: 'c', payload: { buttons: [[]] } }, { buttons: [[]] }],
	])('is made from %j', (given, payload) => {
		expect(attachmentRequest(given)).toEqual({ type: given.type, payload });
	});

	it('leaves a location unchanged', () => {
		const location = { type: 'location', latitude: 1.5, longitude: -2 };
		expect(attachmentRequest(location)).toEqual(location);
	});

	it.each([
		[{ type: 'image', payload: {} }],
		[{ type: 'image', payload: { owner: { user_id: 1 } } }],
		[{ type: 'contact', payload: { hash: 'h', service_info: null } }],
		[{ type: 'hologram', payload: { x: 1 } }],
		[{ type: 'constructor', payload: { x: 1 } }],
		['text'],
		[null],
		[{ payload: { token: 'T' } }],
	])('is left to the service to judge: %j', (given) => {
		expect(attachmentRequest(given)).toEqual(given);
	});
});
