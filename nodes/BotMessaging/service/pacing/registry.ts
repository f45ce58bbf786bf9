import { Budget } from './budget';
import type { Pace } from './types';

/** The budgets of the process, by a name of the token that does not reveal it; in the order of their last use. */
const budgets = new Map<string, Budget>();

/** The one budget of the process for a token. Those that have been idle for long are forgotten on the way. */
export function budgetFor(key: string, pace: Pace): Budget {
	const budget = budgets.get(key) ?? new Budget(pace);
	budgets.delete(key);
	forgetIdle();
	budgets.set(key, budget);
	return budget;
}

function forgetIdle(): void {
	for (const [key, budget] of budgets) {
		if (!budget.isIdle()) return;
		budgets.delete(key);
	}
}
