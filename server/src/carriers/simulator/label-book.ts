import { randomUUID } from "node:crypto";
import type { Clock } from "../../domain/time/clock.ts";
import { percentOf } from "../../domain/values/money.ts";
import type { ListOptions } from "./changed-page.ts";
import { inTurn } from "./in-turn.ts";
import { listChanged } from "./label-list.ts";
import type { Entry, Journal } from "./journal.ts";
import type { Itineraries } from "./itineraries/itineraries.ts";
import { trackPackage } from "./label-tracking.ts";
import {
  hasPassed,
  startOf,
  type LabelFacts,
  type LabelState,
  type VoidFacts,
} from "./label-facts.ts";
import { labelStates, type KnownBy } from "./label-states.ts";
import { costOf, priceService } from "./pricing/price.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import { printLabel, type DrawLabel } from "./print-label.ts";
import { Refusal } from "./refusal.ts";
import { priceRisePercent, steeringOf } from "./steering.ts";
import { trackingCode } from "./tracking-codes.ts";
import type {
  WireLabel,
  WireLabelRequest,
  WireListedLabel,
  WireRate,
  WireTracking,
} from "./wire.ts";

/**
 * One carrier's labels. Memory holds what decides (is the reference taken, is the label void); the
 * rest, the request included, is read back from the journal on a lookup. A label is drawn when it is
 * shown, and not kept: the same request always draws the same label.
 */
export interface LabelBook {
  /** Issues a label under a reference that was never used. Throws a refusal, having committed nothing. */
  buy(request: WireLabelRequest, options: PurchaseOptions): Promise<BookResult<BookedLabel>>;
  /** What was sold under a reference, as soon as a lookup may show it. */
  find(reference: string): Promise<BookedLabel | null>;
  /** The label in the simulator's own form, its file drawn. */
  show(booked: BookedLabel): Promise<WireLabel>;
  /** All of them, the oldest first. */
  all(): Iterable<Readonly<LabelState>>;
  /** The account's labels that were bought or voided since a moment, in the order of their purchase. */
  list(options: ListOptions): Promise<{ labels: WireListedLabel[]; next_cursor: number | null }>;
  /** The scans of a package until now; null for a code that this carrier did not issue. */
  track(trackingCode: string): Promise<WireTracking | null>;
  /** Voids a label; one that is void already is void again. Refuses one that was scanned. */
  void(
    labelId: string,
    claim: VoidRequest,
  ): Promise<BookResult<{ refund: "pending" | "approved" }>>;
  /** What was asked for and what became of it. */
  peek(of: KnownBy): Promise<BookedLabel | null>;
  /** Applies a committed entry: after an append, and for each entry of the journal at the start. */
  replay(entry: Entry): void;
}

export interface BookedLabel {
  state: Readonly<LabelState>;
  facts: LabelFacts;
}

export interface PurchaseOptions {
  account: { account_id: string; environment: string };
  /** Called at the last moment: a purchase that waited too long is dropped rather than committed late. */
  tooLate: () => boolean;
}

interface VoidRequest {
  reference: string;
  tracking_code: string;
}

/** `drop_response`: it is committed, and the caller must get no response (`sim:lost_answer`). */
export interface BookResult<T> {
  value: T;
  drop_response: boolean;
}

/** What a carrier's labels share with all else that it issues. */
export interface Books {
  journal: Journal;
  itineraries: Itineraries;
}

export function labelBook(
  tariff: CarrierTariff,
  books: Books & { clock: Clock; draw: DrawLabel },
): LabelBook {
  const { journal, itineraries, clock, draw } = books;
  const states = labelStates(tariff);
  const turn = inTurn();

  async function buy(request: WireLabelRequest, { account, tooLate }: PurchaseOptions) {
    if (states.byReference(request.reference)) {
      throw new Refusal(409, "duplicate_reference", "A label was bought under this reference.");
    }
    const { rate, amount_cents } = agreedPrice(tariff, request);
    const serials = request.packages.map(() => states.nextSerial());
    const last_serial = serials.at(-1) ?? 0;
    const package_tracking_codes = serials.map((serial) =>
      trackingCode(tariff.carrier, journal.seed, serial),
    );
    if (tooLate())
      throw new Refusal(503, "too_late", "The purchase waited too long; nothing was bought.");
    const sold = { rate, amount_cents, package_tracking_codes, last_serial };
    const entry = await journal.append<LabelFacts>(labelEntry(tariff, { request, account, sold }));
    states.replay(entry);
    const state = states.byReference(request.reference)!;
    return { value: { state, facts: entry }, drop_response: state.drop_response };
  }

  async function find(reference: string): Promise<BookedLabel | null> {
    const state = states.byReference(reference);
    return state && hasPassed(state.ways.lag_seconds, state, clock.now()) ? booked(state) : null;
  }

  async function booked(state: LabelState): Promise<BookedLabel> {
    return { state, facts: (await journal.readOne(state.sequence)) as Entry & LabelFacts };
  }

  async function voidLabel(state: LabelState) {
    refuseUnlessVoidable(state, itineraries);
    const isFirst = state.voided === null;
    if (isFirst) states.replay(await journal.append<VoidFacts>(voidEntry(tariff, state)));
    const refund = tariff.refunds_at_once && !state.used ? "approved" : "pending";
    return { value: { refund } as const, drop_response: isFirst && state.drop_response };
  }

  return {
    buy: (request, options) => turn(request.reference, () => buy(request, options)),
    find: (reference) => turn(reference, () => find(reference)),
    show: (label) => asWire({ tariff, draw }, label, clock.now()),
    all: () => states.all(),
    track: async (code) => {
      const state = states.byCode(code);
      return state ? trackPackage(state, code, { ...books, tariff }) : null;
    },
    async peek(of) {
      const state = states.known(of);
      return state ? booked(state) : null;
    },
    list: (options) => listChanged(states.all(), journal, options),
    async void(labelId, claim) {
      const state = claimed(states.byId(labelId), claim);
      return turn(state.reference, () => voidLabel(state));
    },
    replay: (entry) => states.replay(entry),
  };
}

