/** Where the window is narrow, one column is shown at a time: `chats`, `conversation` or `log`. */
export function showView(view) {
	document.body.dataset.view = view;
	for (const tab of document.querySelectorAll('.tabs button')) {
		tab.setAttribute('aria-current', tab.dataset.view === view ? 'page' : 'false');
	}
}

/** Makes the tabs work. */
export function startViews() {
	for (const tab of document.querySelectorAll('.tabs button')) {
		tab.addEventListener('click', () => showView(tab.dataset.view));
	}
	showView(document.body.dataset.view);
}
