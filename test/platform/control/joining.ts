import { badRequest } from '../api/errors';
import type { Fields } from '../api/fields';
import type { Joining } from '../world/membership';
import { assignable, type Permission, permissionOf } from '../world/rights';
import type { ChatType } from '../world/types';

/** The given rights, or all that exist. */
export function adminFields(
	fields: Fields,
	type: ChatType,
): Pick<Joining, 'permissions' | 'alias'> {
	const permissions = rightsOf(fields) ?? assignable(type);
	return { permissions, alias: fields.text('alias') };
}

function rightsOf(fields: Fields): Permission[] | undefined {
	return fields.texts('permissions')?.map((name) => {
		const permission = permissionOf(name);
		if (permission === undefined) throw badRequest(`Unknown permission: ${name}`);
		return permission;
	});
}
