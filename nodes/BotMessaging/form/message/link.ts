import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { choice, menuField, showWhen, stringField } from '../fields';
import type { ExactJson } from '../../service/json';
import { textAt } from '../../service/read';
import type { Call } from '../call';
import { messageIdField } from '../target';
import { nodeInExpression } from '../values';

const REPLY_TO = 'reply_to';

const replyIdField = stringField('Reply to Message ID', 'reply_to_message_id', {
	placeholder: messageIdField.placeholder,
	description: 'ID of the message that this one answers',
});

const replyToField = menuField('Reply To', REPLY_TO, { default: 'nothing' }, [
	choice('Message ID', 'id', 'Any message of the chat, by its ID'),
	choice('Nothing', 'nothing', 'The message is not a reply'),
	choice(
		'Triggering Message',
		'trigger',
		'The message that started the workflow, or whose button was pressed',
	),
]);

export const replyFields: INodeProperties[] = [
	replyToField,
	...showWhen({ [REPLY_TO]: ['id'] }, [{ ...replyIdField, required: true }]),
];

/** Forwards a message, below the text or instead of it. */
export const forwardOption = stringField('Forward Message ID', 'forward_message_id', {
	placeholder: messageIdField.placeholder,
	description: 'ID of a message to forward. Some services take no text along with it.',
});

export const linkOptions: INodeProperties[] = [forwardOption, replyIdField];

/** The link of a message (interface: NewMessageLink); `undefined` without one. */
export function messageLink(call: Call): ExactJson {
	const { form } = call;
	const options = form.options;
	const reply = answered(call) ?? options.text('reply_to_message_id').trim();
	const forward = options.text('forward_message_id').trim();
	if (reply && forward) {
		options.refuse(
			'forward_message_id',
			'cannot be combined with a reply',
			'A message either answers another one or forwards it. Remove one of the two.',
		);
	}
	if (reply) return { type: 'reply', mid: reply };
	return forward ? { type: 'forward', mid: forward } : undefined;
}

/** ID of the message to reply to; `undefined` for none. */
function answered(call: Call): string | undefined {
	const choice = call.form.choice(replyToField);
	if (choice === 'id') return call.form.requiredText('reply_to_message_id');
	return choice === 'trigger' ? triggeringMessage(call) : undefined;
}

/** Name of the node whose predecessors led to this run: for a tool, the agent that calls it; otherwise the node itself. */
function placeInFlow(context: IExecuteFunctions): string {
	const { name, type } = context.getNode();
	const caller = textAt(context.getExecuteData(), 'source', 'main', '0', 'previousNode');
	return (type.endsWith('Tool') && caller) || name;
}

/** ID of the message in the trigger event that this item came from. */
function triggeringMessage(call: Call): string {
	const event = triggeringEvent(call);
	return (
		textAt(event, 'message_id') ??
		textAt(event, 'message', 'body', 'mid') ??
		call.form.refuse(
			REPLY_TO,
			'finds no message in the event that started the workflow',
			"Only events of messages and buttons have one; for others choose 'Nothing'. If the trigger outputs selected fields, add 'Message ID' to its 'Fields'.",
		)
	);
}

/** The JSON that the trigger gave for the event that this item came from; `undefined` if no trigger has run. */
function triggeringEvent({ form, context, itemIndex }: Call): unknown {
	const triggers = context
		.getParentNodes(placeInFlow(context))
		.filter(({ type, disabled }) => type.endsWith('botMessagingTrigger') && !disabled);
	if (triggers.length === 0) {
		form.refuse(
			REPLY_TO,
			'finds no Bot Messaging Trigger before this node',
			"Choose 'Message ID' and give the ID of the message.",
		);
	}
	const read = (expression: string): unknown =>
		context.evaluateExpression(`{{ ${expression} }}`, itemIndex);
	// Only one of several triggers has started the workflow; n8n throws if the output of the others is read.
	const output = triggers
		.map(({ name }) => nodeInExpression(name))
		.find((trigger) => read(`${trigger}.isExecuted`) === true);
	if (output === undefined) return undefined;
	const item = `${output}.${read(`${output}.all().length`) === 1 ? 'first()' : 'item'}`;
	try {
		// In n8n's newest Execution Logic, an expression gets the JSON of the item in its place.
		return read(`${item}.json ?? ${item}`);
	} catch {
		return form.refuse(
			REPLY_TO,
			'cannot tell which event this item came from',
			"A node such as Aggregate made it of several events, or does not tell. Keep an item for each event, for example with a Limit node, or choose 'Message ID' and give the ID of the message.",
		);
	}
}
