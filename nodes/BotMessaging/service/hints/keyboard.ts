import { messageSent, type Failure, type Hint } from '../failure';
import { LABEL_LIMIT, LONGEST_ROW, LONGEST_WIDE_ROW, MOST_ROWS, PAYLOAD_LIMIT } from '../limits';
import { at, isKeyboard, listAt, textAt } from '../read';

const WIDE = ['link', 'open_app', 'request_contact', 'request_geo_location'];
const TYPES = ['callback', 'clipboard', 'message', ...WIDE];

const APP_PAYLOAD = /^[\w-]{0,512}$/;

/** What is wrong with the keyboard that was sent, and where: the service does not say where. */
function keyboardFlaw(failure: Failure): string | undefined {
	const keyboard = listAt(messageSent(failure), 'attachments').find(isKeyboard);
	const rows = listAt(keyboard, 'payload', 'buttons');
	if (rows.length > MOST_ROWS) return `Inline Keyboard has ${rows.length} rows; ${MOST_ROWS} fit`;
	return rows.map((row, index) => rowFlaw(row, index + 1)).find(Boolean);
}

function rowFlaw(row: unknown, number: number): string | undefined {
	if (!Array.isArray(row)) return `Row ${number} of Inline Keyboard is not a list of buttons`;
	const isWide = row.some((button) => WIDE.includes(textAt(button, 'type') ?? ''));
	const most = isWide ? LONGEST_WIDE_ROW : LONGEST_ROW;
	if (row.length > most) return `Row ${number} has ${row.length} buttons; ${most} fit`;
	return row
		.map((button, index) => buttonFlaw(button, `of row ${number}, button ${index + 1}`))
		.find(Boolean);
}

function buttonFlaw(button: unknown, place: string): string | undefined {
	const type = textAt(button, 'type');
	const text = textAt(button, 'text') ?? '';
	const payload = at(button, 'payload') ?? '';
	if (type === undefined) return `The type ${place} is missing`;
	if (text === '') return `Button Text ${place} is empty`;
	const length = [...text].length;
	if (length > LABEL_LIMIT) {
		return `Button Text ${place} is too long: ${length}, at most ${LABEL_LIMIT}`;
	}
	if (typeof payload !== 'string') return `Payload ${place} is not a text`;
	if (type === 'open_app' && !APP_PAYLOAD.test(payload)) {
		return `App Payload ${place} is not up to 512 letters, digits, underscores and hyphens`;
	}
	if (payload.length > PAYLOAD_LIMIT) {
		return `Payload ${place} is too long: ${payload.length}, at most ${PAYLOAD_LIMIT}`;
	}
	if (!TYPES.includes(type)) return `The service may not know the type ${place}: ${type}`;
	if (type !== 'link') return undefined;
	const url = textAt(button, 'url') ?? '';
	if (url === '') return `URL ${place} is empty`;
	if (/^https?:\/\//i.test(url)) return undefined;
	return `URL ${place} does not begin with http:// or https://`;
}

const LINK_ADDRESS =
	'Give every link button, and every link in a formatted text, a public address that begins with http:// or https://. Names such as localhost, .local or .test are refused. Buttons of Send and Wait lead to this n8n: set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to its public address.';

/** What the service says about inline keyboards (wire 3.8). */
export const KEYBOARD_HINTS: readonly Hint[] = [
	{
		text: /maxRowSize|maxRows/,
		title: (failure) => keyboardFlaw(failure) ?? 'Inline Keyboard is too large',
		advice: `Check 'Inline Keyboard': at most ${MOST_ROWS} rows, ${LONGEST_ROW} buttons in a row, or ${LONGEST_WIDE_ROW} in a row that holds link, app, contact or location buttons.`,
	},
	{
		text: /http\/https links/,
		title: (failure) => keyboardFlaw(failure) ?? 'A link has no public address',
		advice: LINK_ADDRESS,
	},
	{
		// The service says the same about other fields, so the hint fits only if a flaw is found.
		text: /^Field '(?:type|text|payload|url|buttons)'|deserialize body/,
		title: keyboardFlaw,
		advice: (failure) => {
			const flaw = keyboardFlaw(failure);
			if (flaw?.startsWith('URL'))
				return `Correct this button of 'Inline Keyboard'. ${LINK_ADDRESS}`;
			return (
				flaw &&
				`Correct 'Inline Keyboard': a list of rows, each a list of buttons, and each button with its type (${TYPES.join(', ')}) and a text of 1 to ${LABEL_LIMIT} characters.`
			);
		},
	},
];
