import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The account on whose behalf the database is used. Connections are shared fairly between accounts
 * (`pool.ts`), and that must hold for every statement, also for those added later: so it is not an argument,
 * but in the async context. Without an account it is the platform's own work.
 */
interface Behalf {
  account_id: string;
  /** For statements by a client's criteria: they may be slow, and have few connections. */
  is_by_criteria: boolean;
}

const behalf = new AsyncLocalStorage<Behalf | null>();

/** Null outside of `onBehalfOf`: the platform's own work. */
export function currentBehalf(): Behalf | null {
  return behalf.getStore() ?? null;
}

/** Runs `work`, and all that it starts, on behalf of the account. */
export function onBehalfOf<T>(accountId: string, work: () => T): T {
  return behalf.run({ account_id: accountId, is_by_criteria: false }, work);
}

/** Runs `work` on behalf of the platform, or of several accounts together. */
export function onNobodysBehalf<T>(work: () => T): T {
  return behalf.run(null, work);
}

/** Runs `work`, whose statements may be slow because of a client's criteria. */
export function asByCriteria<T>(work: () => T): T {
  const current = currentBehalf();
  return current ? behalf.run({ ...current, is_by_criteria: true }, work) : work();
}
