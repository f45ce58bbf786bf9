import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { readConnection } from '../service/connection';
import { asObject, at, textAt } from '../service/read';
import { acceptOnce, acceptanceOf } from './accepted';
import { prepareOutcome } from './outcome';
import { formPage, noticePage, PAGE_HEADERS, type FormPage } from './page';
import { questionOf, type Question } from './question';
import { readSubmission } from './submission';
import { DEFAULT_TEXTS, fillIn, NOT_NOW, type Texts } from './texts';
import { readPress, type Press } from './ticket';
import { reasonOf } from '../service/failure';

const restart = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
});

/** Addresses at which a waiting execution is resumed. */
export const resumeWebhooks: IWebhookDescription[] = [restart('GET'), restart('POST')];

/** Shown in the editor while an execution waits. */
export const WAITING_TOOLTIP = 'Execution will continue when the person answers the message';

type Request = ReturnType<IWebhookFunctions['getRequestObject']>;

/** Response to a request: a page for a person, or JSON for the trigger that reports a press. */
interface Reply {
	status: number;
	/** The text of a page, or an object to be sent as JSON. */
	body: string | IDataObject;
}

/** What a request means: with `answer` the execution continues, without it keeps waiting. */
type Verdict = { reply: Reply; answer?: IDataObject; press?: Press };

const notice = (status: number, title: string, text: string): Reply => ({
	status,
	body: noticePage(title, text),
});

const gone = ({ lateTitle, late }: Texts = DEFAULT_TEXTS): Reply => notice(410, lateTitle, late);

const notTaken = (status: number, notification: string): Reply => ({
	status,
	body: { taken: false, notification },
});

/**
 * Resumes an execution that waits in Send and Wait: by a link, a page with a form, or a press that the trigger passes
 * on. Never throws, and returns `workflowData` only for a valid answer: n8n resumes an execution whose webhook throws.
 * It has already checked the signature of the address.
 */
export async function resume(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const question = questionOf(this);
		if (!question) return refuse(this, gone());
		const { reply, answer, press } = await judge(this, question);
		if (!answer) return refuse(this, reply);
		const signature = press && textAt(this.getRequestObject().body, 'signature');
		// The trigger has given up waiting and asks again: what becomes of the first request counts.
		const before = signature && acceptanceOf(question.id, signature);
		if (before) return refuse(this, (await before) ? reply : notTaken(503, NOT_NOW));
		const taking = acceptOnce(this.getResponseObject(), question.id, signature);
		if (!taking) {
			return refuse(this, press ? notTaken(200, question.texts.late) : gone(question.texts));
		}
		await prepareOutcome(this, { question, answer, press }, taking);
		return accept(this, reply, answer);
	} catch (error) {
		return failed(this, error);
	}
}

async function judge(context: IWebhookFunctions, question: Question): Promise<Verdict> {
	const request = context.getRequestObject();
	const { body, query } = request;
	if (at(body, 'press') !== undefined) {
		const { token } = await readConnection(context);
		return byPress(question, readPress(token, body));
	}
	const isItsLink = question.place === 'page' && query.question === question.id;
	// Links of an earlier question lead to the same execution and node, and must not answer this one.
	if (!isItsLink) return { reply: gone(question.texts) };
	return question.page ? byPage(request, question, question.page) : byLink(request, question);
}

function byPress(question: Question, press: Press | undefined): Verdict {
	const { id, message_id, chat_id, allowed, texts } = question;
	const refused = (status: number, notification: string): Verdict => ({
		reply: notTaken(status, notification),
	});
	if (!press) return refused(403, texts.notAllowed);
	// The event of a press does not tell its message if that was deleted meanwhile (wire 4.1).
	const isItsMessage = !message_id || !press.message_id || press.message_id === message_id;
	if (press.question !== id || !isItsMessage) return refused(200, texts.late);
	if (allowed && !allowed.includes(press.user_id)) return refused(200, texts.notAllowed);
	const given = press.written ? written(press.written) : chosen(question, press.choice);
	if (!given) return refused(200, texts.howTo);
	const { user_id, user_name } = press;
	const place = { chat_id: chat_id || press.chat_id, message_id: message_id || press.message_id };
	return {
		reply: { status: 200, body: { taken: true } },
		answer: { ...given, responder: { user_id, user_name }, ...place },
		press,
	};
}

