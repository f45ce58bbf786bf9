import { placeholder } from '../../world/placeholders';
import type { StoredAttachment } from '../../world/types';
import type { World } from '../../world/world';
import { badRequest, cannotDeserialize } from '../errors';
import type { Fields } from '../fields';
import { readKeyboard } from './keyboard';
import { readImages, readMedia } from './media';

type Reader = (payload: Fields, world: World) => StoredAttachment | StoredAttachment[];

interface PayloadType {
	/** The fields that the payload can have. */
	names: string[];
	read: Reader;
}

/** Readers of the payload by type of attachment. */
const PAYLOADS: Record<string, PayloadType> = {
	image: { names: ['url', 'token', 'photos'], read: readImages },
	// The answer of the upload host is accepted as payload unchanged, hence `fileId` for files.
	video: { names: ['token'], read: (payload, world) => readMedia('video', payload, world) },
	audio: { names: ['token'], read: (payload, world) => readMedia('audio', payload, world) },
	file: { names: ['token', 'fileId'], read: (payload, world) => readMedia('file', payload, world) },
	sticker: { names: ['code'], read: readSticker },
	contact: { names: ['name', 'contact_id', 'vcf_info', 'vcf_phone'], read: readContact },
	share: { names: ['url', 'token'], read: readShare },
	inline_keyboard: { names: ['buttons'], read: readKeyboard },
};

/** Types that allow no other content beside them; keyboards do not count as content. */
const ALONE = ['file', 'sticker', 'contact'];

/**
 * Reads the attachments of a message (wire 3.7). Tokens must exist, match the type and be processed.
 * @throws ApiError with the service's texts
 */
export function readAttachments(list: Fields[], world: World): StoredAttachment[] {
	const attachments = list.flatMap((fields) => {
		const type = fields.text('type') ?? '';
		if (type === 'location') return readLocation(fields.known('type', 'latitude', 'longitude'));
		const { names, read } = payloadOf(type);
		const payload = fields.known('type', 'payload').nested('payload');
		if (payload === undefined) throw cannotDeserialize();
		return read(payload.known(...names), world);
	});
	checkCompany(attachments);
	return attachments;
}

function checkCompany(attachments: StoredAttachment[]): void {
	const content = attachments.filter(({ type }) => type !== 'inline_keyboard');
	if (attachments.length - content.length > 1) {
		throw badRequest('Must be only one inline_keyboard attachment in message');
	}
	const alone = content.find(({ type }) => ALONE.includes(type));
	if (alone !== undefined && content.length > 1) {
		throw badRequest(`Must be only one ${alone.type} attachment in message`);
	}
}

function payloadOf(type: string): PayloadType {
	const known = Object.hasOwn(PAYLOADS, type) ? PAYLOADS[type] : undefined;
	if (known === undefined) throw cannotDeserialize();
	return known;
}

function readSticker(payload: Fields, world: World): StoredAttachment {
	const code = payload.text('code');
	if (!code) throw badRequest("Field 'code' cannot be null");
	return { type: 'sticker', code, media: placeholder(world, `${code}.png`) };
}

function readContact(payload: Fields, world: World): StoredAttachment {
	const name = payload.text('name');
	const phone = payload.text('vcf_phone');
	const card = payload.text('vcf_info');
	const contactId = payload.id('contact_id');
	const person = contactId === undefined ? undefined : world.people.get(contactId);
	if ((card ?? name ?? phone ?? person) === undefined) {
		throw badRequest("Field 'vcf_info' cannot be null");
	}
	const vcf_info = card ?? vCard(name ?? person?.first_name ?? '', phone ?? person?.phone ?? '');
	return { type: 'contact', vcf_info, person };
}

/** A contact card as the service writes it. */
export function vCard(name: string, phone: string): string {
	const tel = phone === '' ? [] : [`TEL;TYPE=cell:${phone.replace(/^\+/, '')}`];
	return ['BEGIN:VCARD', 'VERSION:3.0', ...tel, `FN:${name}`, 'END:VCARD', ''].join('\r\n');
}

function readShare(payload: Fields): StoredAttachment {
	const url = payload.text('url');
	const token = payload.text('token');
	if (url === undefined && token === undefined) {
		throw badRequest('No `url` or `token` provided. Check payload.');
	}
	return { type: 'share', url, token };
}

function readLocation(attachment: Fields): StoredAttachment {
	const latitude = attachment.number('latitude');
	const longitude = attachment.number('longitude');
	if (latitude === undefined) throw badRequest("Field 'latitude' cannot be null");
	if (longitude === undefined) throw badRequest("Field 'longitude' cannot be null");
	return { type: 'location', latitude, longitude };
}
