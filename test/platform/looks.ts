import type axeCore from 'axe-core';
import type { Page } from 'playwright-core';

/** In a page, once it is loaded there. */
declare const axe: typeof axeCore;

/** What keeps people from using a page (WCAG 2, A and AA): the rule, and the element. */
export async function barriers(page: Page): Promise<string[]> {
	await page.addScriptTag({ path: require.resolve('axe-core') });
	return await page.evaluate(async () => {
		const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa'] });
		return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
	});
}

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
