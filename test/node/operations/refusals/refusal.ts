import type { INodeParameters } from 'n8n-workflow';
import type { Stage } from '../../support/stage';
import type { Cast } from '../cast';

/** One use of an operation that fails. */
export interface Refusal {
	what: string;
	/** Resource and operation. */
	use: string;
	fields(cast: Cast): INodeParameters;
	/** The service's words, or those of the form. */
	message: RegExp;
	/** Words of the next step. */
	advice: RegExp;
	/** The service's code; errors of the form and of `success: false` have none. */
	code?: string;
	/** What has to be there before. */
	before?(stage: Stage, cast: Cast): Promise<unknown>;
}

/** Leaves the bot only these rights; `null` makes it an ordinary member. */
export const rights =
	(permissions: string[] | null) =>
	async ({ control, bot }: Stage, { group }: Cast) =>
		await control.changeMember(group, bot.user_id, { permissions });
