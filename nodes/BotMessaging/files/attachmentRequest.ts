import type { ExactJson } from '../service/json';

type JsonObject = { [key: string]: ExactJson };

const isObject = (value: ExactJson): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys of a payload that name the content: of a list the first one that is there, or all of them. */
interface Shape {
	first?: readonly string[];
	all?: readonly string[];
}

const MEDIA_SHAPE: Shape = { first: ['token', 'photos', 'url'] };

/** What the service takes in the payload of each type (interface: Attachment request, wire 3.7). */
const SHAPES: Readonly<Record<string, Shape>> = {
	image: MEDIA_SHAPE,
	video: MEDIA_SHAPE,
	audio: MEDIA_SHAPE,
	file: MEDIA_SHAPE,
	sticker: { first: ['code'] },
	share: { first: ['url', 'token'] },
	contact: { all: ['name', 'contact_id', 'vcf_info', 'vcf_phone'] },
	inline_keyboard: { all: ['buttons'] },
};

/**
 * An attachment as the service takes it, from one as it is received (wire 3.4), as File → Upload gives it
 * (`{type, token}`), or as it is already taken. What is not known is left as it is, for the service to judge.
 */
export function attachmentRequest(attachment: ExactJson): ExactJson {
	if (!isObject(attachment) || typeof attachment.type !== 'string') return attachment;
	const { type, latitude, longitude } = attachment;
	if (type === 'location') return { type, latitude, longitude };
	const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
	const holder = attachment.payload === undefined ? attachment : attachment.payload;
	if (!shape || !isObject(holder)) return attachment;
	const { first = [], all = [] } = shape;
	const keys = [...first.filter((key) => isGiven(holder[key])).slice(0, 1), ...all].filter((key) =>
		isGiven(holder[key]),
	);
	if (keys.length === 0) return attachment;
	return { type, payload: Object.fromEntries(keys.map((key) => [key, holder[key]])) };
}

const isGiven = (value: ExactJson): boolean => value !== undefined && value !== null;
