import { isExpression } from 'n8n-workflow';
import type { Call } from '../form/call';
import { formatOf, PLAIN } from '../form/message/content';
import { escaped } from '../form/values';
import type { TextFormat } from '../text/format';
import { escapeHtml } from '../text/html';

/** What n8n puts into the message of a human review for the input of the tool: an object, which a text cannot show. */
const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/;

const EXPRESSIONS = /\{\{[^]*?\}\}/g;

/** Characters that show nothing, turn the order of others or begin a line, except those that join letters and emoji. */
const UNSEEN = /(?![\ufe0f\n\u200c\u200d])[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu;

/**
 * Lets the people of a human review see all that the tool would be given, where its message has `{{ $tool.parameters }}`:
 * as JSON, of which no mark or character hides or fakes anything.
 */
export function showToolInput({ form, context, itemIndex }: Call): void {
	const { message } = context.getNode().parameters;
	const templates = isExpression(message) ? message.slice(1).split(TOOL_INPUT) : [];
	if (templates.length < 2) return;
	const read = (template: string): unknown => context.evaluateExpression(template, itemIndex) ?? '';
	const json = JSON.stringify(read('{{ $tool.parameters }}'), null, 1).replace(UNSEEN, escaped);
	const texts = templates.map((template) => String(read(template)));
	// What a person wrote could begin or end code or a tag around the JSON: then no mark in the message counts.
	const sign = formatOf(form) === 'html' ? /</g : /`/g;
	const written = templates.join('').replace(EXPRESSIONS, '').match(sign);
	if (texts.join('').match(sign)?.length !== written?.length) form.replace('format', PLAIN);
	const format = formatOf(form);
	const parts = texts.map((text, index) =>
		index === 0 ? text : asItIs(json, format, templates.slice(0, index).join('')) + text,
	);
	form.replace('message', parts.join(''));
}

/** JSON as it has to be written behind a text of this format in order to be seen as it is. */
function asItIs(json: string, format: TextFormat | undefined, before: string): string {
	if (format === undefined) return json;
	if (format === 'html') return escapeHtml(json);
	const code = json.replaceAll('`', escaped);
	const isWithinCode = before.split('`').length % 2 === 0;
	return isWithinCode ? code : `\n\`\`\`\n${code}\n\`\`\`\n`;
}
