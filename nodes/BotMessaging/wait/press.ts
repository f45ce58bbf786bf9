import { NodeOperationError } from 'n8n-workflow';
import { answerRequest } from '../form/message/requests';
import { chatKeyOfMessage } from '../form/target';
import { BoundedMap } from '../service/boundedMap';
import { openService } from '../service/client';
import { readConnection, type Connection } from '../service/connection';
import { reasonOf } from '../service/failure';
import { nameOf, textAt } from '../service/read';
import { realClock, settledWithin } from '../service/clock';
import { chatOf, identityOf, shapeOf, type Update } from '../events/events';
import { contentOf, isReply } from '../events/output';
import { isExpired, reportPress, type PressContext } from './report';
import { NOT_NOW } from './texts';
import { openTicket, ticketPressed, type Press, type Ticket } from './ticket';
import { trackDecision, mayAnswer, addPending, questionAnswered } from './textAnswers';

/** How long the request that tells a person why their press did nothing is retried, in ms. */
const NOTIFY_PATIENCE_MS = 3000;

/**
 * Passes an answer to Send and Wait on to the waiting execution: a button press, a reply to a question that is answered
 * by writing, or the next message in a dialog with such a question. To be called for each event, before the filters.
 * Resolves to `true` for every press of a Send and Wait button, taken or not, and for a message that was taken; every
 * other event is left to the trigger's workflow. Throws NodeOperationError when the same event may succeed later, for a
 * minute at the most.
 */
export async function passOnPress(context: PressContext, update: Update): Promise<boolean> {
	if (update.update_type === 'message_callback') return await passOnButton(context, update);
	if (update.update_type === 'message_created') return await passOnMessage(context, update);
	return false;
}

async function passOnButton(context: PressContext, update: Update): Promise<boolean> {
	const payload = ticketPressed(update);
	if (payload === undefined) return false;
	return await passOnOnce(context, update, async ({ token }) => {
		const ticket = openTicket(token, payload);
		const refusal = ticket
			? await reportPress(context, ticket, token, pressOf(update, ticket)).catch((error: unknown) =>
					giveUp(context, update, error),
				)
			: outdated(context);
		if (refusal !== undefined) await notify(context, update, refusal);
		return true;
	});
}

/** What to tell a person who presses a button from before the bot's token was replaced; the owner finds it in the log. */
function outdated({ logger }: PressContext): string {
	logger.warn(
		'A button of Send and Wait was pressed that was sent with another access token of the bot, so it cannot answer its question',
	);
	return 'This button no longer works.';
}

/** For how long an answer that cannot be passed on is tried again, in ms; the service delivers it again after a minute. */
const RETRY_MS = 30_000;

/** When answers could not be passed on first, by event, in ms. */
const failedAt = new BoundedMap<string, number>(1000);

/**
 * What to tell a person whose answer was tried long enough: n8n may have been killed while the execution continued, so
 * that it takes none any more. A message is then one like any other. Throws the error while there is hope.
 */
function giveUp(
	context: PressContext,
	update: Update,
	error: unknown,
	beforeRetry?: () => void,
): string {
	const key = identityOf(update);
	const now = realClock.now();
	const since = failedAt.get(key) ?? now;
	failedAt.set(key, since);
	if (now - since < RETRY_MS) {
		beforeRetry?.();
		throw error;
	}
	context.logger.error(`An answer was passed over: ${key}: ${reasonOf(error)}`);
	return NOT_NOW;
}

async function passOnMessage(context: PressContext, update: Update): Promise<boolean> {
	if (!mayAnswer(update) && !passedOn.has(identityOf(update))) return false;
	const passOn = async (connection: Connection): Promise<boolean> =>
		await passOnAnswer(context, connection, update);
	return await trackDecision(chatOf(update) ?? '', passOnOnce(context, update, passOn));
}

async function passOnAnswer(
	context: PressContext,
	connection: Connection,
	update: Update,
): Promise<boolean> {
	const { token, botKey } = connection;
	const asked = await questionAnswered(context, botKey, update);
	const ticket = openTicket(token, asked?.payload);
	// The question is answered by a button, not by a message.
	if (!asked || !ticket || typeof ticket.choice === 'number') return false;
	const answer = pressOf(update, ticket);
	const written = { message_id: answer.message_id, ...contentOf(update.message) };
	const press = { ...answer, message_id: asked.message_id, written };
	// An execution that goes on after the end of its wait looks like one that is about to wait.
	if (!isExpired(ticket)) {
		const refusal = await reportPress(context, ticket, token, press).catch((error: unknown) =>
			giveUp(context, update, error, () => addPending(botKey, press.chat_id, asked)),
		);
		if (refusal === undefined) return true;
	}
	// This question may have timed out while an earlier one of the dialog still waits.
	return !isReply(update.message) && (await passOnAnswer(context, connection, update));
}

/** How long a request of the service waits until n8n has taken an answer, in ms; the service waits 30 s. */
const TAKING_PATIENCE_MS = 25_000;

/** Whether possible answers were taken, by event and bot: the same event can come to several triggers and bots. */
const passedOn = new BoundedMap<string, Map<string, Promise<boolean>>>(1000);

/**
 * Passes an event of the bot on once, however often it comes; one that was not taken is tried again. Resolves to
 * whether it was taken. Throws when that takes too long for the service: the event has to be delivered again.
 */
async function passOnOnce(
	context: PressContext,
	update: Update,
	passOn: (connection: Connection) => Promise<boolean>,
): Promise<boolean> {
	const connection = await readConnection(context);
	const { botKey } = connection;
	const key = identityOf(update);
	const byBot = passedOn.get(key) ?? new Map<string, Promise<boolean>>();
	const before = byBot.get(botKey);
	if (before) return await takenInTime(context, before);
	const taking = passOn(connection);
	passedOn.set(key, byBot.set(botKey, taking));
	void taking
		.catch(() => false)
		.then((isTaken) => {
			if (!isTaken) byBot.delete(botKey);
			if (byBot.size === 0) passedOn.delete(key);
		});
	return await takenInTime(context, taking);
}

async function takenInTime(context: PressContext, taking: Promise<boolean>): Promise<boolean> {
	const isRequest = 'getRequestObject' in context;
	if (isRequest && !(await settledWithin(TAKING_PATIENCE_MS, taking))) {
		throw new NodeOperationError(context.getNode(), 'n8n has not taken an answer yet');
	}
	return await taking;
}

const callbackIdOf = (update: Update): string => textAt(update, 'callback', 'callback_id') ?? '';

/** The answer to a ticket's question, as if by a button: with the message of the event as the one that asks. */
function pressOf(update: Update, { question, choice }: Ticket): Press {
	const shape = shapeOf(update);
	const user = shape?.user(update);
	return {
		question,
		choice,
		time: update.timestamp,
		callback_id: callbackIdOf(update),
		user_id: textAt(user, 'user_id') ?? '',
		user_name: nameOf(user) ?? '',
		chat_id: shape?.chat(update) ?? '',
		message_id: shape?.messageId(update) ?? '',
	};
}

/** Tells the person why a press did nothing. A failure is only logged: the press has been dealt with. */
async function notify(context: PressContext, update: Update, notification: string): Promise<void> {
	try {
		const service = await openService(context, { patienceMs: NOTIFY_PATIENCE_MS });
		const chat = chatKeyOfMessage(shapeOf(update)?.messageId(update) ?? '');
		await service.request(answerRequest(callbackIdOf(update), { notification }, chat));
	} catch (error) {
		context.logger.warn(`A person could not be told why a button did nothing: ${reasonOf(error)}`);
	}
}
