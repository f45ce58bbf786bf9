import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import type { FileSource } from '../files/bytes';
import { binarySource } from '../files/fileSource';
import { MEDIA, mediaTypeOf, type MediaType } from '../files/media';
import type { Form } from './form';
import type { Call } from './call';

const EVERY = '*';

/** Which files of the item are meant. */
export const binaryFieldsField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binary_fields',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file; several separated by commas, or * for all files of the item',
	description: 'Fields of the incoming item that hold the files',
};

/** A file and what it is to be sent as. */
export interface ChosenFile {
	source: FileSource;
	type: MediaType;
}

/** The files of the item that the form names, in that order. */
export async function chosenFiles({ context, itemIndex }: Call, form: Form): Promise<ChosenFile[]> {
	const names = form.texts('binary_fields');
	const own = context.getInputData()[itemIndex]?.binary ?? {};
	const binaries = names.flatMap((name): IBinaryData[] =>
		name === EVERY ? Object.values(own) : [context.helpers.assertBinaryData(itemIndex, name)],
	);
	if (binaries.length === 0) {
		form.refuse(
			'binary_fields',
			names.length === 0 ? 'is empty' : 'finds no file in the item',
			'Name the field that holds the file. The node before this one has to give one.',
		);
	}
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
