import { Stage } from './stage';
import { Steps } from './steps';

const CHATS = 20;
const MESSAGES = 5;

describe('messages that people write in quick succession', () => {
	let stage: Stage;
	let steps: Steps;
	beforeEach(async () => {
		steps = await Steps.open();
		stage = await Stage.open();
	});
	afterEach(async () => {
		await stage.close();
		steps.close();
	});

	/** Each chat gets its messages without a pause, all chats at the same time. */
	const write = async () => {
		const chats = Array.from({ length: CHATS }, (_, chat) => chat);
		await Promise.all(
			chats.map(async (chat) => {
				for (let number = 0; number < MESSAGES; number++) {
					await stage.control.enqueue(stage.bot.user_id, {
						...{ update_type: 'bot_started', chat_id: 1000 + chat },
						...{ payload: `${chat}-${number}`, timestamp: Date.now() * 10 + number },
						user: { user_id: 110022334, first_name: 'Vera', is_bot: false },
					});
				}
			}),
		);
		const payloads = chats.map((chat) =>
			Array.from({ length: MESSAGES }, (_, number) => `${chat}-${number}`),
		);
		await steps.all(payloads.flat(), 200_000);
		return payloads;
	};

	it('are run in the order in which they were written, once each', async () => {
		await stage.createActive(steps.workflow(stage));
		const payloads = await write();
		const inOrder = payloads.map((own) => steps.arrivals.filter((each) => own.includes(each)));
		expect(inOrder).toEqual(payloads);
		expect(steps.repeated).toEqual([]);
	}, 240_000);
});