/** A void has to identify the label by more than its id. */
function claimed(state: LabelState | undefined, claim: VoidRequest): LabelState {
  const { reference, tracking_code } = claim;
  if (state?.reference === reference && state.tracking_code === tracking_code) return state;
  throw new Refusal(404, "label_not_found", "There is no such label.");
}

function refuseUnlessVoidable(state: LabelState, itineraries: Itineraries): void {
  if (state.ways.no_void) {
    throw new Refusal(409, "void_not_offered", "The carrier voids nothing (sim:no_void).");
  }
  if (state.voided && !state.voided.effective) {
    throw new Refusal(409, "label_used", "The label was used; it cannot be voided.");
  }
  if (!state.voided && itineraries.isScanned(startOf(state))) {
    throw new Refusal(409, "label_scanned", "The label was scanned; it cannot be voided.");
  }
}

/** The journal entry of a purchase: enough to print the same label again. */
function labelEntry(
  tariff: CarrierTariff,
  purchase: {
    request: WireLabelRequest;
    account: PurchaseOptions["account"];
    sold: ReturnType<typeof agreedPrice> & {
      package_tracking_codes: string[];
      last_serial: number;
    };
  },
) {
  const { request, account, sold } = purchase;
  const { rate, amount_cents, package_tracking_codes, last_serial } = sold;
  return {
    carrier: tariff.carrier,
    operation: "label" as const,
    reference: request.reference,
    tracking_code: package_tracking_codes[0]!,
    ...account,
    label_id: randomUUID(),
    service_code: request.service_code,
    zone: rate.zone,
    package_tracking_codes,
    amount_cents,
    currency: rate.currency,
    last_serial,
    request,
  };
}

/** The journal entry of a first void: that of a used label is accepted and then rejected. */
function voidEntry(tariff: CarrierTariff, state: LabelState) {
  return {
    carrier: tariff.carrier,
    operation: "void" as const,
    reference: state.reference,
    tracking_code: state.tracking_code,
    label_id: state.label_id,
    effective: !state.used,
    refund: state.used ? ("rejected" as const) : ("approved" as const),
  };
}

/**
 * The rate and the cost with the chosen extras. Refuses a service that is not offered, or more expensive than
 * expected.
 */
function agreedPrice(
  tariff: CarrierTariff,
  request: WireLabelRequest,
): { rate: WireRate; amount_cents: number } {
  const { expected_cost, extras, service_code, recipient } = request;
  const steering = steeringOf(recipient, tariff.carrier);
  if (steering.refuse) {
    throw new Refusal(422, "shipment_refused", "The carrier refuses this shipment (sim:refuse).");
  }
  const consignment = { ...request, currency: expected_cost.currency };
  const priced = priceService(tariff, service_code, consignment);
  if ("unavailable" in priced) {
    throw new Refusal(422, priced.unavailable.code, priced.unavailable.message);
  }
  const cost = costOf(priced.rate, extras);
  if (cost === null) throw new Refusal(422, "extra_not_offered", "The service lacks this extra.");
  const rise = steering.price_up ? percentOf(cost, priceRisePercent) : 0;
  const amount_cents = cost + rise;
  if (amount_cents > expected_cost.amount_cents) {
    const message = "The price is higher than expected; nothing was bought.";
    const actual_cost = { amount_cents, currency: expected_cost.currency };
    throw new Refusal(409, "price_changed", message, { actual_cost });
  }
  return { rate: priced.rate, amount_cents };
}

async function asWire(
  printer: { tariff: CarrierTariff; draw: DrawLabel },
  { state, facts }: BookedLabel,
  now: Date,
): Promise<WireLabel> {
  const { label_id, package_tracking_codes, amount_cents, currency, request } = facts;
  const { late_price, late_file_seconds } = state.ways;
  const { format } = request.label;
  const drawn = async () => (await printLabel(printer, { request, facts })).toString("base64");
  return {
    label_id,
    reference: state.reference,
    tracking_code: state.tracking_code,
    package_tracking_codes,
    amount_cents: late_price ? null : amount_cents,
    currency,
    voided: state.voided?.effective ?? false,
    refund: state.voided?.refund ?? "none",
    label: hasPassed(late_file_seconds, state, now) ? { format, content: await drawn() } : null,
  };
}
