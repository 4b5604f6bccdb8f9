import { lookupSeconds } from "../outbound/deadline.ts";
import { CarrierError, descriptorUnder, type Carrier } from "../carriers/carrier.ts";
import type { FoundPickup, ListedPickup } from "../carriers/pickups.ts";
import type { Context } from "../context.ts";
import {
  recordPickupCancel,
  findPart,
  priceOfMissingPickup,
  restorePickup,
  shipmentsOfMissing,
} from "../resources/pickups/operations.ts";
import { RetryLookup, type Action, type Decision } from "./finding.ts";
import { contextOn } from "../shipping/connections/connection-book.ts";
import { availableCents, contextAt, findShipment, planCents, type Job } from "./job.ts";
import { allPages, cannotBeAsked, cannotList, decideEach, unreadable } from "./lists.ts";
import {
  factsOfCalls,
  isOver,
  pickupsOf,
  readNoted,
  type Noted,
  type NotedPickup,
} from "./noted.ts";
import type { KnownAttempt } from "./store.ts";
import { cancelOrphan } from "./orphans.ts";

/**
 * The pickups that were requested and cancelled since the backup, as carriers list them or as the journal has them,
 * compared with this database. As with labels, known ones come first: a cancelled pickup credits money, and leaves its parcels to the next one.
 */
export async function* reconcilePickups(job: Job): AsyncGenerator<Decision> {
  const asked: AskedPickup[] = [];
  let noted: Noted | null = null;
  for (const carrier of job.platform.carriers.all) {
    const { code, pickups: facts } = carrier.descriptor;
    if (!facts) continue;
    try {
      if (facts.listsPickups) asked.push(...(await listAll(carrier, job.since)));
      if (factsOfCalls(carrier).pickups?.listsPickups) continue;
      noted ??= await readNoted(job);
      asked.push(...pickupsOf(noted, carrier).map((each) => ({ carrier: code, ...each })));
      if (noted.isBlind(carrier, "pickup"))
        yield cannotList(code, "its pickups: compare them with those here");
      for (const name of noted.damaged) yield unreadable(code, name);
    } catch (error) {
      yield cannotBeAsked(code, error);
    }
  }
  asked.sort((a, b) => a.pickup.asked_at.getTime() - b.pickup.asked_at.getTime());
  yield* decideEach(job, asked, {
    nameOf: ({ pickup: { reference, references } }) => ({ ...references, reference }),
    decideKnown,
    decideMissing,
  });
}

interface AskedPickup {
  carrier: string;
  environment: "live" | "test";
  pickup: ListedPickup;
  noted?: NotedPickup;
}

async function listAll({ descriptor, pickups }: Carrier, since: Date): Promise<AskedPickup[]> {
  const { code, purchaseTimeoutSeconds } = descriptor;
  const asked: AskedPickup[] = [];
  for (const environment of ["live", "test"] as const) {
    const listed = await allPages(purchaseTimeoutSeconds, async (cursor, signal) => {
      const page = await pickups!.list({ environment, since, cursor }, signal);
      return { items: page.pickups, next_cursor: page.next_cursor };
    });
    asked.push(...listed.map((pickup) => ({ carrier: code, environment, pickup })));
  }
  return asked;
}

/** A decision about this carrier's pickup, or that it needs none. */
function about({ carrier, pickup }: AskedPickup) {
  const { reference, references, confirmation_number } = pickup;
  return (found: string, action: Action, act?: () => Promise<void>): Decision => ({
    kind: "pickup",
    party: carrier,
    reference,
    account_id: references.account_id,
    shipment_id: null,
    tracking_code: null,
    pickup: { id: references.pickup_id, confirmation_number },
    amount_cents: null,
    currency: null,
    found,
    action,
    act,
  });
}

function callingOff(
  job: Job,
  { carrier, environment, pickup, noted }: AskedPickup,
): () => Promise<void> {
  const { account_id, pickup_id } = pickup.references;
  const { reference, carrier_pickup_id, confirmation_number, date, carrier_data } = pickup;
  const orphan = {
    environment,
    reference,
    carrier_pickup_id,
    confirmation_number,
    date,
    ...(noted && { connection_id: noted.connection_id, carrier_data }),
  };
  return () => cancelOrphan(job.platform, { account_id, pickup_id, carrier }, orphan);
}

