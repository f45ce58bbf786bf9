import {
	chunks,
	collectMembers,
	markerOf,
	pagingFields,
	wantedCount,
} from '../../../nodes/BotMessaging/form/paging';
import { operation } from '../../../nodes/BotMessaging/actions/member/getMany';
import type { Service, ServiceAnswer } from '../../../nodes/BotMessaging/service/types';
import { formOf } from '../actions/requests/form';

/** A service that gives these answers, one after another. */
function serve(answers: ServiceAnswer[]) {
	const queries: unknown[] = [];
	const service: Service = {
		connection: { baseUrl: '', botKey: '', token: '', credential: { id: '', name: '', type: '' } },
		request: async ({ query }) => {
			queries.push(query);
			return answers[queries.length - 1] ?? { members: [] };
		},
	};
	return { service, queries };
}

let people = 0;

/** A page of people who were on no page before. */
const page = (size: number, marker?: string | number | null): ServiceAnswer => ({
	members: Array.from({ length: size }, () => ({ user_id: ++people })),
	...(marker !== undefined && { marker }),
});

test('Each page of members is requested with the exact marker of the page before', async () => {
	const big = '9223372036854775807';
	const { service, queries } = serve([page(100, 7), page(100, big), page(3, null)]);
	expect(await collectMembers(service, '/m', Infinity)).toHaveLength(203);
	expect(queries).toEqual([
		{ count: 100, marker: undefined },
		{ count: 100, marker: 7 },
		{ count: 100, marker: big },
	]);
});

test('No more members are requested than wanted', async () => {
	const { service, queries } = serve([page(100, 1), page(20, 2)]);
	expect(await collectMembers(service, '/m', 120)).toHaveLength(120);
	expect(queries).toEqual([
		{ count: 100, marker: undefined },
		{ count: 20, marker: 1 },
	]);
});

test('Members beyond the requested number are dropped', async () => {
	const { service } = serve([page(50, 1)]);
	expect(await collectMembers(service, '/m', 5)).toHaveLength(5);
});

test('A repeated marker ends the list', async () => {
	const { service, queries } = serve([page(100, 1), page(100, 2), page(100, 1), page(100, 2)]);
	await collectMembers(service, '/m', Infinity);
	expect(queries).toHaveLength(3);
});

test('A page without new members ends the list, and nobody is listed twice', async () => {
	const same = page(100, 1);
	const { service, queries } = serve([same, { ...same, marker: 2 }, { ...same, marker: 3 }]);
	expect(await collectMembers(service, '/m', Infinity)).toHaveLength(100);
	expect(queries).toHaveLength(2);
});

test('A marker of 0 is a marker', () => {
	expect(markerOf({ marker: 0 })).toBe(0);
	expect(markerOf({ marker: null })).toBeUndefined();
	expect(markerOf({})).toBeUndefined();
});

test.each([
	[0, []],
	[1, [1]],
	[100, [100]],
	[101, [100, 1]],
	[250, [100, 100, 50]],
])('%i identifiers go out in requests of %j', (size, sizes) => {
	expect(chunks(Array.from({ length: size })).map(({ length }) => length)).toEqual(sizes);
});

describe('Limit', () => {
	const wanted = (values: Record<string, unknown>) => wantedCount(formOf(operation, values));

	it('applies only without Return All', () => {
		expect(wanted({ returnAll: false, limit: 3 })).toBe(3);
		expect(wanted({ returnAll: true, limit: 3 })).toBe(Infinity);
		expect(wanted({ limit: '20' })).toBe(20);
	});

	it.each([0, -1, 1.5, 'many', '', undefined])('is refused when it is %p', (limit) => {
		expect(() => wanted({ limit })).toThrow('Limit is not a');
	});

	it('has the defaults of n8n', () => {
		expect(pagingFields.map(({ name, default: value }) => [name, value])).toEqual([
			['returnAll', false],
			['limit', 50],
		]);
	});
});