/** The answer that a button gives; `undefined` for a button that gives none. */
function chosen({ kind, labels }: Question, index: number | null): IDataObject | undefined {
	const choice = index === null ? undefined : labels[index];
	if (choice === undefined) return undefined;
	return kind === 'approval' ? { approved: index === 0 } : { choice, index };
}

function written({ message_id, text, attachments }: NonNullable<Press['written']>): IDataObject {
	return { text, attachments: attachments.map(asObject), answer_message_id: message_id };
}

const BROWSER = /^(Mozilla|Opera)\//;

/**
 * Programs that pass for browsers, such as `Mozilla/5.0 (compatible; …; +https://…)`, open links for previews or security
 * scans, and must not answer for a person. Cubot makes phones, and MSIE was a browser.
 */
const ROBOT =
	/(?<!\bcu)bot\b|compatible;(?! MSIE)|https?:|crawl|spider|preview|scan|facebookexternalhit|whatsapp|slack|skype|teams|outlook|lighthouse|headless/i;

/** Headers that mark a browser's prefetch or preview: nobody has opened the link yet. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

function byLink({ method, headers, query }: Request, question: Question): Verdict {
	const agent = headers['user-agent'] ?? '';
	const isAhead = AHEAD.some((name) => /prefetch|preview/i.test(String(headers[name])));
	const isPerson = method === 'GET' && BROWSER.test(agent) && !ROBOT.test(agent) && !isAhead;
	const { texts } = question;
	const index = String(query.choice);
	const answer = /^\d{1,2}$/.test(index) ? chosen(question, Number(index)) : undefined;
	if (!isPerson || !answer) return { reply: notice(200, texts.browserTitle, texts.browser) };
	return { reply: notice(200, texts.thanksTitle, texts.thanks), answer };
}

function byPage({ method, body }: Request, { kind, texts }: Question, page: FormPage): Verdict {
	if (method !== 'POST') return { reply: { status: 200, body: formPage(page) } };
	const submission = readSubmission(page.fields, body);
	if ('wrong' in submission) {
		const fields = submission.wrong.join(', ');
		return { reply: notice(400, texts.missingTitle, fillIn(texts.missing, { fields })) };
	}
	const { values } = submission;
	const answer = kind === 'freeText' ? { text: Object.values(values)[0] } : values;
	return { reply: notice(200, texts.thanksTitle, texts.thanks), answer };
}

/** Resumes the execution with the answer, in the shape that n8n's own nodes output. */
function accept(
	context: IWebhookFunctions,
	{ body }: Reply,
	answer: IDataObject,
): IWebhookResponseData {
	if (typeof body === 'string') context.getResponseObject().set(PAGE_HEADERS);
	const data = { ...answer, respondedAt: new Date().toISOString() };
	return { webhookResponse: body, workflowData: [[{ json: { data } }]] };
}

/** Answers the request; the execution keeps waiting. */
function refuse(context: IWebhookFunctions, { status, body }: Reply): IWebhookResponseData {
	const response = context.getResponseObject().status(status);
	if (typeof body === 'string') response.set(PAGE_HEADERS).send(body);
	else response.json(body);
	return { noWebhookResponse: true };
}

/** Last resort, such as when n8n's database fails: the execution keeps waiting. At a 5xx, the trigger tries again. */
function failed(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	try {
		context.logger.error(`A request to answer a message could not be handled: ${reasonOf(error)}`);
		const isPress = textAt(context.getRequestObject().body, 'press') !== undefined;
		const page = notice(409, 'Not possible at the moment', NOT_NOW);
		return refuse(context, isPress ? notTaken(503, NOT_NOW) : page);
	} catch {
		return { noWebhookResponse: true };
	}
}
