import type { INodeExecutionData } from 'n8n-workflow';
import { identityOf, shapeOf } from '../events/events';
import type { Update } from '../events/update';
import { textAt } from '../service/read';

/**
 * Adds to each item all that its writer wrote in its chat in this execution: the texts in their order, a line each.
 * Items of other events than messages get their own text, or none.
 */
export function addCollectedText(items: INodeExecutionData[], updates: Update[]): void {
	const textsOf = new Map<string, string[]>();
	const texts = updates.map((update) => {
		const shape = shapeOf(update);
		const chat = shape?.chat(update);
		const person = textAt(shape?.user(update), 'user_id');
		const isMessage = update.update_type === 'message_created' && chat !== undefined;
		const writer = isMessage ? JSON.stringify([chat, person]) : identityOf(update);
		const list = textsOf.get(writer) ?? [];
		const text = shape?.text(update);
		if (text) list.push(text);
		textsOf.set(writer, list);
		return list;
	});
	for (const [index, item] of items.entries()) {
		item.json = { ...item.json, collected_text: texts[index]?.join('\n') ?? '' };
	}
}
