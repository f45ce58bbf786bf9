import {
	collectHistory,
	COMMENT_BOUNDS,
	MESSAGE_BOUNDS,
	type GetPage,
} from '../../../nodes/BotMessaging/form/history';
import { at, textAt } from '../../../nodes/BotMessaging/service/read';

/** A history, newest message first, from the times of its messages, oldest first. */
const history = (times: number[]) =>
	times.map((timestamp, index) => ({ timestamp, body: { mid: `mid.${index}` } })).reverse();

const mids = (messages: unknown[]) => messages.map((message) => textAt(message, 'body', 'mid'));

const range = (size: number, time: (index: number) => number) =>
	Array.from({ length: size }, (_, index) => time(index));

/** A service with this history. Whether the real one includes the bounds of a time span is unknown. */
function serve(messages: ReturnType<typeof history>, countsIn: boolean) {
	const requests: Array<Record<string, unknown>> = [];
	const getPage: GetPage = async (query) => {
		requests.push(query);
		const edge = countsIn ? 0 : 1;
		const before = Number(query.before ?? query.from ?? Infinity) - edge;
		const after = Number(query.after ?? query.to ?? -Infinity) + edge;
		return messages
			.filter(({ timestamp }) => timestamp <= before && timestamp >= after)
			.slice(0, Number(query.count));
	};
	return { getPage, requests };
}

describe.each([
	['includes its bounds', true],
	['excludes its bounds', false],
])('A service that %s', (_name, countsIn) => {
	it.each([
		['far apart', range(250, (index) => 1000 + index * 5)],
		['one millisecond apart', range(250, (index) => 1000 + index)],
		['several in one millisecond', range(250, (index) => 1000 + Math.floor(index / 7))],
		['exactly one page', range(100, (index) => 1000 + index)],
		['exactly two pages', range(200, (index) => 1000 + index)],
		['none', []],
	])('returns all messages once, newest first: %s', async (_times, times) => {
		const all = history(times);
		const { getPage, requests } = serve(all, countsIn);
		expect(mids(await collectHistory(Infinity, MESSAGE_BOUNDS, {}, getPage))).toEqual(mids(all));
		// One more than there are pages: a short page is not necessarily the last one.
		expect(requests.length).toBeLessThanOrEqual(times.length / 90 + 2);
	});

	it.each([
		['leaves deleted messages out of its pages', 100, 7],
		['returns 20 at a time', 20, Infinity],
	])('returns all messages if it %s', async (_what, cap, deleted) => {
		const all = history(range(250, (index) => 1000 + Math.floor(index / 3)));
		const isLeft = (message: unknown) => Number(at(message, 'timestamp')) % deleted !== 0;
		const { getPage } = serve(all, countsIn);
		const short: GetPage = async (query) =>
			(await getPage({ ...query, count: Math.min(cap, Number(query.count)) })).filter(isLeft);
		const found = await collectHistory(Infinity, MESSAGE_BOUNDS, {}, short);
		expect(mids(found)).toEqual(mids(all.filter(isLeft)));
	});

	it.each([1, 3, 99, 100, 101, 120, 200])(
		'returns the newest %i if many in a row were deleted',
		async (wanted) => {
			const all = history(range(250, (index) => 1000 + index));
			// The newest 20 are among them.
			const isLeft = (message: unknown) => Number(at(message, 'timestamp')) % 60 < 30;
			const { getPage } = serve(all, countsIn);
			const short: GetPage = async (query) => (await getPage(query)).filter(isLeft);
			const found = await collectHistory(wanted, MESSAGE_BOUNDS, {}, short);
			expect(mids(found)).toEqual(mids(all.filter(isLeft)).slice(0, wanted));
		},
	);

	it('is read to its end even if a message has no time', async () => {
		const all = history(range(250, (index) => 1000 + index));
		const { getPage } = serve(all, countsIn);
		const isOdd = (message: unknown) => textAt(message, 'body', 'mid') === 'mid.200';
		const withoutTime: GetPage = async (query) =>
			(await getPage(query)).map((each) => (isOdd(each) ? { body: at(each, 'body') } : each));
		const found = await collectHistory(Infinity, MESSAGE_BOUNDS, {}, withoutTime);
		expect(mids(found)).toEqual(mids(all));
	});

	it('is read to its end even if a whole page lies within one millisecond', async () => {
		const all = history([...range(10, (index) => index), ...range(150, () => 5000)]);
		const { getPage } = serve(all, countsIn);
		const found = mids(await collectHistory(Infinity, MESSAGE_BOUNDS, {}, getPage));
		expect(found.slice(0, 100)).toEqual(mids(all).slice(0, 100));
		expect(found.slice(-10)).toEqual(mids(all).slice(-10));
	});
});

test.each([
	['messages', MESSAGE_BOUNDS, ['from', 'to']],
	['comments', COMMENT_BOUNDS, ['before', 'after']],
])(
	'Every request for a page of %s carries the time span',
	async (_what, bounds, [latest, earliest]) => {
		const all = history(range(250, (index) => 1000 + index));
		const { getPage, requests } = serve(all, true);
		const found = await collectHistory(Infinity, bounds, { until: 1200, since: 1050 }, getPage);
		expect(found.map((message) => at(message, 'timestamp'))).toEqual(
			range(151, (index) => 1200 - index),
		);
		expect(requests).toEqual([
			{ count: 100, [latest ?? '']: 1200, [earliest ?? '']: 1050 },
			{ count: 100, [latest ?? '']: 1102, [earliest ?? '']: 1050 },
			{ count: 100, [latest ?? '']: 1051, [earliest ?? '']: 1050 },
		]);
	},
);

describe('A service that ignores bounds and always returns the same page', () => {
	const deaf = (page: unknown[]) => {
		let requests = 0;
		const getPage: GetPage = async () => {
			requests++;
			return page;
		};
		return { getPage, asked: () => requests };
	};

	it.each([
		['far apart', (index: number) => 1000 + index * 5, 2],
		['within one millisecond', () => 7, 4],
	])('is soon no longer asked: messages %s', async (_times, time, most) => {
		const { getPage, asked } = deaf(history(range(100, time)));
		expect(await collectHistory(Infinity, MESSAGE_BOUNDS, {}, getPage)).toHaveLength(100);
		expect(asked()).toBeLessThanOrEqual(most);
	});

	it('is not asked for what is older than the requested time', async () => {
		const { getPage, requests } = serve(history(range(1000, (index) => index)), true);
		const withoutEnd: GetPage = async ({ count, from }) => await getPage({ count, from });
		const span = { since: 950 };
		expect(await collectHistory(Infinity, MESSAGE_BOUNDS, span, withoutEnd)).toHaveLength(50);
		expect(requests).toHaveLength(1);
	});

	it('loses no message without a body', async () => {
		const { getPage } = deaf([{ timestamp: 2 }, { timestamp: 1, body: null }]);
		expect(await collectHistory(50, MESSAGE_BOUNDS, {}, getPage)).toHaveLength(2);
	});

	it('returns no message without a body twice', async () => {
		const getPage: GetPage = async () => [{ timestamp: 1, body: null }];
		expect(await collectHistory(50, MESSAGE_BOUNDS, {}, getPage)).toHaveLength(1);
	});
});
