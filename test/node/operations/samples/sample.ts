import type { INodeParameters } from 'n8n-workflow';
import type { ProfileName } from '../../../platform';
import type { Stage } from '../../support/stage';
import type { Cast } from '../cast';

/** One use of an operation that succeeds. */
export interface Sample {
	/** Resource and operation. */
	use: string;
	/** The filled-in fields besides resource and operation. */
	fields(cast: Cast, stage: Stage): INodeParameters;
	/** What has to be filled in besides on a service of this profile. */
	fieldsFor?: Partial<Record<ProfileName, INodeParameters>>;
	/** What the output items hold at least. */
	output(cast: Cast): object[];
	/** What has to be there before. */
	before?(stage: Stage, cast: Cast): Promise<unknown>;
}

/** Output of an operation that only succeeds. */
export const done = () => [{ success: true }];

/** Output of what deletes. */
export const gone = () => [{ deleted: true }];
