import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ShownMessage } from '../platform';
import { close, listen } from '../support/server';
import { startOwnN8n, type OwnN8n } from './support/own';
import { photoOf } from './support/photo';
import { WEBHOOK_HOST } from './support/shared';
import { Stage } from './support/stage';
import { Asking, dataOf } from './support/waiting';
import { example } from './support/workflow';

/** The address of this machine in its network, where the front of an n8n calls it. */
const OWN_ADDRESS =
	Object.values(networkInterfaces())
		.flat()
		.find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.2';

/** Hosts that were called through the proxy. */
const called = new Set<string>();

/** A proxy to the outside. It lets nobody in: neither to this n8n's public name nor to any other of its addresses. */
const proxy = createServer();
const tunnels: Socket[] = [];
let own: OwnN8n;
let stage: Stage;

proxy.on('connect', ({ url = '' }, outside: Socket) => {
	called.add(url);
	const [host, port] = url.split(':');
	if (host !== 'localhost') return void outside.end('HTTP/1.1 403 Forbidden\r\n\r\n');
	const inside = connect(Number(port), '127.0.0.1');
	for (const socket of [inside, outside]) tunnels.push(socket.on('error', () => {}));
	outside.write('HTTP/1.1 200 OK\r\n\r\n');
	outside.pipe(inside).pipe(outside);
});

beforeAll(async () => {
	const address = `http://127.0.0.1:${await listen(proxy)}`;
	own = await startOwnN8n({
		HTTP_PROXY: address,
		HTTPS_PROXY: address,
		NO_PROXY: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '0.0.0.0',
	});
	const resolve = { [`${WEBHOOK_HOST}:443`]: `${OWN_ADDRESS}:${own.instance.port}` };
	stage = await Stage.open({ resolve }, own.place);
}, 300_000);

afterAll(async () => {
	await stage.close();
	await own.close();
	for (const socket of tunnels) socket.destroy();
	await close(proxy);
}, 120_000);

describe('an n8n that reaches others through a proxy only', () => {
	it('receives a photo and sends it back, all of it through the proxy', async () => {
		const active = await stage.createActive(example('photo-back.json', stage.credential));
		const photo = photoOf(200_000);
		await stage.control.userWrites(stage.dialog.chat_id, {
			text: 'Look',
			attachments: [photo.sent],
		});
		const isAnswer = ({ body }: ShownMessage) => body.text?.startsWith('Here it is again') ?? false;
		await stage.answer(isAnswer);
		const { baseUrl, uploadUrl } = stage.platform;
		const hosts = [baseUrl, uploadUrl].map((url) => new URL(url).host);
		expect([...called]).toEqual(expect.arrayContaining(hosts));
		await stage.n8n.deactivate(active);
	});

	it('takes an answer in the chat, although the proxy does not lead back to it', async () => {
		const asking = new Asking(stage);
		const { question } = await asking.ask({ answer_in: 'chat' });
		await stage.control.press(question.body.mid, { text: 'Approve' });
		expect(dataOf(await asking.told())).toMatchObject({ approved: true });
		expect(called).toContain(`${WEBHOOK_HOST}:443`);
		await asking.close();
	});
});
