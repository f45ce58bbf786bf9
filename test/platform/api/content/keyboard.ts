import type { Button, KeyboardAttachment } from '../../world/types';
import type { World } from '../../world/world';
import { badRequest, cannotDeserialize, notFound } from '../errors';
import type { Fields } from '../fields';

const MOST_ROWS = 30;
const LONGEST_ROW = 7;

/** Rows with one of the wide buttons are shorter. */
const LONGEST_WIDE_ROW = 3;

const WIDE = ['link', 'open_app', 'request_contact', 'request_geo_location'];

/** Domains that cannot be reached from the internet (RFC 6761 and similar). */
const SPECIAL_USE = /(?:^|\.)(?:test|local|localhost|invalid|example|internal|onion|home\.arpa)$/;

const IP_ADDRESS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** The fields that a type of button has besides its text, and how to read them. */
interface ButtonType {
	names: string[];
	read: (fields: Fields, world: World) => Partial<Button>;
}

const payload = (fields: Fields) => ({ payload: given(fields, 'payload', 1024) });

const BUTTONS: Record<string, ButtonType> = {
	// The intent is ignored (wire 3.4) but not refused: received buttons carry it.
	callback: { names: ['payload', 'intent'], read: payload },
	clipboard: { names: ['payload'], read: payload },
	link: { names: ['url'], read: (fields) => ({ url: reachable(given(fields, 'url', 2048)) }) },
	request_contact: { names: [], read: () => ({}) },
	request_geo_location: {
		names: ['quick'],
		read: (fields) => ({ quick: fields.flag('quick') ?? false }),
	},
	open_app: { names: ['web_app', 'contact_id', 'payload'], read: openApp },
	message: { names: [], read: () => ({}) },
};

/**
 * Reads the payload of an inline keyboard.
 * @throws ApiError as in wire 3.8
 */
export function readKeyboard(keyboard: Fields, world: World): KeyboardAttachment {
	const rows = keyboard.rows('buttons');
	if (rows === undefined) throw badRequest("Field 'buttons' cannot be null");
	if (rows.length === 0) throw badRequest("Field 'buttons' size (0) must be at least 1");
	if (rows.length > MOST_ROWS) throw badRequest('errors.maxRows');
	const buttons = rows.map((row) => readRow(row, world));
	return { type: 'inline_keyboard', callback_id: '', buttons };
}

function readRow(row: Fields[], world: World): Button[] {
	const buttons = row.map((button) => readButton(button, world));
	if (buttons.length === 0) throw badRequest("Field 'buttons' size (0) must be at least 1");
	const wide = buttons.some(({ type }) => WIDE.includes(type));
	if (buttons.length > (wide ? LONGEST_WIDE_ROW : LONGEST_ROW)) {
		throw badRequest('errors.maxRowSize');
	}
	return buttons;
}

function readButton(fields: Fields, world: World): Button {
	const type = fields.text('type') ?? '';
	const kind = Object.hasOwn(BUTTONS, type) ? BUTTONS[type] : undefined;
	if (kind === undefined) throw cannotDeserialize();
	fields.known('type', 'text', ...kind.names);
	const text = fields.text('text', { min: 1, max: 128 });
	if (text === undefined) throw badRequest("Field 'text' cannot be null");
	return { type, text, ...kind.read(fields, world) };
}

function openApp(fields: Fields, world: World): Partial<Button> {
	const web_app = given(fields, 'web_app', undefined, 'webApp');
	const contact_id = fields.id('contact_id');
	const payload = fields.text('payload', { max: 512, pattern: /^[\w-]*$/ });
	const name = URL.canParse(web_app) ? new URL(web_app).pathname.slice(1) : web_app;
	const registered = [...world.bots.values()].some(({ username }) => username === name);
	if (!registered) throw notFound(`Mini-app ${web_app} not found`);
	return { web_app, contact_id, payload };
}

function given(fields: Fields, name: string, max: number | undefined, as = name): string {
	const text = fields.text(name, { max });
	if (text === undefined) throw badRequest(`Field '${as}' cannot be null`);
	return text;
}

function reachable(url: string): string {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const web = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
	const host = parsed?.hostname ?? '';
	const special = SPECIAL_USE.test(host) || (!host.includes('.') && !IP_ADDRESS.test(host));
	if (!web || special) throw badRequest('Must have only http/https links format in buttons');
	return url;
}
