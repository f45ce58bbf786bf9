import type { ShownMessage } from '../platform';
import { photoOf } from './support/photo';
import { Stage } from './support/stage';
import { example } from './support/workflow';

const photo = photoOf(200_000);

describe('media in a real n8n', () => {
	const stage = Stage.forEachTest();

	const isAnswer = ({ body }: ShownMessage) => body.text?.startsWith('Here it is again') ?? false;

	it('a photo is received, downloaded and sent back with a keyboard', async () => {
		await stage.createActive(example('photo-back.json', stage.credential));
		const { chat_id } = stage.dialog;
		const received = await stage.control.userWrites(chat_id, {
			text: 'Look',
			attachments: [photo.sent],
		});

		const answer = await stage.answer(isAnswer);
		expect(answer.body.attachments).toMatchObject([
			{ type: 'image' },
			{
				type: 'inline_keyboard',
				payload: { buttons: [[{ type: 'clipboard', payload: received.body.mid }]] },
			},
		]);
		expect(answer.link).toMatchObject({ type: 'reply', message: { mid: received.body.mid } });
		const uploads = await stage.control.journal({
			kind: 'request',
			origin: 'upload',
			method: 'POST',
		});
		expect(uploads).toMatchObject([
			{
				status: 200,
				sha256: photo.sha256,
				file_name: 'Море 1.jpg',
				headers: expect.not.objectContaining({ authorization: true }),
			},
		]);
	});
});
