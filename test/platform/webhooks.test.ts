import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority } from '../support/tls';
import { waitFor } from '../support/wait';
import type { ControlId } from './control-types';
import type { DeliveryEntry } from './journal';
import { Hook } from './hook';
import { type BotClient, Scene } from './scene';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOOK = 'https://bot.example/hook';

const authority = createAuthority();
const stranger = createAuthority();
const certificate = authority.issue(['bot.example', 'other.example']);

let scene: Scene;
let hook: Hook;
let bot: BotClient;
let chatId: ControlId;

beforeEach(async () => {
	hook = await Hook.open(certificate);
	scene = await Scene.open({
		trustedCa: authority.ca,
		resolve: { 'bot.example:443': hook.address, 'other.example:443': hook.address },
	});
	bot = await scene.bot();
	({ chatId } = await scene.dialog(bot));
});

afterEach(async () => {
	await scene.close();
	await hook.close();
});

const subscribe = (body: object = {}) => bot.post('/subscriptions', { url: HOOK, ...body });

const write = (text = 'Hello') => scene.control.userWrites(chatId, text);

const arrived = (count: number) =>
	waitFor(() => hook.received.length >= count, {
		interval: 5,
		what: () => `${count} deliveries, ${hook.received.length} came`,
	});

const deliveries = (): DeliveryEntry[] =>
	scene.platform.journal.entries({ kind: 'delivery' }).filter((entry) => entry.kind === 'delivery');

const delivered = (count: number) =>
	waitFor(() => deliveries().length >= count && deliveries(), {
		interval: 5,
		what: () => `${count} lines about deliveries, there are ${deliveries().length}`,
	});

/** Subscribes, and lets the person write. Resolves to the lines about deliveries, once there is one. */
const firstDelivery = async (body?: object) => {
	await subscribe(body);
	await write();
	return await delivered(1);
};

const urls = async () =>
	(await bot.get('/subscriptions')).body.subscriptions.map(({ url }: { url: string }) => url);

describe('a delivery', () => {
	it('is one update as JSON over HTTPS, with the secret', async () => {
		await subscribe({ secret: 'secret-1' });
		const { body } = await write();
		await arrived(1);
		const [request] = hook.received;
		expect(request?.path).toBe('/hook');
		expect(request?.headers).toMatchObject({
			host: 'bot.example',
			'content-type': expect.stringContaining('application/json'),
			'x-service-bot-api-secret': 'secret-1',
		});
		expect(request?.update).toMatchObject({
			update_type: 'message_created',
			user_locale: 'en',
			message: { body: { mid: body.mid, text: 'Hello' } },
		});
		expect(request?.text).toContain(`"seq":${String(body.seq)}`);
		expect(await delivered(1)).toMatchObject([
			{ url: HOOK, update_type: 'message_created', attempt: 1, status: 200, secret_sent: true },
		]);
	});

	it('names the brand of the service in the header of the secret', async () => {
		await scene.control.setSettings({ brand: 'Acme' });
		await subscribe({ secret: 'secret-1' });
		await write();
		await arrived(1);
		const headers = hook.received[0]?.headers;
		expect(headers).toHaveProperty('x-acme-bot-api-secret', 'secret-1');
		expect(headers).not.toHaveProperty('x-service-bot-api-secret');
	});

	it('carries no secret if none was given', async () => {
		await subscribe();
		await write();
		await arrived(1);
		expect(hook.received[0]?.headers).not.toHaveProperty('x-service-bot-api-secret');
	});

	it('is made only for the types that were asked for', async () => {
		await subscribe({ update_types: ['dialog_muted'] });
		await write();
		await scene.control.treatDialog(chatId, 'mute');
		await arrived(1);
		expect(hook.received.map(({ update }) => update.update_type)).toEqual(['dialog_muted']);
	});

	it('stops when the subscription is deleted', async () => {
		await subscribe();
		await bot.delete(`/subscriptions?url=${encodeURIComponent(HOOK)}`);
		await write();
		expect((await bot.updates()).map((update) => update.update_type)).toEqual(['message_created']);
		expect(deliveries()).toEqual([]);
	});

	it('leaves after the one before in its chat, however slowly the connection of that opens', async () => {
		let connections = 0;
		const greet = async () => void (connections++ === 0 && (await sleep(300)));
		const slow = await Hook.open(certificate, greet);
		await scene.control.setSettings({ resolve: { 'bot.example:443': slow.address } });
		await subscribe();
		for (const text of ['1', '2']) await write(text);
		await waitFor(() => slow.received.length === 2, { what: 'both' });
		expect(slow.received.map(({ update }) => update.message.body.text)).toEqual(['1', '2']);
		expect(connections).toBe(2);
		await slow.close();
	});

	it('can wait for the one before', async () => {
		await scene.control.setSettings({ serial_delivery: true });
		await subscribe();
		const texts = Array.from({ length: 20 }, (_, index) => String(index));
		for (const text of texts) await write(text);
		await arrived(20);
		expect(hook.received.map(({ update }) => update.message.body.text)).toEqual(texts);
	});

	it('gives a raw update exactly as the test wrote it', async () => {
		await subscribe();
		await scene.control.enqueue(bot.id, { update_type: 'never_heard_of', deep: [{ a: null }] });
		await arrived(1);
		expect(hook.received[0]?.update).toEqual({
			update_type: 'never_heard_of',
			deep: [{ a: null }],
			timestamp: expect.any(Number),
		});
	});
});

