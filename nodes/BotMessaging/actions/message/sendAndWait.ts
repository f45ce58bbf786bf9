import {
	NodeOperationError,
	SEND_AND_WAIT_OPERATION,
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { afterFields, responseFields } from '../../wait/fields';
import { pageOptions } from '../../wait/submission';
import { DEFAULT_TEXTS, textsField } from '../../wait/texts';
import { limitWaitTimeOption } from '../../wait/waitTime';
import { keepQuestion, readQuestion, type Question } from '../../wait/question';
import { sealTicket, ticketIn } from '../../wait/ticket';
import { trackDecision, addPending } from '../../wait/textAnswers';
import {
	disableLinkPreviewOption,
	formatField,
	pushOption,
	textField,
} from '../../form/message/content';
import { forwardOption, messageLink, replyFields } from '../../form/message/link';
import { asKeyboard, furtherButtonsFields, keyboardRows } from '../../form/message/keyboard';
import type { Call } from '../../form/call';
import { chunks } from '../../form/paging';
import { chatRateOption } from '../../form/delivery';
import { messageRequest } from '../../form/message/requests';
import { recipientFields, recipientKey } from '../../form/target';
import { chatIn } from '../../events/output';
import type { ExactJson } from '../../service/json';
import { PAYLOAD_LIMIT } from '../../service/limits';
import { at, textAt } from '../../service/read';
import type { RunOperation } from '../operation';

/** POST /messages, then the execution waits for a person's answer */
export const operation: RunOperation = {
	value: SEND_AND_WAIT_OPERATION,
	name: 'Send and Wait for Response',
	action: 'Send message and wait for response',
	description: 'Send a message and pause the workflow until a person answers',
	fields: [
		...recipientFields,
		{
			...textField,
			displayName: 'Message',
			name: 'message',
			required: true,
			placeholder: 'e.g. Shall I place the order?',
		},
		formatField,
		...replyFields,
		...responseFields,
		...afterFields,
		...furtherButtonsFields,
		textsField,
	],
	options: [
		pushOption,
		forwardOption,
		...pageOptions,
		disableLinkPreviewOption,
		limitWaitTimeOption,
	],
	delivery: [chatRateOption],
	once: true,
	run: async (call) => {
		const { form, context } = call;
		refuseWhereNothingWaits(call);
		const question = await readQuestion(call);
		// An answer can be faster than the service's word that the question was sent.
		if (isWritten(question)) await trackDecision(recipientKey(form), ask(call, question));
		else await ask(call, question);
		ownNode(context);
		await context.putExecutionToWait(new Date(question.till));
		return context.getInputData().map(withoutError);
	},
};

/**
 * Gives the run that waits a node of its own: n8n switches off the node of a run that goes on, and with it all further
 * runs that were lined up before, which would pass their input on and ask nobody.
 */
function ownNode(context: IExecuteFunctions): void {
	const run = context.getExecuteData();
	run.node = { ...run.node };
}

/** An item of the input, shown while the execution waits. With an error in it, n8n's Retry On Fail would ask again. */
const withoutError = (item: INodeExecutionData): INodeExecutionData => ({
	...item,
	json: { ...item.json, error: undefined },
});

/**
 * Refuses to ask for an agent that calls its tools itself, without n8n's engine: n8n would let the agent finish, and then
 * wait at the agent's node, where no answer arrives. For a conversation in n8n's Chat with a model (mode `chat`), n8n
 * makes a workflow that it deletes as soon as it waits.
 */
function refuseWhereNothingWaits({ context }: Call): void {
	if (!context.isToolExecution() && context.getMode() !== 'chat') return;
	throw new NodeOperationError(context.getNode(), 'Nobody was asked, as n8n cannot wait here', {
		description:
			"n8n waits for the tools of an AI Agent node from its version 3 on, but not for those of an older one, of an agent that is a tool itself, of an MCP Server Trigger, or of a model in n8n's Chat, nor for a tool that is executed without its agent. Execute such an AI Agent with this tool, or ask in a step of the workflow.",
	});
}

/** Whether a question is answered by a message. */
const isWritten = ({ kind, place }: Question): boolean => kind === 'freeText' && place === 'chat';

/** Sends a question, stores it with the execution, and lets the next message in its dialog answer it. */
async function ask(call: Call, question: Question): Promise<void> {
	const { form, service, context } = call;
	const buttons = answerButtons(call, question);
	const furtherRows = keyboardRows(form) ?? [];
	const body = {
		...question.asked,
		attachments: [asKeyboard([...inRows(buttons, question), ...furtherRows])],
		link: messageLink(call),
		notify: question.notify,
	};
	const filledIn = { ...body, attachments: [asKeyboard(furtherRows)] };
	const sent = await service.request({ ...messageRequest(form, body), filledIn });
	const message_id = textAt(sent, 'message', 'body', 'mid') ?? '';
	const chat_id = chatIn(at(sent, 'message')) ?? '';
	keepQuestion(context, { ...question, message_id, chat_id });
	const payload = ticketIn(body);
	if (!isWritten(question) || chat_id === '' || payload === undefined) return;
	const time = Number(textAt(sent, 'message', 'timestamp')) || 0;
	addPending(service.connection.botKey, chat_id, { payload, message_id, time });
}

/** Rows that do not truncate labels (wire 3.8): two buttons for an approval, one per row for long choices. */
function inRows(buttons: ExactJson[], { kind, labels }: Question): ExactJson[][] {
	const longest = Math.max(...labels.map((label) => label.length));
	const short = longest <= 5 ? 3 : 2;
	return chunks(buttons, kind === 'approval' || longest <= 10 ? short : 1);
}

const SHORTER =
	'Shorten it. A button also holds the address of this n8n, and in some scripts a character takes more room.';

/** The answer buttons of a question: links to n8n, or buttons whose press the trigger passes on. */
function answerButtons({ form, context, service }: Call, question: Question): ExactJson[] {
	const { id, place, labels, texts, till } = question;
	if (place === 'page') {
		return labels.map((text, choice) => ({
			type: 'link',
			text,
			url: context.getSignedResumeUrl({ question: id, choice: String(choice) }),
		}));
	}
	const ticket = {
		url: context.getSignedResumeUrl(),
		question: id,
		late: texts.late === DEFAULT_TEXTS.late ? undefined : texts.late,
		till: till < WAIT_INDEFINITELY.getTime() ? till : undefined,
	};
	return labels.map((text, index) => {
		const choice = isWritten(question) ? null : index;
		const payload = sealTicket(service.connection.token, { ...ticket, choice });
		if (payload.length > PAYLOAD_LIMIT) form.refuse('late', 'does not fit into a button', SHORTER);
		return { type: 'callback', text, payload };
	});
}
