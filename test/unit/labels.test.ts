import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { BotMessagingApi } from '../../credentials/BotMessagingApi.credentials';
import { catalogue, formFields } from '../../nodes/BotMessaging/actions/catalogue';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../nodes/BotMessaging/BotMessagingTrigger.node';
import { explain, HINTS, toNodeError } from '../../nodes/BotMessaging/service/errors';
import type { Failure } from '../../nodes/BotMessaging/service/failure';
import { NOT_SENT } from '../../nodes/BotMessaging/service/hints/system';
import { nodeOf } from '../support/node';
import { fieldsOf, type Part } from './fields';

const fields = [
	...new BotMessaging().description.properties,
	...new BotMessagingTrigger().description.properties,
	...new BotMessagingApi().properties,
].flatMap((field) => fieldsOf([field]));

/** Labels of several words: one of a single word may be any word of a sentence. */
const labels = [
	...new Set(fields.flatMap(({ displayName, type }) => (type === 'notice' ? [] : displayName))),
].filter((label) => label.includes(' '));

/** Labels in a text that are not in single quotes. */
const bareIn = (text: string): string[] => {
	const rest = text.replace(/'[^']*'/g, '');
	return labels.filter((label) => new RegExp(`\\b${label.replace(/[()]/g, '\\$&')}`).test(rest));
};

describe('Names of fields are in single quotes', () => {
	it.each(
		fields.flatMap(({ displayName, type, description, hint }) =>
			[type === 'notice' ? displayName : undefined, description, hint].flatMap((text) =>
				text === undefined ? [] : [[displayName, text]],
			),
		),
	)('in the help of %s', (_, text) => {
		expect(bareIn(text)).toEqual([]);
	});

	it.each([200, 301, 400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 501, 502, 503, 504])(
		'in the advice for status %i',
		(status) => {
			const failure = { status, code: 'unknown', message: 'Unknown words' };
			expect(bareIn(explain(failure).advice)).toEqual([]);
		},
	);

	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'SELF_SIGNED_CERT_IN_CHAIN'])(
		'in the advice for %s',
		(code) => {
			expect(bareIn(explain({ code, message: 'Unknown words' }).advice)).toEqual([]);
		},
	);

	it.each(
		[...HINTS, ...NOT_SENT].flatMap(({ advice, text }) =>
			typeof advice === 'string' ? [[advice, text]] : [],
		),
	)('in the advice "%s"', (advice) => {
		expect(bareIn(String(advice))).toEqual([]);
	});
});

/** Every label and choice of a form, also without the unit behind it, and what n8n's node panel calls its operations and events. */
const namesOf = (parts: readonly Part[]): string[] =>
	parts.flatMap((part) => {
		if ('values' in part) return [part.displayName, ...namesOf(part.values)];
		if (!('type' in part)) return [part.name, part.action ?? ''];
		const { displayName, options = [] } = part;
		return [displayName, displayName.replace(/ \(.+\)$/, ''), ...namesOf(options)];
	});

/** What a text names in single quotes. */
const namedIn = (text: string, quoted = /'([A-Z][^']*)'/g): string[] =>
	[...text.matchAll(quoted)].map(([, name = '']) => name);

/** The texts in source code, those of templates in pieces. */
function textsIn(source: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node) => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node)
		) {
			texts.push(node.text);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('', source, ts.ScriptTarget.Latest));
	return texts;
}

/** What n8n calls parts of its own. */
const N8N_NAMES =
	'Aggregate|Allowed Domains|Allowed HTTP Request Domains|Always Output Data|Authentication|Community nodes|Conflicting Trigger Path|Continue|Continue (using error output)|Create credential|Execute Once|Execute Sub-workflow|Execution Logic|Expression|Fixed|HTTP Request|Human review|Include Binaries|Include Other Input Fields|Install|Invalid Form Link|Loop Over Items|On Error|Predefined Credential Type|Retry On Fail|Save execution progress|Settings|Specific Domains|Wait|Wait For Sub-Workflow Completion';

