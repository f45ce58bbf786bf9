import { stringField } from '../../form/fields';
import { segment } from '../../form/target';
import type { RequestOperation } from '../operation';

/** GET /videos/{videoToken} */
export const operation: RequestOperation = {
	value: 'getVideo',
	name: 'Get Video',
	action: 'Get video',
	description: 'Retrieve size, length and download addresses of a video',
	fields: [
		stringField('Video Token', 'video', {
			required: true,
			placeholder: 'e.g. {{ $json.attachments[0].payload.token }}',
			description: 'Token of a video from a message, or from File → Upload',
		}),
	],
	request: (form) => ({ method: 'GET', path: `/videos/${segment(form, 'video')}` }),
};
