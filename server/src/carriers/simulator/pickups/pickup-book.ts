import { randomUUID } from "node:crypto";
import { percentOf } from "../../../domain/values/money.ts";
import { changedPage, type ListOptions } from "../changed-page.ts";
import { inTurn } from "../in-turn.ts";
import type { Entry, Journal } from "../journal.ts";
import type { BookResult, PurchaseOptions } from "../label-book.ts";
import { convert } from "../pricing/currency.ts";
import { Refusal } from "../refusal.ts";
import { priceRisePercent, steeringOf } from "../steering.ts";
import { confirmationNumber } from "./confirmation-numbers.ts";
import type { WireListedPickup, WirePickup, WirePickupRequest } from "./wire.ts";

/**
 * One carrier's pickups: memory has what decides, the journal what was committed. A pickup is steered
 * by its own address, also when it is cancelled.
 */
export interface PickupBook {
  /** Takes a pickup under a reference that was never used. Throws a refusal, having committed nothing. */
  schedule(request: WirePickupRequest, options: PurchaseOptions): Promise<BookResult<WirePickup>>;
  find(reference: string): Promise<WirePickup | null>;
  /**
   * The pickups that were scheduled or cancelled since a moment, in the order in which they were
   * scheduled.
   */
  list(options: ListOptions): Promise<{ pickups: WireListedPickup[]; next_cursor: number | null }>;
  /** Those that are open and the twenty others that were scheduled last, the newest first. */
  recent(): Promise<WireListedPickup[]>;
  /** By the number that the carrier's drivers know it by. */
  byNumber(confirmationNumber: string): Promise<WireListedPickup | null>;
  /** Cancels a pickup; one that is cancelled already is cancelled again. */
  cancel(pickupId: string, reference: string): Promise<BookResult<WirePickup>>;
  /** Those that are not cancelled, in the order in which they were scheduled. */
  pending(): Promise<WireListedPickup[]>;
  /** Applies a committed entry: after an append, and for each entry of the journal at the start. */
  replay(entry: Entry): void;
}

/** The journal entry of a pickup, and of its cancellation. */
interface PickupFacts {
  account_id: string;
  environment: string;
  pickup_id: string;
  confirmation_number: string;
  amount_cents: number;
  currency: string;
  tracking_codes: readonly string[];
  serial: number;
  request: WirePickupRequest;
}
interface CancelFacts {
  pickup_id: string;
}

interface PickupState extends WirePickup {
  sequence: number;
  environment: string;
  /** When it was scheduled, or cancelled since. */
  changed_at: string;
  /** The address, by which pickups are shared. */
  place: string;
  /** The driver is under way: it cannot be cancelled (`sim:used_label`). */
  underway: boolean;
  drop_response: boolean;
}

/** Each carrier's fee for a pickup, in Canadian cents; the others are free. */
const feesCents: Readonly<Record<string, number>> = { canada_post: 350, ups: 750 };

/** `sim:price_up` makes no pickup free. */
const freePriceRiseCents = 100;

export function pickupBook(carrier: string, journal: Journal): PickupBook {
  const byReference = new Map<string, PickupState>();
  const byId = new Map<string, PickupState>();
  const turn = inTurn();
  let lastSerial = 0;

  async function schedule(request: WirePickupRequest, { account, tooLate }: PurchaseOptions) {
    const { reference } = request;
    if (byReference.has(reference))
      throw new Refusal(409, "duplicate_reference", "A pickup was asked for under this reference.");
    const amount_cents = agreedFee(carrier, request);
    if (tooLate())
      throw new Refusal(503, "too_late", "The request waited too long; nobody will come.");
    const serial = (lastSerial += 1);
    const confirmation_number =
      sharedNumber(carrier, request, byReference.values()) ??
      confirmationNumber(carrier, { seed: journal.seed, serial });
    const taken = { request, account, amount_cents, serial, confirmation_number };
    replay(await journal.append<PickupFacts>(pickupEntry(carrier, taken)));
    const state = byReference.get(reference)!;
    return { value: asWire(state), drop_response: state.drop_response };
  }

  async function cancel(state: PickupState) {
    if (state.underway)
      throw new Refusal(409, "pickup_underway", "The driver is on the way already.");
    const isFirst = !state.cancelled;
    // What shares its number is one pickup.
    const open = withNumber(byReference.values(), state.confirmation_number).filter(isOpen);
    for (const { reference, pickup_id } of open) {
      const tracking_code = null;
      const entry = { carrier, operation: "pickup_cancel" as const, reference, tracking_code };
      replay(await journal.append<CancelFacts>({ ...entry, pickup_id }));
    }
    return { value: asWire(state), drop_response: isFirst && state.drop_response };
  }

  function replay(entry: Entry): void {
    if (entry.operation === "pickup") {
      const state = stateOf(entry as Entry & PickupFacts);
      byReference.set(state.reference, state);
      byId.set(state.pickup_id, state);
      lastSerial = Math.max(lastSerial, (entry as Entry & PickupFacts).serial);
    }
    if (entry.operation === "pickup_cancel") {
      const state = byId.get((entry as Entry & CancelFacts).pickup_id)!;
      state.cancelled = true;
      state.changed_at = entry.at;
    }
  }

  return {
    schedule: (request, options) => turn(request.reference, () => schedule(request, options)),
    find: (reference) => turn(reference, async () => shown(byReference.get(reference))),
    async list(options) {
      const { page, next_cursor } = changedPage(byReference.values(), options);
      return { pickups: await listAll(page, journal), next_cursor };
    },
    recent: () => listAll(newest(byReference.values()), journal),
    byNumber: async (number) =>
      (await listAll(withNumber(byReference.values(), number), journal))[0] ?? null,
    pending: () => listAll([...byReference.values()].filter(isOpen), journal),
    async cancel(pickupId, reference) {
      const state = byId.get(pickupId);
      if (state?.reference !== reference)
        throw new Refusal(404, "pickup_not_found", "There is no such pickup.");
      return turn(state.confirmation_number, () => cancel(state));
    },
    replay,
  };
}

