import { botSamples } from './bot';
import { chatSamples } from './chats';
import { contentSamples } from './content';
import type { Sample } from './sample';

export type { Sample } from './sample';

/** One use of every operation that gives its result at once. */
export const samples: Sample[] = [...contentSamples, ...chatSamples, ...botSamples];
