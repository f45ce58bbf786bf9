export { UploadHost, type UploadHostOptions } from './host';
export {
	DEFAULT_UPLOAD_LIMITS,
	type Media,
	type SyntheticContent,
	type UploadEntry,
	type UploadLimits,
	type UploadType,
} from './types';
