import { retryUntilAvailable } from "../database/retry.ts";
import { isUnavailable } from "../database/errors.ts";
import { LostLease } from "./attempt-store.ts";
import type { Attempt, Outbound } from "./operation.ts";

/**
 * Writing the outcome of an attempt while the database may be unavailable. This process may be the only one
 * that knows the outcome, and keeps it until it is written.
 */

/**
 * Runs the transaction that ends or suspends the attempt. Null when it is not written: another process took
 * the attempt over, or the database is unavailable; then it is written once that is available again, unless
 * another process has found the outcome by then. Throws any other error, such as a bug.
 */
export async function writeOutcome<T>(
  outbound: Outbound,
  attempt: Pick<Attempt<object>, "id">,
  transaction: () => Promise<T>,
): Promise<{ value: T } | null> {
  try {
    return { value: await transaction() };
  } catch (error) {
    const isDatabaseUnavailable = isUnavailable(error);
    if (!isDatabaseUnavailable && !(error instanceof LostLease)) throw error;
    outbound.log.error({ attempt_id: attempt.id, err: error }, "outbound.not_written");
    if (isDatabaseUnavailable) writeLater(outbound, attempt, transaction);
    return null;
  }
}

/** Runs the transaction once the database is available. It may find that its lost COMMIT was carried out. */
export function writeLater(
  { log }: Outbound,
  { id: attempt_id }: Pick<Attempt<object>, "id">,
  transaction: () => Promise<unknown>,
): void {
  let written: unknown;
  retryUntilAvailable(async () => (written = await transaction())).then(
    () => {
      // An outcome that turned out not to match the request is not written: recovery looks it up.
      const isMismatched = typeof written === "object" && written !== null && "mismatch" in written;
      if (!isMismatched) log.info({ attempt_id }, "outbound.written_late");
    },
    (error: unknown) => {
      const isWritten = error instanceof LostLease;
      if (!isWritten) log.error({ attempt_id, err: error }, "outbound.not_written_late");
    },
  );
}
