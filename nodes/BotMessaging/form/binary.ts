import type { INodeProperties } from 'n8n-workflow';
import type { FileSource } from '../files/bytes';
import { binarySource } from '../files/fileSource';
import { MEDIA, mediaTypeOf, type MediaType } from '../files/media';
import type { Form } from './form';
import type { Call } from './call';

const FIELDS = 'binary_fields';

/** Which files of the item are meant. */
export const binaryFieldsField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: FIELDS,
	type: 'string',
	default: '',
	placeholder: 'e.g. attachment_0',
	hint: 'The name of the input field containing the file, several separated by commas. Leave it empty for all files of the item.',
	description: 'Fields of the incoming item that hold the files',
};

/** A file and what it is to be sent as. */
export interface ChosenFile {
	source: FileSource;
	type: MediaType;
}

/** The files of the item that the form names, in that order; all of them when it names none. */
export async function chosenFiles({ context, itemIndex }: Call, form: Form): Promise<ChosenFile[]> {
	const present = context.getInputData()[itemIndex]?.binary ?? {};
	const names = Object.keys(present);
	if (form.gaveNothing(FIELDS)) form.refuseEmpty(FIELDS);
	const named = form.texts(FIELDS);
	const missing = named.find((name) => !names.includes(name));
	if (missing !== undefined || names.length === 0) {
		form.refuse(
			FIELDS,
			missing === undefined ? 'finds no file in the item' : `names no file of the item: ${missing}`,
			names.length > 0
				? `This item has files in: ${names.join(', ')}.`
				: 'This item has no files. The node before this one has to give some: of a message they come with Download Attachments.',
		);
	}
	const binaries =
		named.length > 0 ? named.flatMap((name) => present[name] ?? []) : Object.values(present);
	const sources = await Promise.all(
		binaries.map(async (binary) => await binarySource(context, binary)),
	);
	return sources.map((source) => ({ source, type: chosenType(form, source) }));
}

/** The kind of media that the form says, or that the file suggests. */
export function chosenType(form: Form, { mimeType, fileName }: FileSource): MediaType {
	const chosen = form.text('media_type');
	return MEDIA.find(({ type }) => type === chosen)?.type ?? mediaTypeOf(mimeType, fileName);
}
