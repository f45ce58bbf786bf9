import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Say } from '../../support/command';
import { programPath } from './program';

/** Where screenshots go. Ignored by git; CI keeps them as build output. */
export const SCREENSHOTS = join(__dirname, '..', '..', '..', 'test-output', 'screenshots');

const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/opt/google/chrome/chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--ignore-certificate-errors',
	// No test depends on the internet. Requests are not caught by routes instead, as those turn the browser's cache off.
	'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
];

const LOCAL = ['localhost', '127.0.0.1'];

/** The path of a Chromium or Chrome; if there is none, one is installed for root on Debian. */
export const chromiumPath = async (say: Say): Promise<string> =>
	await programPath(
		{ name: 'Chromium', places: PLACES, variable: 'CHROMIUM', debianPackage: 'chromium' },
		say,
	);

const isForeign = (url: string) => /^https?:/.test(url) && !LOCAL.includes(new URL(url).hostname);

/** A page in a headless browser that records everything that goes wrong in it. */
export class BrowserPage {
	/** Uncaught errors, console errors and refused requests of the page since this was last cleared. */
	problems: string[] = [];

	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
	) {
		page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.message}`));
		page.on('console', (message) => {
			const { url } = message.location();
			if (message.type() !== 'error' || isForeign(url)) return;
			this.problems.push(`console: ${message.text()} (${url})`);
		});
		page.on('response', (response) => {
			if (response.status() >= 400) this.problems.push(`${response.status()} ${response.url()}`);
		});
	}

	/**
	 * Opens an empty page whose screenshots are `scale` times its size. On a computer, unlike on a phone, scroll bars take
	 * room from what is beside them. Local addresses are trusted whatever their certificate; others do not exist, which is
	 * no problem of the page.
	 */
	static async open({
		width = 1440,
		height = 900,
		scale = 1,
		hasScrollBars = false,
	} = {}): Promise<BrowserPage> {
		const executablePath = await chromiumPath(console.error);
		const ignoreDefaultArgs = hasScrollBars ? ['--hide-scrollbars'] : [];
		const browser = await chromium.launch({ executablePath, args: ARGUMENTS, ignoreDefaultArgs });
		const context = await browser.newContext({
			viewport: { width, height },
			deviceScaleFactor: scale,
			// Compressing within one machine only takes time.
			extraHTTPHeaders: { 'accept-encoding': 'identity' },
		});
		context.setDefaultTimeout(60_000);
		// Menus that glide in and out only make tests wait.
		await context.addInitScript(() => {
			const still = new CSSStyleSheet();
			still.replaceSync(
				'*, *::before, *::after { transition: none !important; animation: none !important; }',
			);
			document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
		});
		return new BrowserPage(browser, await context.newPage());
	}

	/** Lets other addresses answer with an empty object. This turns the browser's cache off. */
	async feignInternet() {
		await this.page.context().route(
			({ href }) => isForeign(href),
			(route) => route.fulfill({ json: {}, headers: { 'access-control-allow-origin': '*' } }),
		);
	}

	/** Saves a screenshot as `<name>.png`. */
	async screenshot(name: string) {
		mkdirSync(SCREENSHOTS, { recursive: true });
		await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
	}

	/** A screenshot, as a PNG file. */
	async picture(): Promise<Buffer> {
		return await this.page.screenshot({ animations: 'disabled' });
	}

	async close() {
		await this.browser.close();
	}
}
