import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The one name that every operation file exports, for the catalogue. */
const CONTRACT = 'operation';

const EXPORT =
	/^export (?:async |abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);

test('No two exports of the package have the same name', () => {
	const places = new Map<string, string[]>();
	for (const file of files) {
		for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(EXPORT)) {
			if (name !== CONTRACT) places.set(name, [...(places.get(name) ?? []), file]);
		}
	}
	expect(places.size).toBeGreaterThan(100);
	expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
});
