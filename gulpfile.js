const { dest, parallel, src } = require('gulp');

/** Icons are named by `file:` urls relative to the compiled nodes and credentials. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

/** Codex files stand beside the nodes they describe. */
const codex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

exports.assets = parallel(icons, codex);
