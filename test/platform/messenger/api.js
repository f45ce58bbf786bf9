/** Calls the control API. Throws an Error with the platform's own text when it refuses. */
async function call(method, path, body) {
	const response = await fetch(path, {
		method,
		...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.message ?? `${method} ${path}: ${response.status}`);
	return answer;
}

const get = (path) => call('GET', path);
const post = (path, body = {}) => call('POST', path, body);

const EVENTS = [
	'message',
	'message_edited',
	'message_removed',
	'pinned',
	'chat',
	'person',
	'action',
	'notification',
	'update',
	'request',
	'delivery',
];

export const api = {
	state: () => get('/state'),
	chat: (chatId) => get(`/chats/${chatId}`),
	messages: (chatId, limit) => get(`/chats/${chatId}/messages?limit=${limit}`),
	message: (mid) => get(`/messages/${mid}`),
	journal: (limit) => get(`/journal?limit=${limit}`),
	createUser: (user) => post('/users', user),
	createBot: (bot) => post('/bots', bot),
	createChat: (chat) => post('/chats', chat),
	start: (bot_id, user_id, payload) => post('/start', { bot_id, user_id, payload }),
	join: (chatId, user_id, by) => post(`/chats/${chatId}/members`, { user_id, by }),
	leave: (chatId, userId) => call('DELETE', `/chats/${chatId}/members/${userId}`),
	/** What a person does to a dialog: stop, clear, remove, mute, unmute. */
	dialog: (chatId, action) => post(`/chats/${chatId}/${action}`),
	write: (chatId, message) => post(`/chats/${chatId}/messages`, message),
	edit: (mid, user_id, text) => call('PATCH', `/messages/${mid}`, { user_id, text }),
	remove: (mid, userId) => call('DELETE', `/messages/${mid}?user_id=${userId}`),
	press: (mid, user_id, row, column) => post(`/messages/${mid}/press`, { user_id, row, column }),
	/** Calls `listener` with everything that happens; `connected` with whether the stream stands. */
	listen(listener, connected) {
		const source = new EventSource('/events');
		for (const type of EVENTS) {
			source.addEventListener(type, ({ data }) => listener(JSON.parse(data)));
		}
		source.addEventListener('open', () => connected(true));
		source.addEventListener('error', () => connected(false));
	},
};
