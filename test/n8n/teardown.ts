import './setup';

/** After the last test of this project. */
export default async function tearDown() {
	await globalThis.tearDownN8n?.();
}
