import { randomBytes } from 'crypto';
import { isExpression, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';
import { formatOf, messageText, PLAIN } from '../form/message/content';
import type { Call } from '../form/call';
import type { Form } from '../form/form';
import { collectAdministrators } from '../form/paging';
import { isToUser } from '../form/target';
import { escaped, nodeInExpression } from '../form/values';
import { at, textAt, UNSEEN } from '../service/read';
import type { TextFormat } from '../text/format';
import { escapeHtml } from '../text/html';
import type { TextPart } from '../text/rich';
import {
	afterField,
	ALLOWED_USERS,
	buttonLabelsOf,
	answerPlace,
	REPLACEMENT,
	responseTypeField,
	responderField,
} from './fields';
import type { FormPage } from './page';
import { pageOf } from './submission';
import { textsOf, type Texts } from './texts';
import { waitTill } from './waitTime';

/**
 * What an execution remembers about the question it waits for. Everything that decides about an answer is resolved when
 * the question is sent: nothing that is evaluated later can change who may answer, or what an answer means.
 */
export interface Question {
	/** Random. Buttons and links carry it, so that those of an earlier question of the node have no effect. */
	id: string;
	kind: 'approval' | 'choices' | 'freeText' | 'customForm';
	place: 'chat' | 'page';
	/** IDs of the people who may answer in the chat; `null` for everybody. */
	allowed: string[] | null;
	/** IDs of the message that asks and of its chat; empty when the service did not return them. */
	message_id: string;
	chat_id: string;
	/** When the execution stops waiting for an answer, Unix ms. */
	till: number;
	asked: TextPart;
	/** The chosen format, also of what is shown after the answer; `undefined` for plain text. */
	format?: TextFormat;
	/** Labels of the buttons: of the choices, of which the first approves, or of the one that tells how to answer. */
	labels: string[];
	/** What happens to the message after the answer, and the text for `replace`. */
	after: 'show' | 'keep' | 'buttons' | 'replace' | 'delete';
	replacement: TextPart;
	/** How the message is sent, and changed after the answer; `undefined` leaves it to the service. */
	notify?: boolean;
	disable_link_preview?: boolean;
	texts: Texts;
	/** The page with a free text field or a form; `null` for other answers. */
	page: FormPage | null;
}

const KEY = 'question';

/** Stores the question with the execution in n8n's database, for other processes and after restarts. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node')[KEY] = JSON.stringify(question);
}

/** The question that an execution waits for. An expression: n8n offers a webhook no other way to read a context. */
export function questionOf(context: IWebhookFunctions): Question | undefined {
	const node = nodeInExpression(context.getNode().name);
	const kept = context.evaluateExpression(`{{ ${node}.context.${KEY} }}`);
	const question: Question | undefined = typeof kept === 'string' ? JSON.parse(kept) : undefined;
	return typeof at(question, 'id') === 'string' ? question : undefined;
}

/** The question of a form, but for the IDs of its message and chat. Refused if nobody could answer it. */
export async function readQuestion(call: Call): Promise<Question> {
	const { form, context } = call;
	showToolInput(call);
	const till = waitTill(form.options, Date.now(), context.getTimezone());
	const kind = form.choice(responseTypeField);
	const place = answerPlace(form);
	const after = form.choice(afterField);
	const texts = textsOf(form);
	return {
		id: randomBytes(16).toString('base64url'),
		kind,
		place,
		after,
		texts,
		allowed: place === 'chat' ? await allowedUsers(call) : null,
		message_id: '',
		chat_id: '',
		till: till.getTime(),
		asked: requiredPart(form, 'message'),
		format: formatOf(form),
		labels: buttonLabelsOf(form, texts.howToLabel),
		replacement: after === 'replace' ? requiredPart(form, REPLACEMENT) : { text: '' },
		notify: form.options.flag('notify'),
		disable_link_preview: form.options.flag('disable_link_preview'),
		page: place === 'page' ? pageOf(form, kind, texts.response) : null,
	};
}

/** The value of a required text field, as text and format for the service. */
function requiredPart(form: Form, field: string): TextPart {
	const text = form.requiredText(field);
	return { text, ...messageText(form, field) };
}

/** The IDs of those who may answer. Resolved once: nothing that is evaluated later can let more people answer. */
async function allowedUsers({ form, service }: Call): Promise<string[] | null> {
	const who = form.choice(responderField);
	if (who === 'everyone') return null;
	if (who === 'people') return namedUsers(form);
	// Only dialogs have positive IDs (wire 2).
	if (isToUser(form) || form.id('chat_id') > 0n) {
		form.refuse(
			responderField.name,
			'needs a group chat: a dialog has no administrators',
			"Choose 'Everyone' or 'Named People', or send the question to a group chat.",
		);
	}
	const administrators = await collectAdministrators(form, service);
	const people = administrators.filter((member) => at(member, 'is_bot') !== true);
	const ids = people.map((member) => textAt(member, 'user_id') ?? '').filter(Boolean);
	return ids.length > 0
		? ids
		: form.refuse(
				responderField.name,
				'names nobody: the chat has no administrator besides bots',
				"Choose 'Everyone' or 'Named People', or make a person an administrator of the chat.",
			);
}

function namedUsers(form: Form): string[] {
	const ids = form.ids(ALLOWED_USERS);
	const stranger = ids.find((id) => id <= 0n);
	if (stranger !== undefined) {
		form.refuse(ALLOWED_USERS, `has ${stranger}, which is not the ID of a person`);
	}
	if (ids.length > 0) return ids.map(String);
	return form.refuse(
		ALLOWED_USERS,
		'gives no ID, so the message was not sent',
		"Fill it in, or check what its expression gives. To let everybody answer, choose 'Everyone' in 'Who May Answer'.",
	);
}

/** What n8n puts into the message of a human review for the input of the tool: an object, which a text cannot show. */
const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/;

const EXPRESSIONS = /\{\{[^]*?\}\}/g;

/**
 * Lets the people of a human review see all that the tool would be given, where its message has `{{ $tool.parameters }}`:
 * as JSON, of which no mark or character hides or fakes anything.
 */
function showToolInput({ form, context, itemIndex }: Call): void {
	const { message } = context.getNode().parameters;
	const templates = isExpression(message) ? message.slice(1).split(TOOL_INPUT) : [];
	if (templates.length < 2) return;
	const read = (template: string): unknown => context.evaluateExpression(template, itemIndex) ?? '';
	const json = JSON.stringify(read('{{ $tool.parameters }}'), null, 1).replace(UNSEEN, escaped);
	const texts = templates.map((template) => String(read(template)));
	// What a person wrote could begin or end code or a tag around the JSON: then no mark in the message counts.
	const sign = formatOf(form) === 'html' ? /</g : /`/g;
	const written = templates.join('').replace(EXPRESSIONS, '').match(sign);
	if (texts.join('').match(sign)?.length !== written?.length) form.replace('format', PLAIN);
	const format = formatOf(form);
	const parts = texts.map((text, index) =>
		index === 0 ? text : asItIs(json, format, templates.slice(0, index).join('')) + text,
	);
	form.replace('message', parts.join(''));
}

/** JSON as it has to be written behind a text of this format in order to be seen as it is. */
function asItIs(json: string, format: TextFormat | undefined, before: string): string {
	if (format === undefined) return json;
	if (format === 'html') return escapeHtml(json);
	const code = json.replaceAll('`', escaped);
	const isWithinCode = before.split('`').length % 2 === 0;
	return isWithinCode ? code : `\n\`\`\`\n${code}\n\`\`\`\n`;
}
