import { byId } from '../cast';
import { done, gone, type Sample } from './sample';

const HOOK = 'https://bot.example/hook';

/** Operations on the bot itself, its subscriptions and updates. */
export const botSamples: Sample[] = [
	{
		use: 'bot get',
		fields: () => ({}),
		output: () => [{ is_bot: true, user_id: expect.any(String) }],
	},
	{
		use: 'bot setCommands',
		fields: () => ({ commands: { command: [{ name: '/help', description: 'Show help' }] } }),
		output: () => [{ commands: [{ name: 'help', description: 'Show help' }] }],
	},
	{
		use: 'subscription create',
		fields: () => ({ url: HOOK, options: { update_types: ['bot_added'] } }),
		output: done,
	},
	{
		use: 'subscription getAll',
		before: async (stage) => await stage.subscribe(HOOK, { secret: 'abcde' }),
		fields: () => ({}),
		output: () => [{ url: HOOK, time: expect.any(Number) }],
	},
	{
		use: 'subscription delete',
		before: async (stage) => await stage.subscribe(HOOK),
		fields: () => ({ subscription: byId(HOOK, 'url') }),
		output: gone,
	},
	{
		use: 'update getAll',
		before: async (stage, { dialog }) => {
			// A bot with a subscription cannot be polled.
			await stage.unsubscribe(HOOK);
			await stage.control.userWrites(dialog, 'Anyone there?');
		},
		fields: () => ({
			options: { timeout: 0, types: ['message_created'], marker: 0, update_limit: 1000 },
		}),
		output: ({ dialog }) =>
			expect.arrayContaining([
				expect.objectContaining({
					event: 'message_created',
					chat_id: dialog,
					text: 'Anyone there?',
					marker: expect.any(Number),
				}),
			]),
	},
];
