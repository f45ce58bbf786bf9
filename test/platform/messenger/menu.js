import { useLayoutEffect, useRef } from 'preact/hooks';
import { change, store } from './store.js';
import { html, Icon } from './ui.js';

/** Opens a menu beside an element. Items: `{ label, icon, run, danger }`; falsy items are left out. */
export const openMenu = (anchor, items) =>
	change({ menu: { anchor, items: items.filter(Boolean) } });

/** Moves the focus among the items with the arrow keys, wrapping around. */
function moveFocus(event) {
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (step === undefined) return;
	event.preventDefault();
	const items = [...event.currentTarget.children];
	const next = items.indexOf(document.activeElement) + step;
	items.at(next % items.length).focus();
}

/** Places the menu below the anchor if there is room, otherwise above it; always inside the window. */
function place(element, anchor) {
	const { width, height } = element.getBoundingClientRect();
	const left = Math.max(8, Math.min(anchor.right - width, innerWidth - width - 8));
	const below = anchor.bottom + height + 8 < innerHeight;
	element.style.left = `${left}px`;
	element.style.top = `${below ? anchor.bottom + 4 : Math.max(8, anchor.top - height - 4)}px`;
}

/** The open menu. Escape and clicks elsewhere close it and return the focus. */
export function Menu({ menu }) {
	const ref = useRef();
	useLayoutEffect(() => {
		ref.current.showPopover();
		place(ref.current, menu.anchor.getBoundingClientRect());
		ref.current.firstElementChild.focus();
	}, []);
	const closed = ({ newState }) => {
		if (newState === 'closed' && store.menu === menu) change({ menu: undefined });
	};
	const choose = (run) => () => {
		ref.current.hidePopover();
		run();
	};
	const item = ({ label, icon, run, danger }) => html`
		<button
			type="button"
			role="menuitem"
			class=${danger ? 'row danger' : 'row'}
			onClick=${choose(run)}
		>
			<${Icon} name=${icon} />${label}
		</button>
	`;
	return html`
		<div
			ref=${ref}
			class="menu"
			role="menu"
			popover="auto"
			data-testid="menu"
			onToggle=${closed}
			onKeyDown=${moveFocus}
		>
			${menu.items.map(item)}
		</div>
	`;
}
