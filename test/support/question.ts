import type { ShownMessage } from '../platform/control';

/** How the browser of a person introduces itself. */
export const BROWSER =
	'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

export interface Button {
	type: string;
	text: string;
	url?: string;
	payload?: string;
}

/** The buttons of a message, row after row. */
export function buttonsOf({ body }: ShownMessage): Button[] {
	const keyboard = body.attachments?.find(({ type }) => type === 'inline_keyboard');
	const payload = keyboard?.payload as { buttons: Button[][] } | undefined;
	return payload?.buttons.flat() ?? [];
}
