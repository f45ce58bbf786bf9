import { ChatLimits } from '../../../../nodes/BotMessaging/service/pacing/chatLimits';
import { Latency } from '../../../../nodes/BotMessaging/service/pacing/latency';
import type { Refused } from '../../../../nodes/BotMessaging/service/types';

interface Situation {
	/** The highest wanted rate into a chat. */
	rate?: number;
	/** How many messages the chat just got. */
	sent?: number;
	botWasFree?: number;
	/** Whether the chat was refused before. */
	isLimited?: boolean;
	/** The last refusal: its chat, and when it came. */
	last?: [chat: string, at: number];
}

test.each<[string, 'chat' | 'bot', Refused, Situation]>([
	['whose message is about a chat', 'chat', { aboutChat: true }, { sent: 0 }],
	['that names the limit of a chat', 'chat', { limit: 2 }, { sent: 0 }],
	[
		'that names the limit of a chat, whatever the options say,',
		'chat',
		{ limit: 2 },
		{ rate: 0.5 },
	],
	['that names a higher limit', 'bot', { limit: 10 }, {}],
	[
		'that names a low limit, in a chat that got one message, after one in another chat,',
		'bot',
		{ limit: 3 },
		{ sent: 1, last: ['b', 0] },
	],
	[
		'that names a low limit, in a chat that just got two messages, after one in another chat,',
		'chat',
		{ limit: 1 },
		{ last: ['b', 0] },
	],
	[
		'that names a low limit, in a chat that is known to be limited, after one in another chat,',
		'chat',
		{ limit: 1 },
		{ sent: 0, isLimited: true, last: ['b', 0] },
	],
	['without details, in a chat that just got two messages,', 'chat', {}, {}],
	['without details, in a chat that got one message,', 'bot', {}, { sent: 1 }],
	['without details, when the bot had used up its limit,', 'bot', {}, { botWasFree: 900 }],
	[
		'without details, in a chat that is known to be limited,',
		'chat',
		{},
		{ sent: 0, isLimited: true },
	],
	['without details, after one in another chat,', 'bot', {}, { last: ['b', 0] }],
	['without details, long after one in another chat,', 'chat', {}, { last: ['b', -900] }],
	['without details, after one in the same chat,', 'chat', {}, { last: ['a', 0] }],
])('A refusal %s is attributed to the limit of the %s', (_, blamed, refused, situation) => {
	const { rate = 2, sent = 2, botWasFree = Infinity, isLimited, last } = situation;
	const chats = new ChatLimits(new Latency(), () => rate);
	const limit = chats.of('a');
	for (let count = 0; count < sent; count++) limit?.take(0, false);
	if (isLimited) limit?.refuse(limit.take(0, false), {}, 0);
	if (last) chats.refusingLimit(last[0], {}, { botWasFree, now: last[1] });
	const found = chats.refusingLimit('a', refused, { botWasFree, now: 100 });
	expect(found).toBe(blamed === 'chat' ? limit : undefined);
});
