import type { Context, Platform } from "../context.ts";
import { atShell } from "../domain/accounts/principal.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { manualClock } from "../domain/time/clock.ts";
import { readBalance } from "../ledger/ledger.ts";
import type { AnyOperation } from "../outbound/operation.ts";
import { accountContext } from "../resources/admin/service.ts";
import { getShipment, type ShipmentRow } from "../shipping/shipments/store.ts";
import type { Finding, Outcome } from "./finding.ts";

/** The input of one reconciliation, and the state that its parts share. */
export interface Job {
  platform: Platform;
  /** Every kind of effect that recovery may meet. */
  operations: readonly AnyOperation[];
  is_dry_run: boolean;
  since: Date;
  /** When it began: effects sent later are out of its scope. */
  started_at: Date;
  /** References and parties whose differences the operator has settled by hand. */
  accepted: ReadonlySet<string>;
  /** References and parties of this round whose findings are left open: what depends on them waits. */
  open: Set<string>;
  report: (finding: Finding, outcome: Outcome) => void;
  planned: Planned;
}

/** What a dry run would have done by now, which its further findings depend on. */
export interface Planned {
  balances: Map<string, number>;
  /** The labels that shipments would have, by shipment. */
  labelled: Map<string, { reference: string; tracking_code: string }>;
  /** Shipments that would be void. */
  voided: Set<string>;
  /** Shipments that would be in no pickup any more. */
  freed: Set<string>;
}

export function nothingPlanned(): Planned {
  return { balances: new Map(), labelled: new Map(), voided: new Set(), freed: new Set() };
}

/**
 * Recording what has happened makes no outside call, so it is never too late to send: a database that stalls
 * in between must not cause the reversal of what is being recorded.
 */
const bookingLeaseSeconds = 600;

/** A context to record past effects for the account, at that time; null where the account does not exist. */
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

/** The account's available credit, as it is or, in a dry run, as it would be by now. */
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
