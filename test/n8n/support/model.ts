import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { close, listen } from '../../support/server';

/** A chat model that always answers in the same way. */
export interface StubModel {
	/** Base URL of its chat completions API. */
	url: string;
	/** What it received, by request: the texts and pictures from people and its own answers, in order. */
	heard: string[][];
	stop(): Promise<void>;
}

interface ChatMessage {
	role: string;
	content: unknown;
}

interface CompletionRequest {
	messages: ChatMessage[];
	tools?: Array<{ function: { name: string; parameters?: { properties?: object } } }>;
	stream?: boolean;
}

/** The model's words for a picture it is shown. */
export const SEEN = '[a picture]';

const textOf = (content: unknown): string =>
	Array.isArray(content)
		? content
				.map(({ type, text }: { type?: string; text?: string }) =>
					type === 'image_url' ? SEEN : (text ?? ''),
				)
				.join('')
		: String(content ?? '');

/** What the person said last; a picture is a message of its own, after the text. */
function lastWords(messages: ChatMessage[]): string[] {
	const end = messages.findLastIndex(({ role }) => role === 'user') + 1;
	const start = messages.slice(0, end).findLastIndex(({ role }) => role !== 'user') + 1;
	return messages.slice(start, end).map(({ content }) => textOf(content));
}

/**
 * The next turn of the model: it repeats the person's words. With a tool, it first calls that with these words (and no
 * other arguments), and says "done" once a tool has answered.
 */
function nextTurn({ messages, tools }: CompletionRequest) {
	const tool = tools?.[0];
	const text = `You asked: ${lastWords(messages).join(' ')}`;
	if (!tool) return { role: 'assistant', content: text };
	// Results of tools from before the person's last words belong to an earlier turn.
	const latest = messages.findLast(({ role }) => role === 'user' || role === 'tool');
	if (latest?.role === 'tool') return { role: 'assistant', content: 'done' };
	const parameters = tool.function.parameters?.properties ?? {};
	// A tool that a person has to approve wraps the parameters of the actual tool.
	const isReviewed = 'toolParameters' in parameters;
	const given = isReviewed ? { toolParameters: { text }, hitlParameters: {} } : { text };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [
			{
				index: 0,
				id: 'call_1',
				type: 'function',
				function: { name: tool.function.name, arguments: JSON.stringify(given) },
			},
		],
	};
}

/** The model's transcription of every recording. */
export const SPOKEN = 'Two parcels, please';

interface Answer {
	type: 'application/json' | 'text/event-stream';
	body: string;
}

const json = (content: object): Answer => ({
	type: 'application/json',
	body: JSON.stringify(content),
});

function completion(wanted: CompletionRequest): Answer {
	const message = nextTurn(wanted);
	const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
	const frame = { id: 'stub', created: 0, model: 'stub' };
	if (!wanted.stream) {
		const choices = [{ index: 0, message, finish_reason }];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		return json({ ...frame, object: 'chat.completion', choices, usage });
	}
	const chunks = [
		{ index: 0, delta: message, finish_reason: null },
		{ index: 0, delta: {}, finish_reason },
	].map((choice) => ({ ...frame, object: 'chat.completion.chunk', choices: [choice] }));
	const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
	return { type: 'text/event-stream', body: events.map((data) => `data: ${data}\n\n`).join('') };
}

/** Starts a server with the common chat completions API, streaming or not, and transcription. */
export async function startModel(): Promise<StubModel> {
	const heard: string[][] = [];
	function answer(path: string, request: string): Answer {
		if (path.endsWith('/audio/transcriptions')) return json({ text: SPOKEN });
		const wanted: CompletionRequest = JSON.parse(request || '{"messages":[]}');
		const said = wanted.messages.filter(({ role }) => role === 'user' || role === 'assistant');
		heard.push(said.map(({ content }) => textOf(content)));
		return completion(wanted);
	}
	const server = createServer((request, response) => {
		void readText(request).then((content) => {
			const { type, body } = answer(request.url ?? '', content);
			response.setHeader('Content-Type', type).end(body);
		});
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}/v1`,
		heard,
		stop: async () => await close(server),
	};
}
