import type { JsonObject } from '../../service/json';
import type { QueryValue, ServiceRequest } from '../../service/types';
import type { Form } from '../form';
import { chatKeyOfMessage, recipientKey, recipientQuery } from '../target';

/** The query of the request that sends a message: the recipient, and whether links get a preview. */
export const messageQuery = (form: Form): Record<string, QueryValue> => ({
	...recipientQuery(form),
	disable_link_preview: form.options.flag('disable_link_preview'),
});

/** The request that sends a message to the recipient (interface: POST /messages). */
export const messageRequest = (form: Form, body: JsonObject): ServiceRequest => ({
	method: 'POST',
	twice: 'again',
	path: '/messages',
	query: messageQuery(form),
	body,
	chat: recipientKey(form),
});

/** The request that changes a message (interface: PUT /messages). */
export const editRequest = (
	message_id: string,
	body: JsonObject,
	chat = chatKeyOfMessage(message_id),
): ServiceRequest => ({
	method: 'PUT',
	twice: 'same',
	path: '/messages',
	query: { message_id },
	body,
	chat,
});

/** The request that deletes a message (interface: DELETE /messages). */
export const deletionRequest = (message_id: string): ServiceRequest => ({
	method: 'DELETE',
	twice: 'gone',
	path: '/messages',
	query: { message_id },
});

/** The request that answers the press of a button (interface: POST /answers). */
export const answerRequest = (
	callback_id: string,
	body: JsonObject,
	chat: string | undefined,
	disable_link_preview?: boolean,
): ServiceRequest => ({
	method: 'POST',
	twice: 'again',
	path: '/answers',
	query: { callback_id, disable_link_preview },
	body,
	chat,
});
