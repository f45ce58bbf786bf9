import {
	trackDecision,
	mayAnswer,
	addPending,
	takePending,
} from '../../../nodes/BotMessaging/wait/textAnswers';

const BOT = 'bot';
const CHAT = '1001';

/** A question that is answered by writing, asked at this time in ms. */
const asked = (time: number) => ({
	payload: `ticket-${time}`,
	message_id: `mid-${time}`,
	time,
});

describe('The questions of a dialog', () => {
	const take = (fits: (question: { time: number }) => boolean = () => true) =>
		takePending(BOT, CHAT, fits)?.time;

	it('are answered newest first, even while an answer to an older one could not be passed on', () => {
		for (const time of [1, 2]) addPending(BOT, CHAT, asked(time));
		expect(take(({ time }) => time === 1)).toBe(1);
		addPending(BOT, CHAT, asked(1));
		expect([take(), take(), take()]).toEqual([2, 1, undefined]);
	});

	const messageOf = (content: object) => ({
		update_type: 'message_created',
		timestamp: 3,
		message: {
			recipient: { chat_id: CHAT, chat_type: 'dialog' },
			body: { mid: 'mid-3', ...content },
		},
	});

	it('are answered by a text or a file, but not by a message of which the service tells no content', () => {
		addPending(BOT, CHAT, asked(1));
		const contents = [{ text: 'Tomorrow' }, { attachments: [{ type: 'file' }] }, {}, { text: '' }];
		const may = contents.map((content) => mayAnswer(messageOf(content)));
		expect(may).toEqual([true, true, false, false]);
		take();
	});

	it('let messages of the dialog be looked at as answers only while one is sent or pending', async () => {
		const message = messageOf({ text: 'Tomorrow' });
		const sending = trackDecision(`chat ${CHAT}`, Promise.resolve());
		expect(mayAnswer(message)).toBe(true);
		await sending;
		expect(mayAnswer(message)).toBe(false);
		addPending(BOT, CHAT, asked(1));
		expect(mayAnswer(message)).toBe(true);
		take();
		expect(mayAnswer(message)).toBe(false);
	});
});
