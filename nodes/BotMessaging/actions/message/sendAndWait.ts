import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import { afterFields, responseFields } from '../../wait/fields';
import { pageOptions } from '../../wait/submission';
import { textsField } from '../../wait/texts';
import { limitWaitTimeOption, waitTill } from '../../wait/waitTime';
import { expectAnswer, questionFrom, questionKeyboard } from '../../wait/start';
import {
	disableLinkPreviewOption,
	formatField,
	pushOption,
	textField,
} from '../../form/message/content';
import { forwardOption, messageLink, replyFields } from '../../form/message/link';
import { furtherButtonsFields } from '../../form/message/keyboard';
import { chatRateOption } from '../../form/settings';
import { messageRequest } from '../../form/message/requests';
import { recipientFields } from '../../form/target';
import type { WaitOperation } from '../operation';

/** POST /messages, then the execution waits for a person's answer */
export const operation: WaitOperation = {
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
	startWaiting: async (call) => {
		const { form, service, context } = call;
		const options = form.options;
		const till = waitTill(options, Date.now(), context.getTimezone());
		const question = await questionFrom(call);
		const keyboard = questionKeyboard(call, question);
		const body = {
			...question.asked,
			attachments: [keyboard],
			link: messageLink(call),
			notify: question.notify,
		};
		const sent = await service.request(messageRequest(form, body));
		expectAnswer(call, question, keyboard, sent);
		return till;
	},
};
