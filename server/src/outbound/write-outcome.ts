import { retryUntilAvailable } from "../database/retry.ts";
import { isUnavailable } from "../database/errors.ts";
import { LostLease } from "./attempt-store.ts";
import type { Attempt, Outbound } from "./operation.ts";

/**
 * Writing down what became of an attempt, when the database may be away at that moment. We know then
 * what nobody else may be able to find out, and keep it until it is written.
 */

/**
 * Runs the transaction that ends or suspends the attempt. Null when it is not written: another process
 * took the attempt over, or the database is away; then it is written once that is back, unless another
 * has found the outcome out by then. Throws whatever else goes wrong, a bug of ours say.
 */
export async function writeOutcome<T>(
  outbound: Outbound,
  attempt: Pick<Attempt<object>, "id">,
  transaction: () => Promise<T>,
): Promise<{ value: T } | null> {
  try {
    return { value: await transaction() };
  } catch (error) {
    const isAway = isUnavailable(error);
    if (!isAway && !(error instanceof LostLease)) throw error;
    outbound.log.error({ attempt_id: attempt.id, err: error }, "outbound.not_written");
    if (isAway) writeLater(outbound, attempt, transaction);
    return null;
  }
}

/** Runs the transaction as soon as the database lets us. It may find that its lost COMMIT was carried out. */
export function writeLater(
  { log }: Outbound,
  { id: attempt_id }: Pick<Attempt<object>, "id">,
  transaction: () => Promise<unknown>,
): void {
  let written: unknown;
  retryUntilAvailable(async () => (written = await transaction())).then(
    () => {
      // What turned out not to be what was asked for is not written: recovery takes it up.
      const isMismatched = typeof written === "object" && written !== null && "flaw" in written;
      if (!isMismatched) log.info({ attempt_id }, "outbound.written_late");
    },
    (error: unknown) => {
      const isWritten = error instanceof LostLease;
      if (!isWritten) log.error({ attempt_id, err: error }, "outbound.not_written_late");
    },
  );
}
