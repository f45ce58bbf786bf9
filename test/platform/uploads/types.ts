import type { RequestEntry } from '../journal';

export type UploadType = 'image' | 'video' | 'audio' | 'file';

/** A file that the service has: a bot uploaded it, or a user sent it. */
export interface Media {
	type: UploadType;
	/** What a message names the file by; good for this type only. */
	token: string;
	fileName: string;
	mimeType: string;
	/** Bytes. */
	size: number;
	/** Hexadecimal; empty when hashing is switched off. */
	sha256: string;
	/** Unix ms on the platform's clock. */
	uploadedAt: number;
	/** From when on it can be attached, Unix ms on the platform's clock. */
	readyAt: number;
	/** Where it can be downloaded: path on the upload origin, percent-encoded. */
	path: string;
	photoId?: bigint;
	/** Pixels, where the file tells. */
	width?: number;
	height?: number;
	/** Seconds, where the file tells. */
	duration?: number;
	/** The bytes, when they are few (1 MiB) and were not made up. */
	content?: Buffer;
}

/** Content that is made up when it is read: pseudo-random bytes that are the same for the same seed. */
export interface SyntheticContent {
	/** Bytes. */
	size: number;
	seed: string;
}

/** What the upload origin accepts, and how it behaves where the specification leaves it open. */
export interface UploadLimits {
	/** Largest file of each type, in bytes. */
	bytes: Record<UploadType, number>;
	/** Most pixels along one side of an image. */
	image_side: number;
	/** Longest audio, in seconds; known for WAV only. */
	audio_seconds: number;
	/** Most parts of one resumable upload; absent: any number. */
	fragments?: number;
	/** Extensions that are refused for every type, lower case. */
	forbidden_extensions: string[];
	/** Extensions that files of a type may have; a name without any passes. */
	extensions: Partial<Record<UploadType, readonly string[]>>;
	/** Whether files are hashed; without it the journal and `Media.sha256` show none. */
	hash: boolean;
	/** Whether a part whose connection broke counts as far as it came; otherwise it counts as not sent. */
	keep_partial: boolean;
	/** How the token of an image is told: among `photos`, by a key, or as `token` of the answer. */
	image_answer: 'photos' | 'token';
	/** How long an upload url can be used; absent: for ever. */
	url_lifetime_ms?: number;
}

/** The journal's line about a request to the upload origin. */
export interface UploadEntry extends RequestEntry {
	upload_type?: UploadType;
	/** The file's name exactly as it was written, before any percent-decoding. */
	file_name?: string;
}

/** The interface writes "MB" and "GB"; the platform takes them as powers of 1024, as file managers of most users do. */
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
	hash: true,
	keep_partial: false,
	image_answer: 'photos',
};
