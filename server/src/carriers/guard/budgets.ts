import {
  BudgetExhausted,
  callCount,
  withinBudget,
  type CallCount,
} from "../../domain/scheduling/call-budget.ts";
import type { BudgetGroup, ConnectionBudgets } from "../../domain/accounts/connection-budgets.ts";
import type { CarrierConnection } from "../connection.ts";
import { lruStates } from "./lru-states.ts";

/**
 * What a contract with a carrier allows: so many calls of a group in a time, counted where they are made, in any window of
 * that time. Money goes before prices and prices before tracking, which leave a part of each budget to what is more
 * urgent. Each process keeps to its share of a budget, by how many processes are alive.
 */

/** How urgent a call is: what money waits for, prices that a request waits for, and what can be asked later. */
export type Urgency = "money" | "prices" | "later";

/** The part of a budget that calls of an urgency may use. */
const parts: Readonly<Record<Urgency, number>> = { money: 1, prices: 0.8, later: 0.6 };

const windows = { per_minute: 60_000, per_hour: 3_600_000, per_day: 86_400_000 } as const;

export interface Spending {
  /** In how many milliseconds an operation like this is allowed; 0 for now. */
  freeInMs(): number;
  /**
   * Runs an operation, each of whose calls is taken from the budget. As many as the last one like it made are kept for it
   * from the beginning, so that several at once do not each make a part of theirs. Throws `BudgetExhausted`.
   */
  run<T>(operation: () => Promise<T>): Promise<T>;
}

interface State {
  counts: Map<string, CallCount>;
  /** How many calls the last operation of each kind made. */
  made: Map<string, number>;
  /** Operations under way: while there are any, the state is not dropped. */
  calls: number;
}

/** By connection, with the calls of this process. */
export function budgetBook({ processes, now }: { processes(): number; now(): number }) {
  const stateOf = lruStates<State>(() => ({ counts: new Map(), made: new Map(), calls: 0 }));

  return function spendingOf(
    { id }: Pick<CarrierConnection, "id">,
    budgets: ConnectionBudgets,
    {
      kind,
      group,
      urgency,
    }: { kind: string; group: Exclude<BudgetGroup, "all">; urgency: Urgency },
  ): Spending {
    const state = stateOf(id);
    const limits = limitsOf(state, budgets, group);
    const allowed = (limit: number) =>
      Math.max(1, Math.floor((limit / Math.max(1, processes())) * parts[urgency]));
    const expected = () => state.made.get(kind) ?? 1;
    const freeInMs = (calls: number) =>
      Math.max(
        0,
        ...limits.map(({ count, limit }) =>
          count.freeIn(now(), Math.max(1, allowed(limit) - calls + 1)),
        ),
      );
    const take = (at: number, calls: number) => {
      for (const { count } of limits) count.add(at, calls);
    };
    const refuseBeyond = (calls: number) => {
      const wait_ms = freeInMs(calls);
      if (wait_ms > 0) throw new BudgetExhausted(wait_ms);
    };

    return {
      freeInMs: () => freeInMs(expected()),
      async run(operation) {
        const kept_calls = expected();
        const began = now();
        refuseBeyond(kept_calls);
        take(began, kept_calls);
        let made = 0;
        const spend = () => {
          if (made >= kept_calls) {
            refuseBeyond(1);
            take(now(), 1);
          }
          made += 1;
        };
        state.calls += 1;
        try {
          const result = await withinBudget({ spend }, operation);
          state.made.set(kind, Math.max(1, made));
          return result;
        } finally {
          state.calls -= 1;
          take(began, Math.min(0, made - kept_calls));
          // What failed may have been cut short.
          state.made.set(kind, Math.max(expected(), made));
        }
      },
    };
  };
}

function limitsOf(
  { counts }: State,
  budgets: ConnectionBudgets,
  group: BudgetGroup,
): { count: CallCount; limit: number }[] {
  return (["all", group] as const).flatMap((each) =>
    (Object.keys(windows) as (keyof typeof windows)[]).flatMap((window) => {
      const limit = budgets[each]?.[window];
      if (limit === undefined) return [];
      const key = `${each} ${window}`;
      const count = counts.get(key) ?? callCount(windows[window]);
      counts.set(key, count);
      return [{ count, limit }];
    }),
  );
}
