import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The account on whose behalf the database is used. Connections are shared fairly between accounts
 * (`pool.ts`), and that must hold for every statement, also for those added later: so it is not an argument,
 * but in the async context of the work. Without an account it is the platform's own work.
 */
export interface Behalf {
  account_id: string;
  /** By criteria that a client wrote: may be slow, and has few connections. */
  is_by_criteria: boolean;
}

const behalf = new AsyncLocalStorage<Behalf | null>();

export function currentBehalf(): Behalf | null {
  return behalf.getStore() ?? null;
}

/** The work, and all that it starts, is the account's. */
export function onBehalfOf<T>(accountId: string, work: () => T): T {
  return behalf.run({ account_id: accountId, is_by_criteria: false }, work);
}

/** The work is the platform's, or that of several accounts together. */
export function onNobodysBehalf<T>(work: () => T): T {
  return behalf.run(null, work);
}

/** The statements of the work are slow by what a client wrote. */
export function asByCriteria<T>(work: () => T): T {
  const current = currentBehalf();
  return current ? behalf.run({ ...current, is_by_criteria: true }, work) : work();
}
