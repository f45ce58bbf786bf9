import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseExact } from '../service/json';
import { passOnPress } from '../wait/press';
import { identityOf } from '../events/events';
import { readFilters } from './filters';
import { ledgerOf } from './ledger';
import { chosenEvents, formOf, triggerKey } from './parameters';
import { isAuthentic } from './secret';
import { isUpdate, type Update } from '../events/update';

/** What ends a request without an execution. */
interface Refusal {
	status: number;
	message: string;
}

const FORGED: Refusal = { status: 403, message: 'The secret is missing or wrong' };
const NO_EVENT: Refusal = { status: 400, message: 'The body is not an event' };
const IGNORED: Refusal = { status: 200, message: 'Ignored' };
const KNOWN: Refusal = { status: 200, message: 'Received before' };
const PASSED_ON: Refusal = { status: 200, message: 'Passed on' };
/** The service delivers the event again. */
const NOT_NOW: Refusal = { status: 503, message: 'Not possible at the moment' };

/** Looks at an event before the workflow does, and may be done with it. */
type Step = (
	context: IWebhookFunctions,
	update: Update,
) => Refusal | undefined | Promise<Refusal | undefined>;

const STEPS: Step[] = [
	async (context, update) => ((await passOnPress(context, update)) ? PASSED_ON : undefined),
	(context, update) => {
		const passes = readFilters(formOf(context), chosenEvents(context));
		return passes(update) ? undefined : IGNORED;
	},
	// A test run gets what production has got.
	(context, update) => {
		const isKnown = ledgerOf(triggerKey(context)).has(identityOf(update));
		return context.getMode() !== 'manual' && isKnown ? KNOWN : undefined;
	},
];

/**
 * One request to the trigger's address: an event that starts the workflow, or an answer that refuses it and starts
 * nothing. An accepted event is answered by `handOver`, after n8n stored its execution.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const given = await authenticEvent(this);
	if ('refusal' in given) return answer(this, given.refusal);
	const refusal = await refusalOf(this, given.update);
	return refusal ? answer(this, refusal) : { workflowData: [[{ json: given.update }]] };
}

function answer(context: IWebhookFunctions, { status, message }: Refusal): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** The event, if the request comes from the service. Never throws: an error would be stored as an execution. */
async function authenticEvent(
	context: IWebhookFunctions,
): Promise<{ update: Update } | { refusal: Refusal }> {
	try {
		if (!(await isAuthentic(context))) return { refusal: FORGED };
	} catch (error) {
		// Without a usable credential or secret nothing can be told from a forgery.
		context.logger.warn(`An event was refused: ${messageOf(error)}`);
		return { refusal: FORGED };
	}
	const update = await readUpdate(context);
	return update ? { update } : { refusal: NO_EVENT };
}

/** What keeps the event from the workflow, if anything. */
async function refusalOf(context: IWebhookFunctions, update: Update): Promise<Refusal | undefined> {
	try {
		for (const step of STEPS) {
			const refusal = await step(context, update);
			if (refusal) return refusal;
		}
		return undefined;
	} catch (error) {
		context.logger.error(`An event was put off: ${messageOf(error)}`);
		return NOT_NOW;
	}
}

/** Deepest nesting of an event; real ones have about ten levels. */
const DEEPEST = 64;

/** The event with all its digits: n8n's own parsing would round identifiers beyond 2^53. */
async function readUpdate(context: IWebhookFunctions): Promise<Update | undefined> {
	const request = context.getRequestObject();
	try {
		// n8n reads bodies of some content types only.
		await request.readRawBody();
		const body = parseExact(request.rawBody.toString('utf8'));
		return isUpdate(body) && !isDeeper(body, DEEPEST) ? body : undefined;
	} catch {
		return undefined;
	}
}

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : 'unknown reason';
