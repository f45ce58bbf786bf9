/** Runs in the page: returns elements that scroll sideways, and controls outside the window. */
export function outOfReach(): string[] {
	const all = [...document.querySelectorAll('*')];
	const name = (element: Element) => `${element.tagName} ${element.textContent?.slice(0, 20)}`;
	const wide = all.filter((element) => {
		const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
		const isRoot = element === document.documentElement;
		return (
			(scrolls || isRoot) && !element.matches('pre') && element.scrollWidth > element.clientWidth
		);
	});
	const outside = all.filter((element) => {
		if (!element.matches('button, input, select, textarea, a, summary')) return false;
		const { left, right, width } = element.getBoundingClientRect();
		return width > 0 && (left < 0 || right > innerWidth);
	});
	return [...wide, ...outside].map(name);
}

/** Runs in the page: returns texts whose contrast with their background is below 4.5 (WCAG 2, AA). */
export function faintTexts(): string[] {
	type Color = [number, number, number, number];
	const read = (css: string): Color => {
		const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
		return [red, green, blue, alpha];
	};
	const over = ([r, g, b, a]: Color, below: Color): Color => {
		const mix = (one: number, other: number) => one * a + other * (1 - a);
		return [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 1];
	};
	const ground = (element: Element | null): Color => {
		if (!element) return [255, 255, 255, 1];
		const color = read(getComputedStyle(element).backgroundColor);
		return color[3] === 1 ? color : over(color, ground(element.parentElement));
	};
	const light = ([r, g, b]: Color) => {
		const part = (value: number) =>
			value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
		return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
	};
	const faint: string[] = [];
	for (const element of document.querySelectorAll('body *')) {
		const own = [...element.childNodes].some(
			({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
		);
		if (!own || element.getClientRects().length === 0) continue;
		const below = ground(element);
		const pair = [light(below), light(over(read(getComputedStyle(element).color), below))];
		const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
		if (contrast < 4.5) faint.push(`${contrast.toFixed(1)} ${element.textContent}`);
	}
	return faint;
}
