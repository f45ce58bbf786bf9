import {
	chatKeyOfMessage,
	recipientKey,
	recipientQuery,
} from '../../../nodes/BotMessaging/form/target';
import { operation } from '../../../nodes/BotMessaging/actions/message/send';
import { formOf } from './formOf';

test.each([
	['a group', 'mid.ffffbf3668e29b35019f9a4d46a01f01', 'chat -71234567890123'],
	['a dialog', 'mid.0000000008c0d2d1019f9a4c5c402b3d', 'chat 146854609'],
	['the largest chat ID', 'mid.7fffffffffffffff019f9a4c5c402b3d', `chat ${2n ** 63n - 1n}`],
	['the smallest chat ID', 'mid.8000000000000000019f9a4c5c402b3d', `chat ${-(2n ** 63n)}`],
	['another shape of ID', 'AbC_123-x', undefined],
	['an ID that is too short', 'mid.ffff', undefined],
	['nothing', '', undefined],
])('The chat of a message is read from its ID: %s', (_name, mid, chat) => {
	expect(chatKeyOfMessage(mid)).toBe(chat);
});

test('A chat and a user with the same number do not share a key', () => {
	const to = (send_to: string) =>
		recipientKey(formOf(operation, { send_to, chat_id: '7', user_id: '7' }));
	expect(to('chat')).not.toBe(to('user'));
});

test.each([
	[{ send_to: 'chat', chat_id: 0 }, 'Chat ID is 0, which is no ID'],
	[{ send_to: 'user', user_id: '0' }, 'User ID is 0, which is no ID'],
])('A message to nobody is refused: %p', (parameters, message) => {
	expect(() => recipientQuery(formOf(operation, parameters))).toThrow(message);
});
