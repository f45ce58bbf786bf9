import type { INodeExecutionData } from 'n8n-workflow';
import { choice, menuField, optionsField, showWhen, stringField } from '../../form/fields';
import { addressSource } from '../../files/fileSource';
import { Semaphore } from '../../files/transfers';
import type { UploadedFile } from '../../files/upload/upload';
import {
	binaryFieldsField,
	chosenFiles,
	chosenType,
	mediaTypeField,
	uploadFiles,
	uploadOptions,
	type ChosenFile,
} from '../../form/upload';
import type { Call, Form } from '../../form/form';
import type { RunOperation } from '../operation';

const SOURCE = 'file_source';
const FILE_SOURCES = ['binary', 'url'] as const;

/** POST /uploads, then the file to the url that it gives */
export const operation: RunOperation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload file',
	description: 'Upload a file once, to attach it to any number of messages by its token',
	fields: [
		menuField('File Source', SOURCE, { default: 'binary' }, [
			choice('Input Data', 'binary', 'Files of the incoming item'),
			choice('URL', 'url', 'A file at an address, streamed through'),
		]),
		...showWhen({ [SOURCE]: ['binary'] }, [binaryFieldsField]),
		...showWhen({ [SOURCE]: ['url'] }, [
			stringField('File URL', 'file_url', {
				required: true,
				placeholder: 'e.g. https://example.com/report.pdf',
				description: 'Address of the file itself, reachable without a log-in',
			}),
		]),
		mediaTypeField,
		optionsField([
			stringField('File Name', 'file_name', {
				placeholder: 'e.g. report.pdf',
				description: 'Name that people see, in place of the name the file has',
			}),
		]),
	],
	delivery: uploadOptions,
	run: async (call) =>
		call.form.choice(SOURCE, FILE_SOURCES) === 'url'
			? await opened.run(async () => await upload(call))
			: await upload(call),
};

/** Addresses that are open at a time: none is opened long before its content can be sent on. */
const opened = new Semaphore(8);

async function upload(call: Call): Promise<INodeExecutionData[]> {
	const options = call.form.options;
	const files = (await filesOf(call)).map((file) => named(file, options));
	return (await uploadFiles(call, files)).map(asItem);
}

async function filesOf(call: Call): Promise<ChosenFile[]> {
	const { context, form, service } = call;
	if (form.choice(SOURCE, FILE_SOURCES) !== 'url') return await chosenFiles(call, form);
	const source = await addressSource(
		context,
		form.requiredText('file_url'),
		service.connection.trust,
	);
	return [{ source, type: chosenType(form, source) }];
}

function named({ source, type }: ChosenFile, options: Form): ChosenFile {
	const fileName = options.text('file_name').trim();
	return { type, source: fileName ? { ...source, fileName } : source };
}

/** Type and token are what a message needs; Attachments JSON takes the item as it is. */
const asItem = ({
	type,
	token,
	fileName,
	mimeType,
	size,
	fileId,
}: UploadedFile): INodeExecutionData => ({
	json: {
		type,
		token,
		file_name: fileName,
		mime_type: mimeType,
		size,
		...(fileId !== undefined && { file_id: fileId }),
	},
});
