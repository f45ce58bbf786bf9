import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { throwAfter } from '../../service/errors';
import type { ExactJson, JsonObject } from '../../service/json';
import { at } from '../../service/read';
import type { TextPart } from '../../text/rich';
import { attachmentFields } from '../../form/message/attachments';
import { chosenAttachments } from '../../form/message/attachmentList';
import {
	disableLinkPreviewOption,
	formatField,
	messageTexts,
	pushOption,
	splitOption,
	textField,
} from '../../form/message/content';
import { forwardOption, messageLink, replyFields } from '../../form/message/link';
import { keyboardFields, keyboardRows, withKeyboard } from '../../form/message/keyboard';
import { messageQuery, messageRequest } from '../../form/message/requests';
import { recipientFields, recipientKey } from '../../form/target';
import { outputFields, outputOf, simpleMessage } from '../../form/simplify';
import { attachmentOptions } from '../../form/upload';
import type { Call } from '../../form/call';
import type { RunOperation } from '../operation';

/** The fields of a new message, and those that choose the output. */
export const newMessageFields: INodeProperties[] = [
	textField,
	formatField,
	...replyFields,
	...attachmentFields,
	...keyboardFields,
	...outputFields(simpleMessage),
];

/** POST /messages */
export const operation: RunOperation = {
	value: 'send',
	name: 'Send',
	action: 'Send message',
	description: 'Send a message to a chat, a channel or a person',
	fields: [...recipientFields, ...newMessageFields],
	options: [pushOption, forwardOption, disableLinkPreviewOption, splitOption],
	delivery: attachmentOptions,
	lane: recipientKey,
	run: async (call) => {
		// Report a wrong recipient or option before any file is uploaded.
		messageQuery(call.form);
		const bodies = await messageBodies(call, messageTexts(call.form), messageLink(call));
		const { sent } = call;
		for (const body of bodies.slice(sent.length)) {
			sent.push(
				await postMessage(call, body).catch((error: unknown) =>
					throwAfter(sentBefore(sent.length, bodies.length), error),
				),
			);
		}
		return sent;
	},
};

/** The messages for these texts: the link goes with the first, attachments and keyboard with the last. */
export async function messageBodies(
	call: Call,
	texts: Array<Partial<TextPart>>,
	link: ExactJson,
): Promise<JsonObject[]> {
	const { form } = call;
	const keyboard = keyboardRows(form);
	const notify = form.options.flag('notify');
	const attachments = withKeyboard(await chosenAttachments(call), keyboard);
	if (attachments.length === 0 && !link) {
		if (!form.filled('text')) form.options.refuseGivenNothing('forward_message_id');
		form.refuseGivenNothing('text');
	}
	return texts.map((text, index) => ({
		...text,
		link: index === 0 ? link : undefined,
		attachments: index === texts.length - 1 && attachments.length > 0 ? attachments : undefined,
		notify,
	}));
}

export async function postMessage(
	{ form, service }: Call,
	body: JsonObject,
): Promise<INodeExecutionData> {
	const answer = await service.request(messageRequest(form, body));
	return { json: outputOf(form, at(answer, 'message') ?? answer, simpleMessage) };
}

const sentBefore = (sent: number, all: number): string | undefined =>
	sent > 0 ? `${sent} of ${all} parts of the text were sent before.` : undefined;
