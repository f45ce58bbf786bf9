import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import typescript from '@typescript-eslint/parser';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { defineConfig, globalIgnores } from 'eslint/config';

/**
 * Both of n8n's rule sets for everything that ships. The disabled rules are those that n8n itself disables for
 * community packages, see buildScanConfig in @n8n/scan-community-package.
 */
export default defineConfig(
	globalIgnores(['dist', 'test', 'test-output', '*.js', '*.cjs', '*.mjs']),
	n8nCommunityNodesPlugin.configs.recommended,
	{
		// The latter is one of ESLint's own rules, all of which n8n's `n8n-node lint` applies as well.
		rules: { 'no-console': 'error', 'no-misleading-character-class': 'error' },
		plugins: { 'n8n-nodes-base': nodesBase },
	},
	{ files: ['**/*.ts', '**/*.node.json', 'package.json'], languageOptions: { parser: typescript } },
	{ files: ['package.json'], rules: nodesBase.configs.community.rules },
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...nodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...nodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