describe('TLS', () => {
	it('refuses a certificate of another authority', async () => {
		await scene.control.setSettings({ trusted_ca: stranger.ca });
		const [delivery] = await firstDelivery();
		expect(delivery?.error).toContain('SELF_SIGNED_CERT_IN_CHAIN');
		expect(hook.received).toEqual([]);
	});

	it('refuses a certificate for another host', async () => {
		await scene.control.setSettings({ resolve: { 'wrong.example:443': hook.address } });
		const [delivery] = await firstDelivery({ url: 'https://wrong.example/hook' });
		expect(delivery?.error).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
		expect(hook.received).toEqual([]);
	});

	it('takes a certificate again once its authority is trusted', async () => {
		await scene.control.setSettings({ trusted_ca: [stranger.ca] });
		await firstDelivery();
		await scene.control.setSettings({ trusted_ca: [stranger.ca, authority.ca] });
		await write();
		await arrived(1);
	});

	it('never delivers to a url with a port', async () => {
		expect(
			await firstDelivery({ url: `https://bot.example:${hook.address.split(':')[1]}/hook` }),
		).toMatchObject([{ error: expect.stringContaining('port') }]);
		expect(hook.received).toEqual([]);
	});
});

describe('failures', () => {
	const attempts = () => deliveries().map(({ attempt }) => attempt);

	it.each([201, 204, 302, 404, 500])('counts the answer %i as one', async (status) => {
		hook.status = status;
		expect(await firstDelivery()).toMatchObject([{ attempt: 1, status }]);
		hook.status = 200;
		await scene.control.advance(MINUTE);
		expect(await delivered(2)).toMatchObject([{ status }, { attempt: 2, status: 200 }]);
		expect(hook.received[1]?.text).toBe(hook.received[0]?.text);
	});

	it('are retried after 60 s and then 2.5 times as long each, within 8 hours', async () => {
		hook.status = 500;
		await subscribe();
		const start = scene.platform.clock.now();
		await write();
		await delivered(1);
		await scene.control.advance(8 * HOUR - MINUTE);
		const minutes = deliveries().map(({ time }) => (time - start) / MINUTE);
		const expected = [0, 1, 3.5, 9.75, 25.375, 64.4375, 162.094, 406.234];
		expect(minutes).toHaveLength(expected.length);
		for (const [index, minute] of expected.entries()) expect(minutes[index]).toBeCloseTo(minute, 0);
		expect(attempts()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
		expect(await urls()).toEqual([HOOK]);
	});

	it('for 8 hours end the subscription, and polling works again', async () => {
		hook.status = 500;
		await firstDelivery();
		await scene.control.advance(8 * HOUR + MINUTE);
		expect(await urls()).toEqual([]);
		await write('polled');
		expect(await bot.updates()).toMatchObject([{ message: { body: { text: 'polled' } } }]);
	});

	it('are forgotten with a success in between', async () => {
		hook.status = 500;
		await firstDelivery();
		await scene.control.advance(7 * HOUR);
		hook.status = 200;
		await write();
		await waitFor(() => deliveries().some(({ status }) => status === 200), { what: 'a success' });
		await scene.control.advance(7 * HOUR);
		expect(await urls()).toEqual([HOOK]);
	});

	it('include an endpoint that does not answer within 30 seconds', async () => {
		hook.status = 0;
		await subscribe();
		await write();
		await arrived(1);
		expect(deliveries()).toEqual([]);
		await scene.control.advance(25_000);
		expect(deliveries()).toEqual([]);
		await scene.control.advance(5_000);
		expect(await delivered(1)).toMatchObject([{ error: 'no answer within 30 seconds' }]);
	});

	it('include a closed port', async () => {
		await subscribe();
		await hook.close();
		await write();
		const [delivery] = await delivered(1);
		expect(delivery?.error).toContain('ECONNREFUSED');
		hook = await Hook.open(certificate);
		await scene.control.setSettings({ resolve: { 'bot.example:443': hook.address } });
		await scene.control.advance(MINUTE);
		await arrived(1);
	});
});

describe('faults', () => {
	const texts = () => hook.received.map(({ update }) => update.message.body.text);

	const fault = (then: object) =>
		scene.control.setFaults([{ match: { origin: 'delivery', path: HOOK }, then }]);

	it('deliver out of order', async () => {
		await subscribe();
		await fault({ delay_ms: 20_000 });
		await write('1');
		await write('2');
		await arrived(1);
		await scene.control.advance(20_000);
		await arrived(2);
		expect(texts()).toEqual(['2', '1']);
	});

	it('lose the answer, so that the same update comes again', async () => {
		await fault({ cut: 'after' });
		await firstDelivery();
		expect(texts()).toEqual(['Hello']);
		await scene.control.advance(MINUTE);
		await arrived(2);
		expect(hook.received[0]?.text).toBe(hook.received[1]?.text);
	});

	it('fail without reaching the endpoint', async () => {
		await fault({ status: 502 });
		expect(await firstDelivery()).toMatchObject([{ status: 502 }]);
		expect(hook.received).toEqual([]);
	});
});
