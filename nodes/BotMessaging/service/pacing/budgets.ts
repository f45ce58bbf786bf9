import { Budget } from './budget';
import type { Pace } from './fairQueue';

/** The budgets of the process, by a name of the token that does not reveal it; in the order of their last use. */
const budgets = new Map<string, Budget>();

/** The one budget of the process for a token. Those that have been idle for long are forgotten on the way. */
export function budgetFor(key: string, pace: Pace): Budget {
	const budget = budgets.get(key) ?? new Budget(pace);
	budgets.delete(key);
	for (const [other, each] of budgets) if (each.isIdle()) budgets.delete(other);
	budgets.set(key, budget);
	return budget;
}
