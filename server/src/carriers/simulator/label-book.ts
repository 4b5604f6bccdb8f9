import { randomUUID } from "node:crypto";
import { percentOf } from "../../domain/values/money.ts";
import type { ListOptions } from "./changed-page.ts";
import { inTurn } from "./in-turn.ts";
import { listChanged } from "./label-list.ts";
import type { Entry, Journal } from "./journal.ts";
import type { Itineraries } from "./itineraries/itineraries.ts";
import { trackPackage } from "./label-tracking.ts";
import { startOf, type LabelFacts, type LabelState, type VoidFacts } from "./label-facts.ts";
import { costOf, priceService } from "./pricing/price.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import { printLabel } from "./print-label.ts";
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
 * rest, the request included, is read back from the journal on a lookup, and the label is drawn
 * again from it: the same request always draws the same label.
 */
export interface LabelBook {
  /** Issues a label under a reference that was never used. Throws a refusal, having committed nothing. */
  buy(request: WireLabelRequest, options: PurchaseOptions): Promise<BookResult<WireLabel>>;
  find(reference: string): Promise<WireLabel | null>;
  /** The account's labels that were bought or voided since a moment, in the order of their purchase. */
  list(options: ListOptions): Promise<{ labels: WireListedLabel[]; next_cursor: number | null }>;
  /** The scans of a package until now; null for a code that this carrier did not issue. */
  track(trackingCode: string): Promise<WireTracking | null>;
  /** Voids a label; one that is void already is void again. Refuses one that was scanned. */
  void(
    labelId: string,
    claim: VoidRequest,
  ): Promise<BookResult<{ refund: "pending" | "approved" }>>;
  /** What is known of a label, whether by its reference or by the code of one of its packages. */
  peek(of: { reference: string } | { tracking_code: string }): Promise<BookedLabel | null>;
  /** Applies a committed entry: after an append, and for each entry of the journal at the start. */
  replay(entry: Entry): void;
}

export interface BookedLabel {
  state: LabelState;
  facts: LabelFacts;
}

export interface PurchaseOptions {
  account: { account_id: string; environment: string };
  /** Called at the last moment: a purchase that waited too long is dropped rather than committed late. */
  tooLate: () => boolean;
}

export interface VoidRequest {
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

export function labelBook(tariff: CarrierTariff, books: Books): LabelBook {
  const { journal, itineraries } = books;
  const byReference = new Map<string, LabelState>();
  const byCode = new Map<string, LabelState>();
  const byId = new Map<string, LabelState>();
  const turn = inTurn();
  let lastSerial = 0;

  async function buy(request: WireLabelRequest, { account, tooLate }: PurchaseOptions) {
    if (byReference.has(request.reference)) {
      throw new Refusal(409, "duplicate_reference", "A label was bought under this reference.");
    }
    const { rate, amount_cents } = agreedPrice(tariff, request);
    const { zone } = rate;
    const package_tracking_codes = request.packages.map(() =>
      trackingCode(tariff.carrier, journal.seed, (lastSerial += 1)),
    );
    const last_serial = lastSerial;
    const content = await printLabel(tariff, request, { zone, package_tracking_codes });
    if (tooLate())
      throw new Refusal(503, "too_late", "The purchase waited too long; nothing was bought.");
    const sold = { rate, amount_cents, package_tracking_codes, last_serial };
    const entry = await journal.append<LabelFacts>(labelEntry(tariff, { request, account, sold }));
    replay(entry);
    const state = byReference.get(request.reference)!;
    return { value: asWire(entry, state, content), drop_response: state.drop_response };
  }

  async function find(reference: string): Promise<WireLabel | null> {
    const state = byReference.get(reference);
    if (!state) return null;
    const entry = (await journal.readOne(state.sequence)) as Entry & LabelFacts;
    return asWire(entry, state, await printLabel(tariff, entry.request, entry));
  }

  async function voidLabel(state: LabelState) {
    refuseUnlessVoidable(state, itineraries);
    const isFirst = state.voided === null;
    if (isFirst) replay(await journal.append<VoidFacts>(voidEntry(tariff, state)));
    const refund = tariff.refunds_at_once && !state.used ? "approved" : "pending";
    return { value: { refund } as const, drop_response: isFirst && state.drop_response };
  }

  function replay(entry: Entry): void {
    if (entry.operation === "label") {
      const state = stateOf(tariff, entry as Entry & LabelFacts);
      byReference.set(state.reference, state);
      byId.set(state.label_id, state);
      const { package_tracking_codes, last_serial } = entry as Entry & LabelFacts;
      for (const code of package_tracking_codes) byCode.set(code, state);
      lastSerial = Math.max(lastSerial, last_serial);
    }
    if (entry.operation === "void") {
      const { label_id, effective, refund } = entry as Entry & VoidFacts;
      const state = byId.get(label_id)!;
      state.voided = { label_id, effective, refund, at: entry.at };
      state.changed_at = entry.at;
    }
  }

  return {
    buy: (request, options) => turn(request.reference, () => buy(request, options)),
    find: (reference) => turn(reference, () => find(reference)),
    track: async (code) => {
      const state = byCode.get(code);
      return state ? trackPackage(state, code, { ...books, tariff }) : null;
    },
    async peek(of) {
      const state =
        "reference" in of ? byReference.get(of.reference) : byCode.get(of.tracking_code);
      if (!state) return null;
      return { state, facts: (await journal.readOne(state.sequence)) as Entry & LabelFacts };
    },
    list: (options) => listChanged(byReference.values(), journal, options),
    async void(labelId, claim) {
      const state = claimed(byId.get(labelId), claim);
      return turn(state.reference, () => voidLabel(state));
    },
    replay,
  };
}

/** A void has to identify the label by more than its id. */
function claimed(state: LabelState | undefined, claim: VoidRequest): LabelState {
  const { reference, tracking_code } = claim;
  if (state?.reference === reference && state.tracking_code === tracking_code) return state;
  throw new Refusal(404, "label_not_found", "There is no such label.");
}

function refuseUnlessVoidable(state: LabelState, itineraries: Itineraries): void {
  if (state.voided && !state.voided.effective) {
    throw new Refusal(409, "label_used", "The label was used; it cannot be voided.");
  }
  if (!state.voided && itineraries.isScanned(startOf(state))) {
    throw new Refusal(409, "label_scanned", "The label was scanned; it cannot be voided.");
  }
}

/** A label from its journal entry, before any void. */
function stateOf(tariff: CarrierTariff, entry: Entry & LabelFacts): LabelState {
  const steering = steeringOf(entry.request.recipient, tariff.carrier);
  return {
    sequence: entry.sequence,
    environment: entry.environment,
    changed_at: entry.at,
    bought_at: entry.at,
    label_id: entry.label_id,
    reference: entry.reference,
    tracking_code: entry.tracking_code!,
    used: steering.used_label || steering.scan_after_void,
    story: steering.track,
    scans_after_void: steering.scan_after_void,
    drop_response: steering.lost_answer,
    voided: null,
  };
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
 * The rate and the cost with the chosen extras. Refuses a service that is not offered, or dearer than
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

function asWire(entry: Entry & LabelFacts, state: LabelState, content: Buffer): WireLabel {
  const { label_id, reference, package_tracking_codes, amount_cents, currency, request } = entry;
  return {
    label_id,
    reference,
    tracking_code: entry.tracking_code!,
    package_tracking_codes,
    amount_cents,
    currency,
    voided: state.voided?.effective ?? false,
    refund: state.voided?.refund ?? "none",
    label: { format: request.label.format, content: content.toString("base64") },
  };
}
