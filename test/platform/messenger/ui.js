import htm from 'htm';
import { Component, h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Markup as a tagged template. Values in it are text, never HTML. */
export const html = htm.bind(h);

/** A view that is redrawn only if one of its props has changed. */
export const memo = (view) =>
	class extends Component {
		shouldComponentUpdate(next) {
			return Object.keys(next).some((name) => next[name] !== this.props[name]);
		}
		render(props) {
			return h(view, props);
		}
	};

/** Outlines on a 24 × 24 grid. */
const ICONS = {
	add: 'M12 5v14M5 12h14',
	app: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
	attach:
		'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.4a1.7 1.7 0 0 1-2.4-2.4L14 7.6',
	back: 'M15 5l-7 7 7 7',
	check: 'M5 12l5 5 9-10',
	close: 'M6 6l12 12M18 6L6 18',
	contact: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-4 4-6 8-6s7 2 8 6',
	copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
	edit: 'M4 20l1-4L16 5l3 3L8 19z',
	file: 'M6 3h8l5 5v13H6zM14 3v5h5',
	link: 'M8 16L18 6M10 5h9v9',
	location: 'M12 21s7-6 7-11a7 7 0 1 0-14 0c0 5 7 11 7 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
	menu: 'M12 5h.01M12 12h.01M12 19h.01',
	message: 'M4 5h16v11H11l-5 4v-4H4z',
	panel: 'M4 5h16v14H4zM14 5v14',
	picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15 10h.01',
	pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
	remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
	reply: 'M10 6l-6 5 6 5v-3c5 0 8 1 10 5 0-6-4-9-10-9z',
	send: 'M4 12l16-8-5 16-3-6z',
	user: 'M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 21c.5-4 3-6 7-6 1.500 0 3 .3 4 1M18 14v6M15 17h6',
	video: 'M8 5l11 7-11 7z',
};

/** An icon, hidden from screen readers. */
export const Icon = ({ name }) => html`
	<svg
		width="20"
		viewBox="0 0 24 24"
		fill="none"
		stroke="currentColor"
		stroke-linecap="round"
		stroke-linejoin="round"
		aria-hidden="true"
	>
		<path d=${ICONS[name]} stroke-width=${name === 'menu' ? 3 : 1.8} />
	</svg>
`;

/** A button with an icon; further props go to the button. */
export const IconButton = ({ icon, label, class: name = '', ...props }) => html`
	<button type="button" class="icon ${name}" aria-label=${label} ...${props}>
		<${Icon} name=${icon} />
	</button>
`;

/** A round picture with a letter; its color is derived from the ID. */
export function Avatar({ id, name }) {
	let hue = 0;
	for (const character of String(id)) hue = (hue * 31 + character.charCodeAt(0)) % 360;
	return html`<span class="avatar" aria-hidden="true" style=${{ '--hue': hue }}
		>${[...name][0].toUpperCase()}</span
	>`;
}

/** A reader within so many pixels of the end counts as being at the end. */
const NEAR = 80;

/** Keeps the element of `ref` scrolled to its end until the reader scrolls up. */
function keeperOf(ref) {
	let follows = true;
	let top = 0;
	const jump = () => {
		if (follows) ref.current.scrollTop = ref.current.scrollHeight;
	};
	const onScroll = () => {
		const { scrollTop, scrollHeight, clientHeight } = ref.current;
		// Growing content also moves the end away; only a reader scrolls up.
		if (scrollHeight - scrollTop - clientHeight < NEAR) follows = true;
		else if (scrollTop < top) follows = false;
		top = scrollTop;
	};
	const follow = (wanted) => {
		follows = wanted;
		jump();
	};
	return { jump, follow, props: { ref, onScroll } };
}

/**
 * Keeps a scrolling element at its end, whatever its content does, until the reader scrolls up. Returns `props` for the
 * element, whose first child is the content, and `follow`, which scrolls to the end or stays put.
 */
export function useEnd() {
	const ref = useRef();
	const [{ jump, ...end }] = useState(() => keeperOf(ref));
	// Once a list has its maximum length, it changes without changing its height.
	useLayoutEffect(jump);
	useLayoutEffect(() => {
		const observer = new ResizeObserver(jump);
		observer.observe(ref.current);
		observer.observe(ref.current.firstElementChild);
		return () => observer.disconnect();
	}, []);
	return end;
}
