import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { Form, labelsOf } from '../form/form';
import { readConnection } from '../service/connection';
import { asObject } from '../service/read';
import { ANSWER_IN, responseFields } from './fields';
import { showOutcome, refusePress } from './outcome';
import { formPage, noticePage, PAGE_HEADERS, type PageField } from './page';
import { readPress } from './ticket';

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

/** Programs that open links to show a preview of them, or to look for harm, and must not answer for a person. */
const ROBOT =
	/bot\b|crawl|spider|preview|scan|facebookexternalhit|whatsapp|slack|skype|teams|outlook|curl|wget|python|okhttp|axios|node-fetch|headless/i;

const THANKS = noticePage(
	'Got it, thanks',
	'Your answer was passed on. This page can be closed now.',
);

/**
 * Resumes an execution that waits in Send and Wait: by a link, by a page with a form, or by the press of a button
 * that the trigger passes on. n8n has checked the signature of the address before.
 */
export async function resume(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const responseType = String(this.getNodeParameter('responseType', 'approval'));
	if (responseType !== 'approval') return await answerByPage(this, responseType);
	const inChat = this.getNodeParameter(ANSWER_IN, 'page') === 'chat';
	return inChat ? await answerInChat(this) : answerByLink(this);
}

function answerByLink(context: IWebhookFunctions): IWebhookResponseData {
	const { headers, query } = context.getRequestObject();
	const agent = headers['user-agent'];
	const approved = query.approved;
	if (!agent || ROBOT.test(agent) || (approved !== 'true' && approved !== 'false')) {
		return show(context, noticePage('Answer requested', 'Open this link in a browser to answer.'));
	}
	return done(context, { approved: approved === 'true' }, THANKS);
}

async function answerByPage(
	context: IWebhookFunctions,
	responseType: string,
): Promise<IWebhookResponseData> {
	const fields = responseType === 'freeText' ? FREE_TEXT : customFields(context);
	if (context.getRequestObject().method === 'GET') {
		const option = (name: string): string =>
			String(context.getNodeParameter(`options.${name}`, '') ?? '');
		return show(
			context,
			formPage({
				title: option('responseFormTitle') || 'Answer requested',
				description:
					option('responseFormDescription') || String(context.getNodeParameter('message', '')),
				buttonLabel: option('responseFormButtonLabel') || 'Submit',
				fields,
			}),
		);
	}
	const body = submitted(context);
	const missing = fields.filter(
		({ name, required }) => required && !String(body[name] ?? '').trim(),
	);
	if (missing.length > 0) {
		const labels = missing.map(({ label }) => label).join(', ');
		return show(context, noticePage('Something is missing', `Go back and fill in: ${labels}`), 400);
	}
	const answers = fields.map(({ name, label, type }) => [label, valueOf(type, body[name])]);
	return done(
		context,
		responseType === 'freeText' ? { text: body[fieldName(0)] } : Object.fromEntries(answers),
		THANKS,
	);
}

async function answerInChat(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { token } = await readConnection(context);
	const press = readPress(token, context.getBodyData());
	if (!press) {
		return show(
			context,
			noticePage('Answer in the chat', 'Press a button in the chat to answer.'),
			403,
		);
	}
	const form = new Form(context.getNode(), labelsOf(responseFields), (name) =>
		context.getNodeParameter(name, null),
	);
	const allowed = form.ids('allowed_user_ids').map(String);
	if (allowed.length > 0 && !allowed.includes(press.user_id)) {
		await refusePress(context, press);
		context.getResponseObject().status(200).json({ taken: true });
		return { noWebhookResponse: true };
	}
	await showOutcome(context, press);
	const { approved, user_id, user_name, chat_id, message_id } = press;
	return done(
		context,
		{ approved, responder: { user_id, user_name }, chat_id, message_id },
		{ taken: true },
	);
}

/** The values of a page that was sent off: n8n keeps those of multipart forms in `data`. */
const submitted = (context: IWebhookFunctions): IDataObject =>
	asObject(context.getBodyData().data ?? context.getBodyData());

const fieldName = (index: number): string => `field-${index}`;

const FREE_TEXT: PageField[] = [
	{ name: fieldName(0), label: 'Response', type: 'textarea', required: true, choices: [] },
];

function customFields(context: IWebhookFunctions): PageField[] {
	const form = new Form(context.getNode(), labelsOf(responseFields), (name) =>
		context.getNodeParameter(name, null),
	);
	return form.rows('formFields', 'values').map((row, index) => ({
		name: fieldName(index),
		label: row.text('fieldLabel') || `Field ${index + 1}`,
		type: row.text('fieldType') || 'text',
		required: row.flag('requiredField') === true,
		choices: row.texts('fieldOptions'),
	}));
}

function valueOf(type: string, value: unknown): unknown {
	if (type === 'checkbox') return value === 'true';
	if (type === 'number') return value === undefined || value === '' ? null : Number(value);
	return value ?? '';
}

/** Shows a page without resuming anything. */
function show(context: IWebhookFunctions, html: string, status = 200): IWebhookResponseData {
	context.getResponseObject().status(status).set(PAGE_HEADERS).send(html);
	return { noWebhookResponse: true };
}

/** Lets the execution go on with the answer, in the shape that n8n's own nodes give it. */
function done(
	context: IWebhookFunctions,
	answer: IDataObject,
	webhookResponse: string | IDataObject,
): IWebhookResponseData {
	if (typeof webhookResponse === 'string') context.getResponseObject().set(PAGE_HEADERS);
	const data = { ...answer, respondedAt: new Date().toISOString() };
	return { webhookResponse, workflowData: [[{ json: { data } }]] };
}
