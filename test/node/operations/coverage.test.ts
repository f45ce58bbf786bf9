import { endpointOf, ENDPOINTS, WITHDRAWN } from '../../support/endpoints';
import { Stage } from '../support/stage';
import { castOf } from './cast';
import { samples } from './samples';

let stage: Stage;
let requested: string[];

/** Uses every operation once and keeps what it requested. */
beforeAll(async () => {
	stage = await Stage.start({ limits: { requests_per_second: 0 } });
	requested = [];
	for (const { resource, operation, fields, before } of samples) {
		const cast = await castOf(stage);
		await before?.(stage, cast);
		await stage.control.clearJournal();
		await stage.run({ resource, operation, ...fields(cast, stage) });
		for (const entry of await stage.control.journal({ kind: 'request', origin: 'api' })) {
			if (entry.kind === 'request') requested.push(`${entry.method} ${entry.path}`);
		}
	}
});

afterAll(async () => await stage.stop());

const found = () => requested.map((request) => endpointOf(...splitRequest(request)));

function splitRequest(request: string): [string, string] {
	const [method = '', path = ''] = request.split(' ');
	return [method, path];
}

test.each(ENDPOINTS)('An operation uses %s', (endpoint) => {
	expect(found()).toContain(endpoint);
});

test('No operation uses anything else', () => {
	const unknown = requested.filter((request) => endpointOf(...splitRequest(request)) === undefined);
	expect(unknown).toEqual([]);
});

test('Withdrawn endpoints are not listed', () => {
	expect(ENDPOINTS.filter((endpoint) => WITHDRAWN.includes(endpoint))).toEqual([]);
});
