import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import { pageOptions, responseFields } from '../../wait/fields';
import { limitWaitTimeOption, waitTill } from '../../wait/limit';
import { responseKeyboard } from '../../wait/start';
import {
	disableLinkPreviewOption,
	formatField,
	formatOf,
	pushOption,
	textField,
} from '../../form/content';
import { forwardOption, messageLink, replyFields } from '../../form/link';
import { keyboardFields } from '../../form/keyboard';
import { optionsField, OPTIONS } from '../../form/options';
import { recipientFields, recipientKey, recipientQuery } from '../../form/recipient';
import type { WaitOperation } from '../operation';

/** POST /messages, then the execution waits for a person's answer. */
export const operation: WaitOperation = {
	value: SEND_AND_WAIT_OPERATION,
	name: 'Send and Wait for Response',
	action: 'Send a message and wait for response',
	description: 'Send a message and let the workflow wait until a person answers it',
	fields: [
		...recipientFields,
		{ ...textField, displayName: 'Message', name: 'message', required: true },
		formatField,
		...replyFields,
		...responseFields,
		...keyboardFields,
		optionsField([
			pushOption,
			forwardOption,
			...pageOptions,
			disableLinkPreviewOption,
			limitWaitTimeOption,
		]),
	],
	startWaiting: async (call) => {
		const { form, service, context } = call;
		const options = form.part(OPTIONS);
		const till = waitTill(options, Date.now());
		await service.request({
			method: 'POST',
			twice: 'again',
			path: '/messages',
			query: {
				...recipientQuery(form),
				disable_link_preview: options.flag('disable_link_preview'),
			},
			body: {
				text: form.requiredText('message'),
				attachments: [await responseKeyboard(context, form, options)],
				link: messageLink(call),
				notify: options.flag('notify'),
				format: formatOf(form),
			},
			chat: recipientKey(form),
		});
		return till;
	},
};
