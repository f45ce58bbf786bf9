import { NodeOperationError, type ITriggerFunctions } from 'n8n-workflow';
import { isLasting } from '../../service/errors';
import { reasonOf } from '../../service/failure';

/** Number of failures in a row after which the owner of the workflow is told, if waiting might have helped. */
const PATIENCE = 3;

export const MINUTES_BETWEEN_CHECKS = 2;

/** What the owner of a workflow is told about the subscription of its trigger. */
export class Reports {
	private failures = 0;

	private isTold = false;

	constructor(
		private readonly context: Pick<ITriggerFunctions, 'getNode' | 'logger' | 'saveFailedExecution'>,
	) {}

	succeeded(): void {
		this.failures = 0;
		this.isTold = false;
	}

	/** Logs why it could not be checked, and tells the owner once, if waiting does not help or has not helped. */
	failed(error: unknown): void {
		const reason = reasonOf(error).replace(/\.$/, '');
		this.context.logger.warn(`The subscription of the trigger could not be checked: ${reason}`);
		const failures = ++this.failures;
		if (this.isTold || (failures < PATIENCE && !isLasting(error))) return;
		this.isTold = true;
		this.tell(
			`The subscription of the trigger could not be checked${failures > 1 ? ` ${failures} times in a row` : ''}`,
			`${reason}. Events may not arrive. The check goes on every ${MINUTES_BETWEEN_CHECKS} minutes and subscribes again when it can.`,
		);
	}

	/** Tells the owner: logs it and saves a failed execution, which starts the error workflow. */
	readonly tell = (message: string, description: string): void => {
		const { context } = this;
		context.logger.warn(`${message}. ${description}`);
		const error = new NodeOperationError(context.getNode(), message, { description });
		context.saveFailedExecution(error);
	};
}
