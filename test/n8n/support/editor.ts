import type { Locator } from 'playwright-core';
import { BrowserPage } from './browser';
import type { N8nInstance } from './instance';
import { N8nClient } from './rest';

/** n8n's editor in a browser, in its users' words. */
export class Editor {
	private constructor(
		private readonly browser: BrowserPage,
		private readonly url: string,
	) {}

	/** Logged in as the owner, without n8n's page for that, which takes seconds to load. */
	static async open(
		n8n: Pick<N8nInstance, 'url' | 'ca'>,
		size?: Parameters<typeof BrowserPage.open>[0],
	): Promise<Editor> {
		const client = await N8nClient.open(n8n);
		await client.close();
		const { browserId, cookie } = client.session.user;
		const browser = await BrowserPage.open({ ...size, hasScrollBars: true });
		const { page } = browser;
		const [name = '', value = ''] = cookie.split('=');
		await page.context().addCookies([{ name, value, url: n8n.url }]);
		await page.addInitScript((id) => localStorage.setItem('n8n-browserId', id), browserId);
		return new Editor(browser, n8n.url);
	}

	/**
	 * What went wrong in the page since this was last asked. n8n asks for sample outputs of every node before its first run,
	 * which community nodes need not have: that there are none is no problem.
	 */
	problems(): string[] {
		const usual = /\b404\b.*\/schemas\//;
		return this.browser.problems.splice(0).filter((problem) => !usual.test(problem));
	}

	async screenshot(name: string) {
		await this.browser.screenshot(name);
	}

	/** A screenshot, as a PNG file. */
	async picture(): Promise<Buffer> {
		return await this.browser.picture();
	}

	async close() {
		await this.browser.close();
	}

	/** An element, by n8n's own test ID. */
	mark(id: string, within?: Locator): Locator {
		return (within ?? this.browser.page).locator(`[data-test-id="${id}"]`);
	}

	/** Opens an empty canvas. */
	async newWorkflow() {
		await this.browser.page.goto(`${this.url}/workflow/new`);
		await this.mark('canvas-plus-button').waitFor();
	}

	/** Opens the canvas of a workflow. */
	async openWorkflow(id: string) {
		await this.browser.page.goto(`${this.url}/workflow/${id}`);
		await this.mark('canvas-node').or(this.mark('sticky')).first().waitFor();
	}

	/** Opens the list of a workflow's executions. */
	async openExecutions(id: string) {
		await this.browser.page.goto(`${this.url}/workflow/${id}/executions`);
		await this.executions.first().waitFor();
	}

	/** The entries of the open list of executions. */
	get executions() {
		return this.mark('execution-time');
	}

	/** Closes n8n's recommendations for an active workflow, which cover the canvas. */
	async closeChecklist() {
		const title = this.browser.page.getByText('Production Checklist', { exact: true });
		await title.waitFor();
		await this.browser.page.keyboard.press('Escape');
		await title.waitFor({ state: 'hidden' });
	}

	/** Resolves once the nodes' icons are drawn: those of community nodes come after the canvas. */
	async iconsShown() {
		const icons = this.mark('canvas-node').locator('img');
		await icons.first().waitFor();
		await this.browser.page.waitForFunction(() =>
			[...document.querySelectorAll<HTMLImageElement>('[data-test-id="canvas-node"] img')].every(
				({ complete, naturalWidth }) => complete && naturalWidth > 0,
			),
		);
	}

	/** The texts of those of so many notes on the canvas whose text does not fit. */
	async cutOffNotes(count: number): Promise<string[]> {
		const text = '.sticky-content, [class*=wrapper]';
		for (let note = 0; note < count; note++) {
			await this.mark('sticky').nth(note).locator(text).first().waitFor();
		}
		const notes = this.mark('sticky').locator(text);
		return await notes.evaluateAll((elements) =>
			elements
				.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
				.map(({ textContent }) => textContent ?? ''),
		);
	}

	/** Opens the node panel and searches; resolves to the names it finds. */
	async searchNodes(text: string): Promise<string[]> {
		const empty = this.mark('canvas-plus-button');
		await ((await empty.isVisible()) ? empty : this.mark('node-creator-plus-button')).click();
		await this.mark('node-creator-search-bar').fill(text);
		await this.panelItems.filter({ hasText: text }).first().waitFor();
		return await this.panelItems.allInnerTexts();
	}

	/** The entries of the open node panel. */
	get panelItems() {
		return this.mark('node-creator-item-name', this.mark('node-creator'));
	}

