import type { INodeExecutionData } from 'n8n-workflow';
import { choice, menuField, showWhen, stringField } from '../../form/fields';
import { withoutGaps } from '../../events/output';
import { isWebAddress, ONLY_WEB } from '../../files/fileHost';
import { addressSource } from '../../files/fileSource';
import { Semaphore } from '../../files/semaphore';
import {
	binaryFieldsField,
	chosenFiles,
	chosenType,
	mediaTypeField,
	uploadFiles,
	uploadOptions,
	type ChosenFile,
} from '../../form/upload';
import type { Call } from '../../form/call';
import { excerpt } from '../../form/values';
import type { RunOperation } from '../operation';

const sourceField = menuField('File Source', 'file_source', { default: 'binary' }, [
	choice('Input Data', 'binary', 'Files of the incoming item'),
	choice('URL', 'url', 'A file at an address, streamed through'),
]);

/** POST /uploads, then the file to the URL from the answer */
export const operation: RunOperation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload file',
	description: 'Upload a file once, to attach it to any number of messages by its token',
	fields: [
		sourceField,
		...showWhen({ file_source: ['binary'] }, [binaryFieldsField]),
		...showWhen({ file_source: ['url'] }, [
			stringField('File URL', 'file_url', {
				required: true,
				placeholder: 'e.g. https://example.com/report.pdf',
				description: 'Address of the file itself, reachable without a log-in',
			}),
		]),
		mediaTypeField,
	],
	options: [
		stringField('File Name', 'file_name', {
			placeholder: 'e.g. report.pdf',
			description: 'Name that people see, in place of the name the file has',
		}),
	],
	delivery: uploadOptions,
	run: async (call) => {
		const { form } = call;
		// Refused before an address is opened.
		form.choice(mediaTypeField);
		const fileName = form.options.text('file_name').trim();
		return form.choice(sourceField) === 'url'
			? await opened.run(async () => await upload(call, [await fileAtAddress(call)], fileName))
			: await upload(call, await chosenFiles(call, form), fileName);
	},
};

/** Limits how many addresses are open at a time, so that none is opened long before its content can be sent on. */
const opened = new Semaphore(8);

async function upload(
	call: Call,
	files: ChosenFile[],
	fileName: string,
): Promise<INodeExecutionData[]> {
	const named = files.map(({ type, source }) => ({
		type,
		source: fileName ? { ...source, fileName } : source,
	}));
	// A message needs type and token; Attachments JSON takes the item as it is.
	return (await uploadFiles(call, named)).map((file) => ({ json: withoutGaps({ ...file }) }));
}

async function fileAtAddress({ context, form, service }: Call): Promise<ChosenFile> {
	const url = form.requiredText('file_url');
	if (!isWebAddress(url)) {
		form.refuse('file_url', `is not an address of a file: ${excerpt(url)}`, ONLY_WEB);
	}
	const source = await addressSource(context, url, service.connection.trust);
	return { source, type: chosenType(form, source) };
}
