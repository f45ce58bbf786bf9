import {
	BINARY_IN_JSON_PROPERTY,
	BINARY_MODE_COMBINED,
	type IBinaryData,
	type INodeProperties,
} from 'n8n-workflow';
import { choice, menuField, numberField, sortedChoices, stringField, switchField } from './fields';
import { asObject, at, isObject } from '../service/read';
import { checkUpload, MB, MEDIA, mediaTypeOf, type MediaType } from '../files/media';
import { Upload, type UploadedFile, type UploadSettings } from '../files/upload/upload';
import type { Call } from './call';
import type { Form } from './form';
import { attachmentWaitOption, chatRateOption, deliveryOf, readSettings } from './delivery';
import type { FileSource } from '../files/bytes';
import { binarySource } from '../files/fileSource';

export const mediaTypeChoices = sortedChoices(MEDIA.map(({ name, type }) => choice(name, type)));

export const mediaTypeField = menuField(
	'Media Type',
	'media_type',
	{
		default: 'automatic',
		description:
			'How the file is shown. Automatic follows its MIME type; kinds that the service does not play are sent as files.',
	},
	[choice('Automatic', 'automatic'), ...mediaTypeChoices],
);

const uploadMethodField = menuField('Upload Method', 'upload_method', { default: 'automatic' }, [
	choice('Automatic', 'automatic', 'Multipart up to 50 MB, resumable above'),
	choice(
		'Multipart',
		'multipart',
		'The whole file in one request; after a failure, it starts over',
	),
	choice('Resumable', 'resumable', 'In parts; after a failure, it continues with the last part'),
]);

const partSizeField = numberField('Part Size (MB)', 'part_size_mb', {
	typeOptions: { minValue: 0.01, numberPrecision: 2 },
	default: 32,
	description:
		'Size of the parts of a resumable upload. After a failure, at most one part is sent again. Raised automatically if a file would need more than 900 parts.',
});

/** Technical options of everything that uploads files. */
export const uploadOptions: INodeProperties[] = [
	partSizeField,
	switchField('Upload With Token', 'send_token_to_upload_host', {
		description:
			'Whether to send the access token to the upload host, too. Off by default, because upload addresses are signed and others may run the host.',
	}),
	uploadMethodField,
];

/** Technical options of messages with attachments: for the upload, and for the wait while the service processes it. */
export const attachmentOptions: INodeProperties[] = [
	...uploadOptions,
	chatRateOption,
	attachmentWaitOption,
];

function uploadSettings(form: Form): UploadSettings {
	const options = deliveryOf(form);
	return {
		method: options.choice(uploadMethodField),
		partBytes: (options.number(partSizeField) ?? partSizeField.default) * MB,
		patienceMs: readSettings(form).patienceMs,
		withToken: options.flag('send_token_to_upload_host') ?? false,
	};
}

const FIELDS = 'binary_fields';

export const binaryFieldsField = stringField('Input Data Field Name', FIELDS, {
	placeholder: 'e.g. attachment_0',
	hint: 'The name of the input field containing the file, several separated by commas. Leave it empty for all files of the item.',
	description: 'Fields of the incoming item that hold the files, or one file by an expression',
});

export interface ChosenFile {
	source: FileSource;
	type: MediaType;
}

/** Lenient, because a Code node may leave a field without a file, or a file without its type. */
const isFile = (value: unknown): value is IBinaryData =>
	isObject(value) && ['id', 'data', 'mimeType'].some((key) => Object.hasOwn(value, key));

/** An item's files by field. Its JSON is read only if n8n puts files there; otherwise anybody may have written it. */
function filesOf({ context, itemIndex }: Call): Map<string, IBinaryData> {
	const { json, binary } = context.getInputData()[itemIndex] ?? {};
	const isInJson = context.getWorkflowSettings().binaryMode === BINARY_MODE_COMBINED;
	const inJson = isInJson ? asObject(at(json, BINARY_IN_JSON_PROPERTY)) : {};
	return new Map(
		Object.entries({ ...inJson, ...binary }).flatMap(([name, file]) =>
			isFile(file) ? [[name, file]] : [],
		),
	);
}

/** The files of the item that the form names, in that order; all of them if it names none. */
function namedFiles(form: Form, files: Map<string, IBinaryData>): IBinaryData[] {
	// Like n8n's own nodes, accept an expression that gives a path into the JSON.
	const path = `${BINARY_IN_JSON_PROPERTY}.`;
	const named = form
		.texts(FIELDS)
		.map((name) => (name.startsWith(path) ? name.slice(path.length) : name));
	const all = [...files.keys()];
	const advice =
		all.length > 0
			? `This item has files in: ${all.join(', ')}.`
			: "This item has no files. The node before this one has to output some; Edit Fields does so only with 'Include Other Input Fields'. To get the files of a message, use Download Attachments. If it has done so, 'not_downloaded' in the item tells what was left out and why.";
	const missing = named.find((name) => !files.has(name));
	if (missing !== undefined) form.refuse(FIELDS, `names no file of the item: ${missing}`, advice);
	if (all.length === 0) form.refuse(FIELDS, 'finds no file in the item', advice);
	return (named.length > 0 ? named : all).flatMap((name) => files.get(name) ?? []);
}

/** A file from an expression. n8n leaves out the content if it is in memory, so that it is looked up in the item. */
function withContent(form: Form, given: IBinaryData, files: Map<string, IBinaryData>): IBinaryData {
	if (given.id !== undefined || given.data !== undefined) return given;
	const known = JSON.stringify(given);
	const [found, ...others] = [...files.values()].filter(
		(file) => JSON.stringify({ ...file, data: undefined }) === known,
	);
	if (found && others.length === 0) return found;
	return form.refuse(
		FIELDS,
		'was given a file without its content',
		"Expressions do not get the content of files that n8n keeps in memory. Give the name of the file's field instead.",
	);
}

/** The files that the form chooses: those it names, all of the item, or the one that an expression gives. */
export async function chosenFiles(call: Call, form: Form): Promise<ChosenFile[]> {
	form.refuseGivenNothing(FIELDS);
	const given = form.value(FIELDS);
	const files = filesOf(call);
	const binaries = isFile(given) ? [withContent(form, given, files)] : namedFiles(form, files);
	const sources = await Promise.all(
		binaries.map(async (binary) => await binarySource(call.context, binary)),
	);
	return sources.map((source) => ({ source, type: chosenType(form, source) }));
}

/** The chosen media type, or the one that the file suggests. */
export function chosenType(form: Form, { mimeType, fileName }: FileSource): MediaType {
	const chosen = form.choice(mediaTypeField);
	return chosen === 'automatic' ? mediaTypeOf(mimeType, fileName) : chosen;
}

/** Checks all files, then uploads several at a time. If one fails, its error is thrown after all have ended. */
export async function uploadFiles(
	{ context, service, form }: Call,
	files: ChosenFile[],
): Promise<UploadedFile[]> {
	try {
		const settings = uploadSettings(form);
		for (const { type, source } of files) checkUpload(context, type, source);
		const results = await Promise.allSettled(
			files.map(({ type, source }) => new Upload(context, service, type, source, settings).run()),
		);
		return results.map((result) => {
			if (result.status === 'rejected') throw result.reason;
			return result.value;
		});
	} finally {
		for (const { source } of files) source.close?.();
	}
}
