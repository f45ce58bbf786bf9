/**
 * The floors of the house: what a room may import. Nothing goes up, nor from room to room on one floor, and
 * nothing goes round in a circle. See docs/architecture.md.
 */
const FLOORS = [
	['actions', 'trigger'],
	['wait'],
	['form'],
	['events', 'files'],
	['service', 'text'],
];

/** The floors within a room, below the files that lie in the room itself. */
const INNER_FLOORS = {
	trigger: ['polling', 'dispatch', 'subscription', 'settings'],
};

const room = (name) => `^nodes/BotMessaging/${name}/`;

/** Rooms that stand above or beside the given floor. */
const notBelow = (floor, name) =>
	FLOORS.slice(0, floor + 1)
		.flat()
		.filter((other) => other !== name);

const upward = FLOORS.flatMap((rooms, floor) =>
	rooms.map((name) => ({
		name: `${name}-imports-only-lower-floors`,
		severity: 'error',
		from: { path: room(name) },
		to: { path: [...notBelow(floor, name).map(room), '^nodes/BotMessaging/[^/]+\\.node\\.ts$'] },
	})),
);

const upwardWithin = Object.entries(INNER_FLOORS).flatMap(([outer, floors]) =>
	floors.map((name, floor) => ({
		name: `${outer}-${name}-imports-only-lower-floors`,
		severity: 'error',
		from: { path: room(`${outer}/${name}`) },
		to: {
			path: [
				`${room(outer)}[^/]+$`,
				...floors.slice(0, floor).map((other) => room(`${outer}/${other}`)),
			],
		},
	})),
);

module.exports = {
	forbidden: [
		...upward,
		...upwardWithin,
		{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'no-orphan',
			severity: 'error',
			from: { orphan: true, pathNot: '\\.credentials\\.ts$' },
			to: {},
		},
		{
			name: 'ships-without-tests',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^test/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