	/** The headings of the open node panel, such as "Actions (3)". */
	get panelSections() {
		return this.mark('node-creator-category-item', this.mark('node-creator'));
	}

	/** Clicks an entry of the node panel. */
	async pick(name: string) {
		await this.panelItems.getByText(name, { exact: true }).click();
	}

	/** The open form of a node. */
	get form() {
		return this.mark('ndv');
	}

	/** The labels in the open form that n8n cuts off. */
	async cutOffLabels(): Promise<string[]> {
		return await this.form.locator('label *').evaluateAll((elements) =>
			elements
				.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
				.filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
				.map(({ textContent }) => textContent ?? ''),
		);
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.browser.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Opens the form of a node on the canvas. */
	async openNode(name: string) {
		await this.node(name).dblclick();
		await this.form.waitFor();
	}

	/** Clicks "Execute step" in the open form. */
	async executeNode() {
		await this.mark('node-execute-button', this.form).click();
	}

	async closeNode() {
		await this.mark('ndv-close-button').click();
		await this.form.waitFor({ state: 'hidden' });
	}

	/** A parameter of the open form, by its name. */
	parameter(name: string, within: Locator = this.form): Locator {
		return this.mark(`parameter-input-${name}`, within);
	}

	/** Types into a text parameter. */
	async fill(name: string, text: string, within?: Locator) {
		await this.parameter(name, within).locator('input, textarea').first().fill(text);
	}

	/** Chooses these labels, too, in a drop-down that takes several; its list stays open meanwhile. */
	async chooseAll(name: string, labels: string[]) {
		const input = this.parameter(name).locator('input').first();
		const chosen = (await this.parameter(name).innerText()).split('\n').map((line) => line.trim());
		await input.click();
		for (const label of labels) {
			if (!chosen.includes(label)) await this.pickOption(new RegExp(`^\\s*${label}`));
		}
		await input.click();
	}

	/** Clicks an entry of the open drop-down list. */
	private async pickOption(label: RegExp | string) {
		await this.browser.page
			.locator('.el-select-dropdown__item:visible, [role=option]:visible')
			.filter({ hasText: label })
			.first()
			.click();
	}

	/** Switches a parameter from fixed value to expression, and types one. */
	async fillExpression(name: string, expression: string) {
		const { keyboard } = this.browser.page;
		const toggle = '*[@data-test-id="radio-button-expression"]';
		await this.parameter(name).hover();
		await this.parameter(name)
			.locator(`xpath=ancestor::*[.//${toggle}][1]//${toggle}`)
			.first()
			.click();
		const text = this.parameter(name).locator('.cm-content');
		await text.click();
		await keyboard.press('ControlOrMeta+A');
		await keyboard.insertText(expression);
		await text.getByText(expression).waitFor();
		// Closes the preview of its value, which may lie over the next field.
		await this.mark('tab-params', this.form).click();
	}

	/** Chooses an existing credential. */
	async chooseCredential(name: string) {
		await this.mark('node-credentials-select', this.form).locator('input').click();
		await this.pickOption(name);
	}

	/** The ID of the open workflow; undefined until n8n has saved a new one. */
	get workflowId(): string | undefined {
		const { pathname } = new URL(this.browser.page.url());
		return /\/workflow\/(?!new)(\w+)/.exec(pathname)?.[1];
	}

	/** Publishes the open workflow as saved. */
	async publish() {
		await this.mark('workflow-open-publish-modal-button').click();
		await this.mark('workflow-publish-button').click();
		await this.mark('workflow-publish-button').waitFor({ state: 'hidden' });
	}

	/** The open form of a credential. */
	get credentialForm() {
		return this.mark('editCredential-modal');
	}

	/** Opens the form of a new credential from the open node form; n8n cannot save it before it has given it a name. */
	async newCredential() {
		const choice = this.mark('node-credentials-select', this.form);
		const connect = this.mark('node-credentials-empty-state', this.form).locator('button');
		await choice.or(connect.first()).first().waitFor();
		if (await choice.isVisible()) {
			await choice.locator('input').click();
			await this.mark('node-credentials-select-item-new').click();
		} else {
			await connect.first().click();
		}
		await this.mark('credential-name', this.credentialForm).waitFor();
	}

	/** Opens the form of the credential chosen in the open node form. */
	async editCredential() {
		await this.mark('credential-edit-button', this.form).click();
		await this.credentialForm.waitFor();
	}

	/** Saves the credential, which makes n8n test it. */
	async saveCredential() {
		await this.mark('credential-save-button').click();
	}
}
