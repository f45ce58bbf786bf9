import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { run } from '../support/command';
import { seconds, type Row } from './report';
import { Stand, type Target } from './stand';
import { work } from './work';

const MB = 1024 ** 2;
const SIZES = [64, 1024, 4096];
const METHODS = ['automatic', 'multipart'] as const;

/** How long curl takes for a file of this size, from requesting the URL to the end, in ms. */
async function curl({ baseUrl, token }: Target, sizeMb: number): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'bench-upload-'));
	try {
		const file = join(folder, 'file.bin');
		const handle = await open(file, 'w');
		await handle.truncate(sizeMb * MB);
		await handle.close();
		const startedAt = performance.now();
		const headers = { authorization: token };
		const answer = await request(`${baseUrl}/uploads?type=file`, { method: 'POST', headers });
		const { url } = Object(await answer.body.json());
		const options = ['--silent', '--show-error', '--fail', '--header', 'Expect:'];
		await run('curl', [...options, '--form', `data=@${file}`, url], { what: 'Uploading by curl' });
		return performance.now() - startedAt;
	} finally {
		await rm(folder, { recursive: true });
	}
}

async function* upload(target: Target, sizeMb: number): AsyncGenerator<Row> {
	const byCurl = await curl(target, sizeMb);
	for (const method of METHODS) {
		const { cost } = await work({ kind: 'upload', target, bytes: sizeMb * MB, method });
		const what = `file of ${sizeMb} MB, ${method}`;
		yield {
			what,
			value: byCurl / cost.wallMs,
			unit: "× curl's speed",
			target: '≥ 0.85',
			detail: `${seconds(cost.wallMs)}, curl ${seconds(byCurl)}`,
		};
		yield {
			what: `${what}: memory`,
			value: cost.peakMb,
			unit: 'MB at its peak above the start',
			target: '≤ 64',
			detail: `processor ${seconds(cost.cpuMs)}`,
		};
	}
}

/** Uploads of growing size, compared with curl for the same file and host. */
export async function* measureUpload(): AsyncGenerator<Row> {
	const stand = await Stand.start({ latencyMs: 0, chats: 0 });
	try {
		for (const sizeMb of SIZES) yield* upload(stand.target, sizeMb);
	} finally {
		await stand.stop();
	}
}
