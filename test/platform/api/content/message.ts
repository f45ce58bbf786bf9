import { renderText } from '../../markup';
import { linkTo } from '../../world/messages';
import type { Chat, Content, LinkedMessage } from '../../world/types';
import type { World } from '../../world/world';
import { badRequest, cannotDeserialize, chatDenied, notFound } from '../errors';
import type { Fields } from '../fields';
import { readAttachments } from './attachments';

const LONGEST_TEXT = 4000;

/** A message body from a bot; undefined fields were not given and stay unchanged in an edit. */
export interface NewMessage extends Partial<Pick<Content, 'text' | 'markup' | 'attachments'>> {
	link?: { type: LinkedMessage['type']; mid: string };
	notify?: boolean;
}

/**
 * Reads a NewMessageBody (wire 3.6).
 * @throws ApiError 400 with the service's texts
 */
export function readMessage(body: Fields, world: World): NewMessage {
	const attachments = body.objects('attachments');
	return {
		...readText(body),
		link: readLink(body),
		notify: body.flag('notify'),
		attachments: attachments === undefined ? undefined : readAttachments(attachments, world),
	};
}

/** Reads `text` and `format` as plain text and markup. */
export function readText(body: Fields): Partial<Pick<Content, 'text' | 'markup'>> {
	const format = body.text('format')?.toLowerCase();
	if (format !== undefined && format !== 'markdown' && format !== 'html') throw cannotDeserialize();
	const source = body.text('text', { max: LONGEST_TEXT });
	return source === undefined ? {} : renderText(source, format);
}

/**
 * Finds the message of a reply (in the same chat) or a forward (from any chat that the sender sees).
 * @throws ApiError 404 if it does not exist, 403 if it may not be forwarded
 */
export function resolveLink(
	link: NewMessage['link'],
	world: World,
	{ target, sees }: { target: Chat; sees: (origin: Chat) => boolean },
): LinkedMessage | undefined {
	if (link === undefined) return undefined;
	const message = world.message(link.mid);
	const fits = link.type === 'forward' || message?.chat === target;
	if (message === undefined || message.post !== undefined || !fits || !sees(message.chat)) {
		throw notFound(`Message ${link.mid} not found`);
	}
	if (link.type === 'forward' && message.chat.forward_forbidden) {
		throw chatDenied('Forwarding is prohibited in the chat of origin');
	}
	return linkTo(link.type, message);
}

type Shown = Pick<NewMessage, 'text' | 'attachments'> & {
	link?: Pick<LinkedMessage, 'type'>;
};

/** Refuses a message that would show nothing: no visible text, no content, no forward. */
export function checkNotEmpty({ text, attachments, link }: Shown): void {
	const visible = (text ?? '').trim() !== '';
	const content = (attachments ?? []).some(({ type }) => type !== 'inline_keyboard');
	if (visible || content || link?.type === 'forward') return;
	const alone = (attachments ?? []).length > 0;
	throw badRequest(
		alone
			? 'Inline keyboard needs text or another attachment'
			: 'Message has no text or attachments',
	);
}

function readLink(body: Fields): NewMessage['link'] {
	const link = body.nested('link')?.known('type', 'mid');
	if (link === undefined) return undefined;
	const type = link.text('type');
	const mid = link.text('mid', { pattern: /^(?:mid\.)?[\w-]+$/ });
	if (type !== 'reply' && type !== 'forward') throw cannotDeserialize();
	if (mid === undefined) throw badRequest("Field 'mid' cannot be null");
	return { type, mid };
}
