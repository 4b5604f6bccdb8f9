import type { Context, Platform } from "../context.ts";
import { atShell } from "../domain/accounts/principal.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { manualClock } from "../domain/time/clock.ts";
import { readBalance } from "../ledger/ledger.ts";
import type { AnyOperation } from "../outbound/operation.ts";
import { accountContext } from "../resources/admin/service.ts";
import { getShipment, type ShipmentRow } from "../shipping/shipments/store.ts";
import type { Finding, Outcome } from "./finding.ts";

/** What one reconciliation is given, and what it shares between its parts. */
export interface Job {
  platform: Platform;
  /** Every kind of effect that recovery may meet. */
  operations: readonly AnyOperation[];
  is_dry_run: boolean;
  since: Date;
  /** When it began: what was sent later is not its business. */
  started_at: Date;
  /** References and parties whose differences the operator has settled by hand. */
  accepted: ReadonlySet<string>;
  report: (finding: Finding, outcome: Outcome) => void;
  planned: Planned;
}

/** What a dry run would have done by now, which decides what it says of the rest. */
export interface Planned {
  balances: Map<string, number>;
  /** The labels that shipments would have, by shipment. */
  labelled: Map<string, { tracking_code: string }>;
  /** Shipments that would be void. */
  voided: Set<string>;
  /** Shipments that would be in no pickup any more. */
  freed: Set<string>;
}

export function nothingPlanned(): Planned {
  return { balances: new Map(), labelled: new Map(), voided: new Set(), freed: new Set() };
}

/**
 * Booking what has happened asks nobody outside, so that it is never too late for it: a database that stands
 * still meanwhile must not make us undo what we were about to book.
 */
const bookingLeaseSeconds = 600;

/**
 * To book for the account, as if it were then, what has happened; null where this database does not know
 * the account.
 */
export async function contextAt(
  { platform }: Job,
  accountId: string,
  moment: Date,
): Promise<Context | null> {
  const outbound = { ...platform.outbound, lease_seconds: bookingLeaseSeconds };
  return orNull(
    accountContext({ ...platform, outbound, clock: manualClock(moment) }, accountId, atShell),
  );
}

export async function findShipment(
  { platform }: Job,
  accountId: string,
  id: string,
): Promise<ShipmentRow | null> {
  return orNull(getShipment(platform.db, accountId, id));
}

/** What the account can pay with, as it is or, in a dry run, as it would be by now. */
export async function availableCents(job: Job, accountId: string): Promise<number> {
  const { available_cents } = await readBalance(job.platform.db, accountId);
  return available_cents + (job.planned.balances.get(accountId) ?? 0);
}

export function planCents({ planned }: Job, accountId: string, cents: number): void {
  planned.balances.set(accountId, (planned.balances.get(accountId) ?? 0) + cents);
}

async function orNull<T>(look: Promise<T>): Promise<T | null> {
  return look.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  });
}
