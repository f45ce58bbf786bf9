/** n8n's rules for nodes: the package has no types of its own. */
declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint, Linter } from 'eslint';
	const plugin: ESLint.Plugin & { configs: { nodes: { rules: Linter.RulesRecord } } };
	export default plugin;
}
