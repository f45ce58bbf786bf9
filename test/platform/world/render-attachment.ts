import { createHmac } from 'node:crypto';
import type { JsonObject } from '../json';
import { thumbnailOf } from './placeholders';
import { renderUser } from './render-user';
import type { Bot, Button, MediaAttachment, StoredAttachment } from './types';
import type { World } from './world';

/** An attachment as received. The hash of a contact card is made with the viewing bot's token. */
export function renderAttachment(
	world: World,
	attachment: StoredAttachment,
	viewer?: Bot,
): JsonObject {
	switch (attachment.type) {
		case 'inline_keyboard': {
			const { type, callback_id, buttons } = attachment;
			return {
				type,
				callback_id,
				payload: { buttons: buttons.map((row) => row.map(renderButton)) },
			};
		}
		case 'sticker': {
			const { type, code, media } = attachment;
			const url = mediaUrl(world, { media });
			return { type, payload: { url, code }, width: 256, height: 256 };
		}
		case 'contact': {
			const { vcf_info, person } = attachment;
			const token = viewer?.token;
			const hash = token && createHmac('sha256', token).update(vcf_info).digest('hex');
			const user = person === undefined ? undefined : renderUser(person);
			const payload = { vcf_info, hash, service_info: user };
			return { type: 'contact', payload };
		}
		case 'share': {
			const { type, url, token, ...about } = attachment;
			return { type, payload: { url, token }, ...about };
		}
		case 'location':
			return { ...attachment };
		default:
			return renderMedia(world, attachment);
	}
}

/** The download address of an upload. */
export function mediaUrl(
	world: World,
	{ media, external_url }: Pick<MediaAttachment, 'media' | 'external_url'>,
): string {
	return external_url ?? `${world.base.urls.upload}${media.path}`;
}

function renderMedia(world: World, attachment: MediaAttachment): JsonObject {
	const { type, media } = attachment;
	const { token } = media;
	const url = mediaUrl(world, attachment);
	switch (type) {
		case 'image':
			return { type, payload: { photo_id: media.photoId, token, url } };
		case 'video': {
			const { width, height, duration } = media;
			const thumbnail = { url: mediaUrl(world, { media: thumbnailOf(world, media) }) };
			return { type, payload: { url, token }, thumbnail, width, height, duration };
		}
		case 'audio':
			return { type, payload: { url, token }, transcription: attachment.transcription };
		case 'file':
			return { type, payload: { url, token }, filename: media.fileName, size: media.size };
	}
}

function renderButton(button: Button): JsonObject {
	return button.type === 'callback' ? { ...button, intent: 'default' } : { ...button };
}
