import type { RequestEntry } from '../journal';

export type UploadType = 'image' | 'video' | 'audio' | 'file';

/** A file that the service stores: uploaded by a bot, or sent by a user. */
export interface Media {
	type: UploadType;
	/** Refers to the file in messages; valid for this type only. */
	token: string;
	fileName: string;
	mimeType: string;
	/** Bytes. */
	size: number;
	/** Hexadecimal. */
	sha256: string;
	/** Unix ms on the platform's clock. */
	uploadedAt: number;
	/** When it can be attached, Unix ms on the platform's clock. */
	readyAt: number;
	/** Download path on the upload origin, percent-encoded. */
	path: string;
	photoId?: bigint;
	/** Pixels, if the file says. */
	width?: number;
	height?: number;
	/** Seconds, if the file says. */
	duration?: number;
	/** The bytes, if there are few (1 MiB) and they were not generated. */
	content?: Buffer;
}

/** Content that is generated when it is read: pseudo-random bytes, the same for the same seed. */
export interface SyntheticContent {
	/** Bytes. */
	size: number;
	seed: string;
}

/** What the upload origin accepts, and how it behaves where the specification leaves this open. */
export interface UploadLimits {
	/** Largest file of each type, in bytes. */
	bytes: Record<UploadType, number>;
	/** Most pixels along one side of an image. */
	image_side: number;
	/** Longest audio, in seconds; known for WAV only. */
	audio_seconds: number;
	/** Most parts of one resumable upload; unlimited if absent. */
	fragments?: number;
	/** Extensions that are refused for every type, lower case. */
	forbidden_extensions: string[];
	/** Extensions allowed for a type; names without extension pass. */
	extensions: Partial<Record<UploadType, readonly string[]>>;
	/** Whether a part whose connection broke counts as far as it came, or not at all. */
	keep_partial: boolean;
	/** Where the answer has the token of an image: in `photos` under a key, or as `token`. */
	image_answer: 'photos' | 'token';
}

/** The journal entry of a request to the upload origin. */
export interface UploadEntry extends RequestEntry {
	upload_type?: UploadType;
	/** The file's name exactly as sent, before any percent-decoding. */
	file_name?: string;
}

/** The interface says "MB" and "GB"; the platform takes them as powers of 1024, as most file managers do. */
const MB = 1024 ** 2;

export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
	bytes: { image: 50 * MB, video: 250 * MB, audio: 256 * MB, file: 4096 * MB },
	image_side: 7_680,
	audio_seconds: 3_600,
	forbidden_extensions: ['exe', 'bat', 'cmd', 'com', 'scr', 'pif', 'msi', 'apk', 'vbs', 'ps1'],
	extensions: {
		image: ['jpg', 'jpeg', 'png', 'gif', 'tif', 'tiff', 'bmp', 'heic'],
		video: ['mp4', 'mov', 'mkv', 'webm'],
		audio: ['mp3', 'wav', 'm4a', 'aac', 'flac', 'ogg', 'oga', 'opus', 'wma', 'amr', 'aiff'],
	},
	keep_partial: false,
	image_answer: 'photos',
};
