import { randomBytes } from 'crypto';
import { formatOf, messageText } from '../form/message/content';
import type { Call } from '../form/call';
import type { Form } from '../form/form';
import { collectAdministrators } from '../form/paging';
import { isToUser } from '../form/target';
import { LABEL_LIMIT } from '../service/limits';
import { at, textAt } from '../service/read';
import type { TextPart } from '../text/split';
import {
	afterField,
	ALLOWED_USERS,
	answerInField,
	approvalTypeField,
	CHOICES,
	REPLACEMENT,
	responseTypeField,
	whoField,
} from './fields';
import type { Question } from './question';
import { pageOf } from './submission';
import { textsOf } from './texts';
import { waitTill } from './waitTime';

/** Maximum length of the text for late answers, in UTF-16 code units: the payload of each button contains it. */
const LATE_LIMIT = 150;

function checkLength(form: Form, field: string, length: number, limit: number): void {
	if (length > limit) form.refuse(field, `has ${length} characters, and ${limit} fit`);
}

/** The label of a button, `given` in a field of the form; refused if it is too long. */
export function labelFrom(form: Form, field: string, given: string): string {
	checkLength(form, field, [...given].length, LABEL_LIMIT);
	return given;
}

export const label = (form: Form, field: string, preset: string): string =>
	labelFrom(form, field, form.text(field).trim() || preset);

/**
 * The question of a form, complete except for the ID of its message.
 *
 * @throws NodeOperationError for a field that cannot be used, such as one that lets nobody answer
 */
export async function readQuestion(call: Call): Promise<Question> {
	const { form, context } = call;
	const till = waitTill(form.options, Date.now(), context.getTimezone());
	const kind = form.choice(responseTypeField);
	const place = kind === 'customForm' ? 'page' : form.choice(answerInField);
	const after = form.choice(afterField);
	const texts = textsOf(form);
	checkLength(form, 'late', texts.late.length, LATE_LIMIT);
	return {
		id: randomBytes(16).toString('base64url'),
		kind,
		place,
		after,
		texts,
		allowed: place === 'chat' ? await allowedUsers(call) : null,
		message_id: '',
		till: till.getTime(),
		asked: requiredPart(form, 'message'),
		format: formatOf(form),
		choices: choicesOf(form, kind),
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
	const who = form.choice(whoField);
	if (who === 'everyone') return null;
	if (who === 'people') return namedUsers(form);
	// Only dialogs have positive IDs (wire 2).
	if (isToUser(form) || form.id('chat_id') > 0n) {
		form.refuse(
			whoField.name,
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
				whoField.name,
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

const MOST_CHOICES = 20;

function choicesOf(form: Form, kind: Question['kind']): string[] {
	if (kind === 'approval') {
		const approval = form.part('approvalOptions').part('values');
		const approve = label(approval, 'approveLabel', 'Approve');
		const type = approval.choice(approvalTypeField);
		if (type === 'single') return [approve];
		return [approve, label(approval, 'disapproveLabel', 'Decline')];
	}
	if (kind !== 'choices') return [];
	// Labels on lines of their own may have commas.
	const isLines = String(form.value(CHOICES)).trim().includes('\n');
	const labels = form.texts(CHOICES, isLines ? /\n/ : /,/);
	if (labels.length === 0) form.refuse(CHOICES, 'has no label', 'Fill in at least one.');
	if (labels.length > MOST_CHOICES) {
		form.refuse(CHOICES, `has ${labels.length} labels, and ${MOST_CHOICES} are possible`);
	}
	return labels.map((each) => labelFrom(form, CHOICES, each));
}
