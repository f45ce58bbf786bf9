import { Socket } from 'node:net';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';
import { reportPress } from '../../../nodes/BotMessaging/wait/report';
import { nodeOf } from '../../support/node';

const ticket = {
	url: 'https://flow.example.org/webhook-waiting/4711/node',
	question: 'q',
	choice: 0,
};

/** Reports a press of this person by webhook, through what n8n requests. */
const pressOf = async (
	user_id: string,
	httpRequest: (url: string) => Promise<unknown>,
	socket = new Socket(),
) => {
	const context = {
		getNode: () => nodeOf(),
		helpers: { httpRequest: async ({ url }: IHttpRequestOptions) => await httpRequest(url) },
		getRequestObject: () => ({ socket }),
	};
	return await reportPress(context, ticket, 'token', {
		question: 'q',
		choice: 0,
		time: 0,
		callback_id: '',
		user_id,
		user_name: '',
		chat_id: '1',
		message_id: 'mid.1',
	});
};

const REFUSED = { statusCode: 200, body: { taken: false, notification: 'No' } };

describe('presses that are reported to their executions', () => {
	it('are given to n8n a few at a time, since it would judge none of many in time', async () => {
		let atOnce = 0;
		let most = 0;
		const judge = async () => {
			most = Math.max(most, ++atOnce);
			await setImmediate();
			atOnce--;
			return REFUSED;
		};
		const people = Array.from({ length: 40 }, (_, index) => `person ${index}`);
		const refusals = await Promise.all(people.map(async (id) => await pressOf(id, judge)));
		expect(refusals).toEqual(people.map(() => 'No'));
		expect(most).toBe(5);
	});

	const [LOCAL, PUBLIC] = ['127.0.0.1', 'flow.example.org'];

	/** Reports presses of other people; `answer` tells what comes from a host. Resolves to the hosts that were asked. */
	const hostsAsked = async (answer: (host: string) => unknown, ...people: string[]) => {
		const asked: string[] = [];
		const judge = async (url: string) => {
			const { hostname } = new URL(url.replace(':undefined', ''));
			asked.push(hostname);
			const given = answer(hostname);
			return await (given === undefined ? Promise.reject(new Error('No way')) : given);
		};
		for (const person of people) expect(await pressOf(person, judge)).toBe('No');
		return asked;
	};

	const onlyAt = (open?: string) => (host: string) => (host === open ? REFUSED : undefined);

	it('go at once to the local port where only that led to n8n last time, and to the public address once that does', async () => {
		expect(await hostsAsked(onlyAt(LOCAL), 'Vera', 'Igor')).toEqual([PUBLIC, LOCAL, LOCAL]);
		expect(await hostsAsked(onlyAt(PUBLIC), 'Oleg', 'Olga')).toEqual([LOCAL, PUBLIC, PUBLIC]);
	});

	it.each([
		['a redirect to a login page', { statusCode: 302, body: '' }],
		['a login page', { statusCode: 200, body: '<html>Log in</html>' }],
	])('pass by %s in front of n8n', async (page, front) => {
		await hostsAsked(onlyAt(PUBLIC), `before ${page}`);
		const behind = (host: string) => (host === PUBLIC ? front : REFUSED);
		expect(await hostsAsked(behind, page)).toEqual([PUBLIC, LOCAL]);
	});

	it.each([
		['10.0.0.7', ['http://10.0.0.7:5678', 'http://127.0.0.1:5678']],
		['::ffff:10.0.0.7', ['http://10.0.0.7:5678', 'http://127.0.0.1:5678']],
		['fd00::5', ['http://[fd00::5]:5678', 'http://127.0.0.1:5678']],
		['127.0.0.1', ['http://127.0.0.1:5678']],
	])('try the address at which n8n got the event as well: %s', async (localAddress, local) => {
		const asked: string[] = [];
		const judge = async (url: string) => {
			asked.push(new URL(url).origin);
			return asked.length > local.length ? REFUSED : await Promise.reject(new Error('No way'));
		};
		const socket = Object.defineProperties(new Socket(), {
			localAddress: { value: localAddress },
			localPort: { value: 5678 },
		});
		expect(await pressOf(localAddress, judge, socket)).toBe('No');
		expect(asked.toSorted()).toEqual([...local, 'https://flow.example.org'].toSorted());
	});
});
