import { showWhen, stringField, switchField } from '../../form/fields';
import { disableLinkPreviewOption, pushOption } from '../../form/message/content';
import { linkOptions } from '../../form/message/link';
import { answerRequest } from '../../form/message/requests';
import { chatKey, keyOfChat } from '../../form/target';
import {
	removeTextOption,
	replacementBody,
	replacementFields,
} from '../../form/message/replacement';
import { attachmentOptions } from '../../form/upload';
import type { Call } from '../../form/call';
import { asId } from '../../form/values';
import type { RunOperation } from '../operation';

const REPLACE = 'replace_message';

/** The service wants a notification or a message; a space shows nothing and stops the button's spinner (wire 5.5). */
const SILENT = ' ';

/** POST /answers */
export const operation: RunOperation = {
	value: 'answer',
	name: 'Answer',
	action: 'Answer button press',
	description: 'Show a notification to the person who pressed a button, or replace its message',
	fields: [
		stringField('Callback ID', 'callback_id', {
			required: true,
			placeholder: 'e.g. {{ $json.callback_id }}',
			description: 'The callback_id from the event of the button press',
		}),
		stringField('Chat ID', 'chat_id', {
			placeholder: 'e.g. {{ $json.chat_id }}',
			description:
				'Chat in which the button was pressed: answers count toward the messages per second of this chat. If empty, it is the chat_id of the incoming item.',
		}),
		stringField('Notification', 'notification', {
			placeholder: 'e.g. Saved',
			description:
				'Text that is shown once to the person who pressed the button. Leave it empty to only acknowledge the press, so that the button stops waiting.',
		}),
		switchField('Replace Message', REPLACE, {
			description: 'Whether to replace the message that holds the button',
		}),
		...showWhen({ [REPLACE]: [true] }, replacementFields(['keep', 'replace', 'remove'], 'replace')),
	],
	options: showWhen({ [`/${REPLACE}`]: [true] }, [
		pushOption,
		...linkOptions,
		disableLinkPreviewOption,
		removeTextOption,
	]),
	delivery: attachmentOptions,
	lane: (form) => form.requiredText('callback_id'),
	run: async (call) => {
		const { form, service } = call;
		const callback_id = form.requiredText('callback_id');
		const isReplacing = form.flag(REPLACE);
		const notification = form.text('notification') || (isReplacing ? undefined : SILENT);
		const chat = form.text('chat_id') ? chatKey(form) : chatKeyOfItem(call, callback_id);
		const disableLinkPreview = form.options.flag('disable_link_preview');
		// Last, so that no file is uploaded for an answer that is refused.
		const message = isReplacing ? await replacementBody(call) : undefined;
		const answer = await service.request(
			answerRequest(callback_id, { message, notification }, chat, disableLinkPreview),
		);
		return [{ json: answer }];
	},
};

/**
 * Key of the chat that the item names. n8n adds what is dragged into a field to what the field holds, so 'Chat ID' does not
 * hold this itself. Without a chat, each press gets a key of its own: a refusal then slows down that press, not the bot.
 */
function chatKeyOfItem({ context, itemIndex }: Call, callback_id: string): string {
	const id = asId(context.getInputData()[itemIndex]?.json.chat_id);
	return id === undefined ? `callback ${callback_id}` : keyOfChat(id);
}
