import { badRequest } from '../api/errors';
import { Fields } from '../api/fields';
import type { FaultAction, FaultOrigin, FaultRule } from '../faults';
import type { ControlRoutes } from './route';

export const faultRoutes: ControlRoutes = {
	'GET /faults': ({ faults }) => faults.list(),
	'PUT /faults': ({ faults, raw }) => faults.set(readRules(raw)),
};

const ORIGINS: FaultOrigin[] = ['api', 'upload', 'delivery'];

/** One rule or a list of them. */
function readRules(raw: unknown): FaultRule[] {
	return (Array.isArray(raw) ? raw : [raw]).map((item: unknown) => {
		const fields = Fields.of(item);
		const then = fields.required('then', fields.nested('then'));
		return {
			match: readMatch(fields.nested('match')),
			count: fields.number('count'),
			after: fields.number('after'),
			then: readAction(then),
		};
	});
}

function readMatch(match: Fields | undefined): FaultRule['match'] {
	if (match === undefined) return undefined;
	const name = match.text('origin');
	const origin = ORIGINS.find((known) => known === name);
	if (name !== undefined && origin === undefined) throw badRequest(`Unknown origin: ${name}`);
	return { origin, method: match.text('method'), path: match.text('path') };
}

function readAction(then: Fields): FaultAction {
	const cut = then.text('cut');
	if (cut !== undefined && cut !== 'before' && cut !== 'after')
		throw badRequest(`Unknown cut: ${cut}`);
	const headers = then.nested('headers')?.entries();
	return {
		status: then.number('status'),
		body: then.any('body'),
		headers: headers && Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
		done: then.flag('done'),
		delay_ms: then.number('delay_ms'),
		cut,
		slow_body_ms: then.number('slow_body_ms'),
		cut_after_bytes: then.number('cut_after_bytes'),
		duplicate: then.number('duplicate'),
	};
}
