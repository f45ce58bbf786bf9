const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Jest begins with the largest files. Those of the real n8n take longest, whatever their size: they go first, so that the
 * workers end at the same time.
 */
module.exports = class Order extends Sequencer {
	sort(tests) {
		const isLong = ({ context }) => context.config.displayName?.name === 'n8n';
		const sorted = super.sort(tests);
		return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
	}
};
