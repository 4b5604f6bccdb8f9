/**
 * What a contract with a carrier allows: so many calls of a group in a minute, an hour or a day, in any window of that
 * length. `all` is every call on the connection, those for its tokens, too.
 */
export const budgetGroups = ["all", "rates", "labels", "tracking", "other"] as const;
export type BudgetGroup = (typeof budgetGroups)[number];

interface CallLimits {
  per_minute?: number;
  per_hour?: number;
  per_day?: number;
}
export type ConnectionBudgets = Readonly<Partial<Record<BudgetGroup, CallLimits>>>;
