import { menuField } from '../../form/fields';
import { mediaTypeChoices } from '../../form/upload';
import type { RequestOperation } from '../operation';

const typeField = menuField(
	'Media Type',
	'type',
	{ default: 'image', description: 'What the file will be attached as' },
	mediaTypeChoices,
);

/** POST /uploads */
export const operation: RequestOperation = {
	value: 'getUploadUrl',
	name: 'Get Upload URL',
	action: 'Get upload URL',
	description: 'Retrieve an address to which one file can be uploaded by other means',
	fields: [typeField],
	request: (form) => ({
		method: 'POST',
		twice: 'same',
		path: '/uploads',
		query: { type: form.choice(typeField) },
	}),
};
