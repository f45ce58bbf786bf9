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

	it('let messages of the dialog be looked at as answers only while one is sent or pending', async () => {
		const message = {
			update_type: 'message_created',
			timestamp: 3,
			message: {
				recipient: { chat_id: CHAT, chat_type: 'dialog' },
				body: { mid: 'mid-3', text: 'Tomorrow' },
			},
		};
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
