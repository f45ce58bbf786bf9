import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IBinaryData, INodeParameters, INodeType } from 'n8n-workflow';
import { engineHome } from '../node/support/environment';
import { storeBinary } from '../node/support/binary';
import { runNode } from '../node/support/engine';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { requestOf, type Job, type JobResult, type Kind, type Message } from './jobs';
import { LoopNode } from './loopNode';
import { measure } from './measure';
import { loadActionNode } from './package';
import type { Target } from './stand';
import { delivery } from '../support/delivery';

const credentialsOf = ({ baseUrl, token }: Target) => ({
	botMessagingApi: { baseUrl, accessToken: token },
});

const SEND: INodeParameters = {
	resource: 'message',
	operation: 'send',
	chat_id: '={{ $json.chatId }}',
	text: '={{ $json.text }}',
};

const UPLOAD: INodeParameters = { resource: 'file', operation: 'upload', media_type: 'file' };

const itemsOf = (messages: Message[]) =>
	messages.map(({ chatId, text }) => ({ json: { chatId, text } }));

/**
 * Runs a node in the engine.
 * @throws Error if an item fails
 */
async function engine(
	node: INodeType,
	target: Target,
	messages: Message[],
	parameters: INodeParameters,
): Promise<void> {
	const { items, error } = await runNode({
		node,
		parameters,
		credentials: credentialsOf(target),
		items: itemsOf(messages),
		onError: 'continueRegularOutput',
		mode: 'trigger',
	});
	const failure = error?.message ?? items.find(({ json }) => 'error' in json)?.json.error;
	if (failure !== undefined) throw new Error(`A message failed: ${String(failure)}`);
}

/** Loads and starts everything once, so that only the work itself is measured. */
async function warmUp(target: Target): Promise<void> {
	const nowhere = { ...target, baseUrl: `${target.baseUrl}/nowhere` };
	const sending = engine(await loadActionNode(), nowhere, [{ chatId: '1', text: 'x' }], SEND);
	// There is nothing at this address.
	await sending.catch(() => {});
}

/** Reports that everything is loaded, and waits for the signal to begin. */
async function begin(): Promise<void> {
	const word = once(process, 'message');
	process.send?.({ ready: true });
	await word;
}

/** A sparse file of zeros in n8n's binary store, of arbitrary size and without disk space. */
async function storeZeros(bytes: number): Promise<IBinaryData> {
	const fileName = 'file.bin';
	const binary = await storeBinary(Buffer.alloc(1), { fileName });
	const path = join(engineHome, 'binary', binary.id?.replace(/^[^:]*:/, '') ?? '');
	await truncate(path, bytes);
	const metadata = { fileName, mimeType: binary.mimeType, fileSize: bytes };
	await writeFile(`${path}.metadata`, JSON.stringify(metadata));
	return { ...binary, bytes };
}

const JOBS: { [K in Kind]: (job: Job<K>) => Promise<JobResult> } = {
	node: async ({ target, messages, options = {} }) => {
		await warmUp(target);
		await begin();
		const form = { ...SEND, options: delivery(options) };
		return await measure(async () => await engine(await loadActionNode(), target, messages, form));
	},
	loop: async ({ target, messages }) => {
		await warmUp(target);
		return await measure(async () => await engine(new LoopNode(), target, messages, {}));
	},
	undici: async ({ target, messages, everyMs }) => {
		const send = async (message: Message): Promise<void> => {
			const { url, ...options } = requestOf(target, message);
			const headers = { authorization: target.token, 'content-type': 'application/json' };
			const answer = await request(url, { ...options, headers });
			await answer.body.dump();
			// It does not retry, so what was refused because of the limit stays refused.
			if (answer.statusCode !== 200 && answer.statusCode !== 429) {
				throw new Error(`A message failed: ${answer.statusCode}`);
			}
		};
		return await measure(async () => {
			const startedAt = performance.now();
			const sending = messages.map(async (message, index) => {
				await sleep(startedAt + index * everyMs - performance.now());
				await send(message);
			});
			await Promise.all(sending);
		});
	},
	replies: async ({ target, broadcast, replies, everyMs }) => {
		await warmUp(target);
		const reply = async (message: Message): Promise<number> => {
			const startedAt = performance.now();
			await engine(await loadActionNode(), target, [message], SEND);
			return performance.now() - startedAt;
		};
		const series = async (): Promise<number[]> => {
			const durations: number[] = [];
			for (const message of replies) {
				await sleep(everyMs);
				durations.push(await reply(message));
			}
			return durations;
		};
		const aloneMs = await series();
		await sleep(2000);
		let duringMs: number[] = [];
		const { cost } = await measure(async () => {
			const sending = engine(await loadActionNode(), target, broadcast, SEND);
			[duringMs] = await Promise.all([series(), sending]);
		});
		return { cost, aloneMs, duringMs };
	},
	upload: async ({ target, bytes, method }) => {
		await warmUp(target);
		const binary = { data: await storeZeros(bytes) };
		return await measure(async () => {
			const { error } = await runNode({
				node: await loadActionNode(),
				parameters: { ...UPLOAD, options: delivery({ upload_method: method }) },
				credentials: credentialsOf(target),
				items: [{ json: {}, binary }],
				mode: 'trigger',
			});
			if (error) throw new Error(`The upload failed: ${error.message}`);
		});
	},
};

const run = async <K extends Kind>(job: Job<K>): Promise<JobResult> => await JOBS[job.kind](job);

process.once('message', (job: Job) => {
	run(job)
		.then((result) => ({ result }))
		.catch((error: unknown) => ({ error: error instanceof Error ? error.stack : String(error) }))
		.then((answer) => process.send?.(answer, () => process.exit(0)));
});
