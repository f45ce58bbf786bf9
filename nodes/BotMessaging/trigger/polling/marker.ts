import type { ITriggerFunctions } from 'n8n-workflow';
import type { Service } from '../../service/types';
import { remembered } from '../subscription/addresses';

type Keeper = Pick<ITriggerFunctions, 'getWorkflowStaticData'>;
type Bot = Pick<Service, 'connection'>;

/** Where the next poll of this bot begins; `undefined` for the first one. */
export function keptMarker(context: Keeper, { connection }: Bot): string | undefined {
	const { bot, marker } = remembered(context);
	return bot === connection.botKey ? marker : undefined;
}

/** Keeps where the next poll of this bot begins. n8n saves it when it has started the trigger, and with each emitted event. */
export function keepMarker(context: Keeper, { connection }: Bot, marker: string | undefined): void {
	Object.assign(remembered(context), { marker, bot: connection.botKey });
}
