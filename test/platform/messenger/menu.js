import { h, icon } from './dom.js';

/** Opens a menu beside an element. Items: `{label, icon, run, danger}`. Escape and clicks elsewhere close it. */
export function openMenu(anchor, items) {
	const menu = h(
		'div',
		{ class: 'menu', role: 'menu', popover: 'auto', 'data-testid': 'menu' },
		items.map(({ label, icon: iconName, run, danger }) =>
			h(
				'button',
				{
					type: 'button',
					role: 'menuitem',
					class: danger ? 'danger' : '',
					on: {
						click: () => {
							menu.hidePopover();
							run();
						},
					},
				},
				icon(iconName),
				label,
			),
		),
	);
	menu.addEventListener('toggle', ({ newState }) => {
		if (newState === 'closed') menu.remove();
	});
	menu.addEventListener('keydown', (event) => moveFocus(menu, event));
	document.body.append(menu);
	menu.showPopover();
	place(menu, anchor.getBoundingClientRect());
	menu.firstElementChild?.focus();
}

function moveFocus(menu, event) {
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (step === undefined) return;
	event.preventDefault();
	const items = [...menu.children];
	const next = items.indexOf(document.activeElement) + step;
	items[(next + items.length) % items.length].focus();
}

/** Below the anchor where there is room, else above it; always inside the window. */
function place(menu, anchor) {
	const { width, height } = menu.getBoundingClientRect();
	const left = Math.max(8, Math.min(anchor.right - width, innerWidth - width - 8));
	const below = anchor.bottom + height + 8 < innerHeight;
	menu.style.left = `${left}px`;
	menu.style.top = `${below ? anchor.bottom + 4 : Math.max(8, anchor.top - height - 4)}px`;
}

/**
 * Asks with a form in a dialog. `fields` are elements with names; resolves to the form's data when it is
 * confirmed, to undefined when not.
 */
export function askForm(title, fields, confirm = 'Create') {
	return new Promise((resolve) => {
		const form = h(
			'form',
			{ method: 'dialog' },
			h('h2', {}, title),
			fields,
			h(
				'div',
				{ class: 'actions' },
				h(
					'button',
					{ type: 'button', class: 'quiet', on: { click: () => dialog.close() } },
					'Cancel',
				),
				h('button', { type: 'submit', class: 'primary', value: 'confirm' }, confirm),
			),
		);
		const dialog = h('dialog', { 'aria-label': title, 'data-testid': 'dialog' }, form);
		dialog.addEventListener('close', () => {
			resolve(dialog.returnValue === 'confirm' ? new FormData(form) : undefined);
			dialog.remove();
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}

/** A labelled field of a form. */
export const field = (label, input) => h('label', { class: 'field' }, h('span', {}, label), input);
