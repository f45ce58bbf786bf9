import { escapeHtml } from '../text/html';

export interface PageField {
	name: string;
	label: string;
	type: string;
	required: boolean;
	choices: string[];
}

export interface FormPage {
	title: string;
	description: string;
	buttonLabel: string;
	fields: PageField[];
}

/** Pages need nothing but their inline style sheet: they run no scripts and load nothing. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy':
		"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
	'Referrer-Policy': 'no-referrer',
	'Cache-Control': 'no-store',
};

/** Texts can be in any language: each runs in the direction of its script (`plaintext`). */
const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { box-sizing: border-box; margin: 0; padding: 1rem; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(31rem, 100%); padding: 1.5rem; overflow-wrap: anywhere; border: 1px solid #8886; border-radius: 12px; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; white-space: pre-wrap; }
label { display: block; margin: 0 0 1rem; font-weight: 600; }
input, select, textarea { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .5rem; font: inherit; font-weight: 400; border: 1px solid #8889; border-radius: 6px; }
input[type=checkbox] { display: inline; width: auto; margin: 0; }
h1, p, label, input, select, textarea, button { unicode-bidi: plaintext; }
button { width: 100%; padding: .625rem; font: inherit; font-weight: 600; color: #fff; background: #3b4cca; border: 0; border-radius: 6px; cursor: pointer; }
`;

const page = (title: string, content: string): string =>
	`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;

export const noticePage = (title: string, text: string): string =>
	page(title, `<p>${escapeHtml(text)}</p>`);

/** A page with a form that posts to its own address. */
export function formPage({ title, description, buttonLabel, fields }: FormPage): string {
	const inputs = fields.map(input).join('');
	return page(
		title,
		`<p>${escapeHtml(description)}</p><form method="post" enctype="multipart/form-data">${inputs}<button type="submit">${escapeHtml(buttonLabel)}</button></form>`,
	);
}

/** The value stands twice: browsers collapse white space in the text of an option. */
const option = (choice: string): string =>
	`<option value="${escapeHtml(choice)}">${escapeHtml(choice)}</option>`;

/** Without them, browsers refuse fractions, and take a year of two digits, which is one of the first century, or of six. */
const BOUNDS: Readonly<Record<string, string>> = {
	number: ' step="any"',
	date: ' min="1000-01-01" max="9999-12-31"',
};

function input({ name, label, type, required, choices }: PageField): string {
	const attributes = `name="${escapeHtml(name)}"${required ? ' required' : ''}`;
	const text = `${escapeHtml(label)}${required ? ' *' : ''}`;
	if (type === 'checkbox') {
		return `<label><input type="checkbox" value="true" ${attributes}> ${text}</label>`;
	}
	if (type === 'textarea') {
		return `<label>${text}<textarea rows="5" ${attributes}></textarea></label>`;
	}
	if (type === 'dropdown') {
		const options = choices.map(option).join('');
		return `<label>${text}<select ${attributes}><option></option>${options}</select></label>`;
	}
	return `<label>${text}<input type="${escapeHtml(type)}"${BOUNDS[type] ?? ''} ${attributes}></label>`;
}
