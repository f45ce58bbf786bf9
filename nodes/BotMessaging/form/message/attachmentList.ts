import { isJsonObject, type ExactJson, type JsonObject } from '../../service/json';
import { at, entryOf } from '../../service/read';
import type { Call } from '../call';
import type { Form } from '../form';
import { attachmentsSourceField, kindField, KINDS } from './attachments';
import { rowOfJson } from './keyboard';
import { chosenFiles, uploadFiles } from '../upload';
import { asInteger } from '../values';

/** Something to attach: a finished attachment, or the row of a form that chooses files still to be uploaded. */
type Entry = { attachment: ExactJson } | { files: Form };

/** Refuses a list that is missing, which must not count as the empty list: that removes what a message has. */
export function refuseMissingAttachments(form: Form): void {
	const isJson = form.choice(attachmentsSourceField) === 'json';
	const isMissing = isJson && form.filled('attachments_json') === undefined;
	if (isMissing) form.refuseGivenNothing('attachments_json');
}

/** What the form attaches, in order and without the keyboard. Refuses what nobody can attach, files excepted. */
export function attachmentsGiven(form: Form): Entry[] {
	const source = form.choice(attachmentsSourceField);
	if (source === 'json') {
		const given = form.json('attachments_json') ?? [];
		const list = Array.isArray(given) ? given : [given];
		return list.map((attachment) => ({ attachment: attachmentRequest(attachment) }));
	}
	if (source !== 'list') return [];
	const rows = form.rows('attachments', 'items');
	if (rows.length === 0) {
		form.refuse('attachments', 'has no attachment', "Add at least one, or choose 'None'.");
	}
	return rows.map((row) => {
		const kind = row.choice(kindField);
		const read = KINDS.find(({ value }) => value === kind)?.read;
		return read ? { attachment: read(row) } : { files: row };
	});
}

/** What the form attaches as the service takes it, in the same order. Files are uploaded, several at a time. */
export async function chosenAttachments(call: Call): Promise<ExactJson[]> {
	const chosen = await Promise.all(
		attachmentsGiven(call.form).map(async (entry) =>
			'files' in entry ? await chosenFiles(call, entry.files) : [entry],
		),
	);
	const entries = chosen.flat();
	const files = entries.filter((entry) => 'source' in entry);
	const uploaded = await uploadFiles(call, files);
	return entries.map((entry) => {
		if ('attachment' in entry) return entry.attachment;
		const file = uploaded.shift();
		return { type: file?.type, payload: { token: file?.token } };
	});
}

const MEDIA = [['token'], ['photos'], ['url']];

/** Payload keys by type (interface: Attachment request, wire 3.7): the first set with any key present is sent. */
const PAYLOADS: Readonly<Record<string, string[][]>> = {
	image: MEDIA,
	video: MEDIA,
	audio: MEDIA,
	file: MEDIA,
	sticker: [['code']],
	share: [['url'], ['token']],
	contact: [['name', 'contact_id', 'vcf_info', 'vcf_phone']],
	inline_keyboard: [['buttons']],
};

/**
 * An attachment as the service takes it, converted from one as received (wire 3.4), from the output of File → Upload
 * (`{type, token}`), or from one already in request form. Unknown shapes are passed on for the service to judge.
 */
export function attachmentRequest(attachment: ExactJson): ExactJson {
	if (!isJsonObject(attachment) || typeof attachment.type !== 'string') return attachment;
	const { type, latitude, longitude } = attachment;
	if (type === 'location') return { type, latitude, longitude };
	const payload = attachment.payload === undefined ? attachment : attachment.payload;
	if (!isJsonObject(payload)) return attachment;
	const holder = type === 'contact' ? withContactId(payload) : payload;
	const given = (entryOf(PAYLOADS, type) ?? [])
		.map((keys) => keys.filter((key) => at(holder, key) !== undefined))
		.find((keys) => keys.length > 0);
	if (!given) return attachment;
	const entries = given.map((key) => [key, valueOf(key, holder[key])]);
	return { type, payload: Object.fromEntries(entries) };
}

/** A received card with the ID of its user under the name that requests have for it; the key of the user bears the brand (wire 3.4). */
function withContactId(card: JsonObject): JsonObject {
	const user = Object.values(card).find((part) => at(part, 'user_id') !== undefined);
	return isJsonObject(user) ? { ...card, contact_id: card.contact_id ?? user.user_id } : card;
}

function valueOf(key: string, value: ExactJson): ExactJson {
	if (key === 'contact_id') return asInteger(value);
	return key === 'buttons' && Array.isArray(value) ? value.map(rowOfJson) : value;
}