/** The number of a pickup of the same address and day, where the carrier has one number for all of them. */
function sharedNumber(
  carrier: string,
  request: WirePickupRequest,
  states: Iterable<PickupState>,
): string | null {
  if (!steeringOf(request.address, carrier).shared_pickup) return null;
  for (const { cancelled, date, place, shared, confirmation_number } of states)
    if (shared && !cancelled && date === request.date && place === placeOf(request))
      return confirmation_number;
  return null;
}

function placeOf({ address }: WirePickupRequest): string {
  const { address1, city, postal_code, country_code } = address;
  return JSON.stringify([address1, city, postal_code, country_code]);
}

function pickupEntry(
  carrier: string,
  {
    request,
    account,
    ...taken
  }: Pick<PickupFacts, "request" | "amount_cents" | "serial" | "confirmation_number"> &
    Pick<PurchaseOptions, "account">,
) {
  const { reference, tracking_codes, expected_fee } = request;
  return {
    carrier,
    operation: "pickup" as const,
    reference,
    tracking_code: null,
    ...account,
    pickup_id: randomUUID(),
    ...taken,
    currency: expected_fee.currency,
    tracking_codes,
    request,
  };
}

function stateOf(entry: Entry & PickupFacts): PickupState {
  const steering = steeringOf(entry.request.address, entry.carrier);
  const { used_label, lost_answer, shared_pickup } = steering;
  return {
    sequence: entry.sequence,
    environment: entry.environment,
    changed_at: entry.at,
    pickup_id: entry.pickup_id,
    reference: entry.reference,
    confirmation_number: entry.confirmation_number,
    date: entry.request.date,
    shared: shared_pickup,
    fee_cents: entry.amount_cents,
    currency: entry.currency,
    cancelled: false,
    place: placeOf(entry.request),
    underway: used_label,
    drop_response: lost_answer,
  };
}

function shown(state: PickupState | undefined): WirePickup | null {
  return state ? asWire(state) : null;
}

function asWire(state: PickupState): WirePickup {
  const { pickup_id, reference, confirmation_number, date, shared } = state;
  const { fee_cents, currency, cancelled } = state;
  return {
    pickup_id,
    reference,
    confirmation_number,
    date,
    shared,
    fee_cents,
    currency,
    cancelled,
  };
}

/** More than one where they are shared. */
function withNumber(states: Iterable<PickupState>, number: string): PickupState[] {
  return [...states].filter(({ confirmation_number }) => confirmation_number === number);
}

function isOpen({ cancelled }: PickupState): boolean {
  return !cancelled;
}

const recentMost = 20;

/** The open ones, and the others among the last twenty, from the newest on. */
function newest(states: Iterable<PickupState>): PickupState[] {
  const all = [...states].sort((a, b) => b.sequence - a.sequence);
  return all.filter((state, index) => isOpen(state) || index < recentMost);
}

function listAll(states: readonly PickupState[], journal: Journal): Promise<WireListedPickup[]> {
  return Promise.all(states.map((state) => listed(state, journal)));
}

async function listed(state: PickupState, journal: Journal): Promise<WireListedPickup> {
  const { request, at } = (await journal.readOne(state.sequence)) as Entry & PickupFacts;
  const { address, contact, date, ready_time, close_time, instructions, tracking_codes } = request;
  return {
    ...asWire(state),
    address,
    contact,
    date,
    ready_time,
    close_time,
    instructions,
    tracking_codes,
    references: request.references ?? null,
    asked_at: at,
  };
}

/**
 * The fee in the requested currency. Refuses an address that is steered to, or a fee beyond the expected
 * one.
 */
function agreedFee(carrier: string, { address, expected_fee }: WirePickupRequest): number {
  const { refuse, no_lane } = steeringOf(address, carrier);
  if (refuse) throw new Refusal(422, "pickup_refused", "The carrier does not come (sim:refuse).");
  if (no_lane)
    throw new Refusal(422, "area_not_served", "The carrier fetches nothing here (sim:no_lane).");
  const { amount_cents: expected, currency } = expected_fee;
  const amount_cents = pickupFee(carrier, address, currency);
  if (amount_cents <= expected) return amount_cents;
  const message = "The fee is higher than expected; nobody will come.";
  throw new Refusal(409, "price_changed", message, { actual_cost: { amount_cents, currency } });
}

/** The carrier's fee for a pickup at an address, in this currency. */
export function pickupFee(
  carrier: string,
  address: Pick<WirePickupRequest["address"], "address2">,
  currency: string,
): number {
  const fee = convert(feesCents[carrier] ?? 0, "CAD", currency);
  const rise = Math.max(percentOf(fee, priceRisePercent), freePriceRiseCents);
  return steeringOf(address, carrier).price_up ? fee + rise : fee;
}