describe('What documents and errors name is there', () => {
	const root = join(__dirname, '..', '..');
	const read = (path: string) => readFileSync(join(root, path), 'utf8');
	const list = (folder: string, end: string) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith(end))
			.map((name) => `${folder}/${name}`);

	const texts = list('nodes', '.ts').flatMap((file) =>
		textsIn(read(file)).map((text) => ({ file, text })),
	);
	const names = new Set([
		...namesOf(fields),
		...catalogue.flatMap(({ operations }) => operations.map(({ action }) => action)),
		...list('examples', '.json').map((path) => JSON.parse(read(path)).name),
		...N8N_NAMES.split('|'),
		new BotMessagingApi().displayName,
		// The bot of the demo, and a column of the table.
		'Clerk',
		'Offered by',
	]);
	it('but nothing is called an error or a problem: texts tell what happened, and how to go on', () => {
		const calling = texts.filter(({ text }) => / .*\b(error|problem|mistake)s?\b/i.test(text));
		expect(calling).toEqual([]);
	});

	/** The named things that there are not, each with the file; several may form a path: `Options → Delivery`. */
	const lacking = (file: string, text: string, named: RegExp) =>
		[...text.matchAll(named)]
			.flatMap(([, path = '']) => path.replace(/\s+/g, ' ').split(/ → |: /))
			.filter((name) => !names.has(name))
			.map((name) => `${file}: ${name}`);

	it('in single quotes in the texts of the nodes', () => {
		const quoted = /(?<!\w)'([A-Z][^']*)'/g;
		expect(texts.flatMap(({ file, text }) => lacking(file, text, quoted))).toEqual([]);
	});

	it('in italics in the README, the changelog and in docs, unless they quote an error or what was called so before', () => {
		const italics = /(?<!\w)_([^_]+)_(?!\w)/g;
		const wrong = ['README.md', 'CHANGELOG.md', ...list('docs', '.md')].flatMap((file) => {
			const text = read(file)
				.replace(/^\| Before [^]*?\n\n/m, (table) => table.replace(/^\|[^|]*/gm, ''))
				.replace(/```[^]*?```|`[^`]*`/g, '');
			return lacking(file, text, italics);
		});
		const isError = (words: string) => texts.some(({ text }) => text.startsWith(words));
		expect(wrong.filter((place) => !isError(place.replace(/^.+?: /, '')))).toEqual([]);
	});
});

it.each(['Icon Token', 'Media Token', 'Video Token'])(
	'The help of %s says which operation gives it',
	(label) => {
		const [help, ...others] = fields.flatMap(({ displayName, description }) =>
			displayName === label ? [description] : [],
		);
		expect(help).toContain('File → Upload');
		expect(others.filter((other) => other !== help)).toEqual([]);
	},
);

it.each(
	catalogue.flatMap(({ name, operations }) =>
		operations.map((operation) => ({ title: `${name} → ${operation.name}`, operation })),
	),
)('$title: help texts name only fields of its form', ({ operation }) => {
	const shown = fieldsOf(formFields(operation));
	const known = shown.map(({ displayName }) => displayName);
	const lacking = shown.flatMap(({ description = '' }) => {
		// A choice is named with its field: 'Choice' in 'Field'.
		return namedIn(description, /'([A-Z][^']*)'(?! in ')/g).filter((name) => !known.includes(name));
	});
	expect(lacking).toEqual([]);
});

it.each(
	'action admins alias attachments block buttons callback_id chat_id code commands comment_id contact_id count description format icon latitude limit longitude marker message_id message_ids mid name notification payload permissions pin text timeout title token type types update_types url user_id user_ids'.split(
		' ',
	),
)('A refusal of %s names only fields that there are', (name) => {
	const known = namesOf(fields);
	for (const message of [`Field '${name}' is odd`, `Missing \`${name}\` in it`]) {
		const { advice } = explain({ status: 400, code: 'proto.payload', message });
		expect(namedIn(advice).filter((label) => !known.includes(label))).toEqual([]);
	}
});