async function decideKnown(
  job: Job,
  asked: AskedPickup,
  { status, subject_id: pickup_id }: KnownAttempt,
): Promise<Decision | null> {
  const { carrier, pickup, noted } = asked;
  const that = about(asked);
  if (status === "sent" || status === "unknown") return that("is being looked up", "wait");
  if (status === "review") return that("waits for a decision of its review", "nothing");
  const undo = callingOff(job, asked);
  if (status !== "settled")
    return pickup.cancelled || noted?.is_unheard
      ? null
      : that("was marked not executed here and is live there", "call_off", undo);
  const { account_id } = pickup.references;
  const part = await findPart(job.platform.db, { account_id, pickup_id, carrier });
  const isOffHere = !part || part.status === "cancelled";
  if (isOffHere)
    return pickup.cancelled || noted
      ? null
      : that("is cancelled here and live there", "call_off", undo);
  if (!pickup.cancelled) return null;
  if (part.status === "cancelling") return that("is being cancelled", "wait");
  if (part.status !== "confirmed")
    return that(`is cancelled there and ${part.status} here`, "by_hand");
  const ctx = (await contextAt(job, account_id, job.started_at))!;
  if (job.is_dry_run) {
    planCents(job, account_id, part.fee_cents + part.tax_cents);
    for (const id of part.shipment_ids) job.planned.freed.add(id);
  }
  return that("was cancelled, which was missing here", "book_call_off", () =>
    recordPickupCancel(ctx, part),
  );
}

async function decideMissing(job: Job, asked: AskedPickup): Promise<Decision> {
  const { pickup, noted } = asked;
  const that = about(asked);
  if (pickup.cancelled) return that("was missing here, and cancelled since", "nothing");
  if (noted?.is_unheard) return decideUnheard(job, asked);
  const orphaned = (why: string) =>
    that(`was missing here, and ${why}`, "call_off", callingOff(job, asked));
  const ctx = await contextAt(job, pickup.references.account_id, pickup.asked_at);
  if (!ctx) return orphaned("its account is not known here");
  if (pickup.fee && pickup.fee.currency !== ctx.account.currency)
    return orphaned("is in another currency than its account");
  const shipmentIds = await waitingShipments(job, ctx, asked);
  if (shipmentIds.length === 0) return orphaned("none of its parcels waits for it here");
  const located = noted ? await atParcels(job, asked, shipmentIds[0]!) : asked;
  const { price } = priceOfMissingPickup(ctx, located);
  const { total_cents: amount_cents, currency } = price;
  const missing = amount_cents - (await availableCents(job, ctx.account.account_id));
  if (missing > 0) return orphaned(`its account lacks ${(missing / 100).toFixed(2)} ${currency}`);
  if (job.is_dry_run) planCents(job, ctx.account.account_id, -amount_cents);
  const act = async () => {
    const failure = await restorePickup(ctx, located, shipmentIds);
    if (failure) throw new RetryLookup(failure.message);
  };
  return { ...that("was missing here", "rebook", act), amount_cents, currency };
}

/** The journal keeps no address: the driver was sent to where the parcels are. */
async function atParcels(job: Job, asked: AskedPickup, shipmentId: string): Promise<AskedPickup> {
  const { account_id } = asked.pickup.references;
  const row = await findShipment(job, account_id, shipmentId);
  if (!row) return asked;
  const address = row.from_address;
  const { name, phone, email } = address;
  return { ...asked, pickup: { ...asked.pickup, address, contact: { name, phone, email } } };
}

/** Of a request without a known answer the carrier is asked once more; what that does not prove is a person's. */
async function decideUnheard(job: Job, asked: AskedPickup): Promise<Decision> {
  const { carrier, environment, pickup, noted } = asked;
  const that = about(asked);
  const { account_id } = pickup.references;
  const { connection_id, look_up } = noted!;
  const context = await contextOn(job.platform, { account_id, environment, connection_id });
  const { descriptor, pickups } = job.platform.carriers.get(carrier);
  const facts = descriptorUnder(descriptor, connection_id).pickups?.lookUp;
  const open = that("was requested without a known answer, and no lookup disproves it", "by_hand");
  if (!facts || facts.by === "none" || !look_up) return open;
  const { reference, asked_at: sent_at } = pickup;
  let seen: FoundPickup | null;
  try {
    const sent = { context, reference, sent_at, look_up };
    seen = await pickups!.lookUp(sent, AbortSignal.timeout(lookupSeconds * 1000));
  } catch (error) {
    if (error instanceof CarrierError && error.kind === "refused") return open;
    return that("was requested, and its carrier cannot be asked now", "wait");
  }
  if (seen) {
    const heard = { pickup: { ...pickup, ...seen }, noted: { ...noted!, is_unheard: false } };
    return decideMissing(job, { ...asked, ...heard });
  }
  if (facts.absence === "hint") return open;
  if (!isOver(job, sent_at, facts.after_seconds))
    return that("was requested, and may still show at its carrier", "wait");
  return that("was requested, and its carrier sends nobody", "nothing");
}

/** The shipments that it collects, as they are or, in a dry run, as they would be by now. */
async function waitingShipments(
  { planned }: Job,
  ctx: Context,
  asked: AskedPickup,
): Promise<string[]> {
  const here = await shipmentsOfMissing(ctx, asked, planned.freed);
  const { tracking_codes } = asked.pickup;
  const toCome = [...planned.labelled]
    .filter(([, { tracking_code }]) => tracking_codes.includes(tracking_code))
    .map(([id]) => id);
  return [...here, ...toCome].filter((id) => !planned.voided.has(id));
}