describe('Advice after a request of the trigger names only fields of the trigger and of its credential', () => {
	const known = namesOf([
		...new BotMessagingTrigger().description.properties,
		...new BotMessagingApi().properties,
	]);
	const statuses = [200, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504, undefined];
	const failures: Failure[] = [
		...statuses.map((status) => ({ status, code: 'brand.new', message: 'Unknown words' })),
		...(['nothing', 'no object', 'web page', 'redirect'] as const).flatMap((wordless) =>
			statuses.map((status) => ({ status, message: 'No words', wordless })),
		),
		{ status: 200, code: 'too.many.requests', message: 'Too many requests' },
		...[
			'Unknown update type: message_eaten',
			"Field 'types' is invalid",
			"Field 'update_types' size (40) must be at most 20",
			"Field 'url' does not match required pattern",
			'Only https:// urls are supported',
			"Field 'secret' does not match required pattern",
			"Field 'timeout' value (30) must be at most 20",
			"Field 'limit' value (100) must be at most 50",
			'Missing required parameter: url',
			'No subscription for url https://a.example/x',
		].map((message) => ({ status: 400, code: 'proto.payload', message })),
	];

	it.each(failures)('%j', (failure) => {
		const node = nodeOf({ type: 'botMessagingTrigger' });
		const { description } = toNodeError(node, { ...failure, isHarmless: true });
		const own = String(description)
			.replace(/The service said: .*/, '')
			.replace(/'.*' of the action nodes/, '');
		expect(namedIn(own).filter((name) => !known.includes(name))).toEqual([]);
		expect(own).not.toMatch(/chat|Member|sending again/);
	});
});

it('No field starts with an expression, as what is dragged into it would be added to that', () => {
	const prefilled = fields.filter(({ default: preset }) => String(preset).startsWith('='));
	expect(prefilled.map(({ displayName }) => displayName)).toEqual([]);
});

describe('A field for JSON starts empty, so that an expression can be dragged into it, and shows an example', () => {
	const jsonFields = fields.filter(({ type }) => type === 'json');
	expect(jsonFields.length).toBeGreaterThan(4);

	it.each(jsonFields.map((field) => [field.displayName, field]))('%s', (_, field) => {
		expect(field.default).toBe('');
		const [, example = ''] = /^e\.g\. (.+)$/.exec(field.hint ?? '') ?? [];
		expect(JSON.parse(example)).toBeInstanceOf(Object);
	});
});

it.each(
	fields.flatMap(({ displayName, type, placeholder }) =>
		placeholder === undefined || /collection/i.test(type) ? [] : [[displayName, placeholder]],
	),
)('The example in the empty field %s cannot be taken for its content', (_, placeholder) => {
	expect(placeholder).toMatch(/^e\.g\. /);
});

it('The help of a comment says what its ID is called in events and outputs', () => {
	const comments = fields.filter(({ name }) => /comment_id$/.test(name));
	expect(comments.length).toBeGreaterThan(2);
	for (const { description } of comments) expect(description).toContain('message_id');
});

/** Units of numbers, as help texts write them. */
const UNITS = /\b(seconds|minutes|MB)\b/;

it.each(
	fields.flatMap(({ type, displayName, description = '', hint = '' }) => {
		const [unit] = UNITS.exec(description) ?? [];
		return type === 'number' && unit ? [[displayName, hint, unit]] : [];
	}),
)('%s shows its unit without a look at the help', (label, hint, unit) => {
	expect(`${label} ${hint}`.toLowerCase()).toContain(unit.toLowerCase());
});

/**
 * Longest label, in characters, that n8n shows whole beside the scroll bar of a form, by how deep its field lies. Labels
 * of the trigger have more room.
 */
const LONGEST = { action: [40, 24, 20], trigger: [40, 28, 20] };

/** The labels in a form that n8n would cut off. */
const cutOff = (longest: number[], parts: readonly Part[], depth = 0): string[] =>
	parts.flatMap((part) => {
		if ('values' in part) return cutOff(longest, part.values, depth);
		if (!('type' in part) || part.type === 'notice') return [];
		const { displayName, options = [] } = part;
		const isCut = displayName.length > (longest[Math.min(depth, longest.length - 1)] ?? 0);
		return [...(isCut ? [displayName] : []), ...cutOff(longest, options, depth + 1)];
	});

it.each([
	['action', new BotMessaging()],
	['trigger', new BotMessagingTrigger()],
] as const)('n8n shows the labels of the %s node whole', (kind, { description }) => {
	expect([...new Set(cutOff(LONGEST[kind], description.properties))]).toEqual([]);
});

test.each(
	fields.filter(({ type }) => type === 'dateTime').map((field) => [field.displayName, field]),
)(
	'The help of the date %s says in which time zone it is: the picker shows none, and the browser may be in another',
	(_, { description }) => {
		expect(description).toContain("in the workflow's time zone");
	},
);
