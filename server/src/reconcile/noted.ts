import type { Carrier, CarrierDescriptor, ListedLabel } from "../carriers/carrier.ts";
import type { ListedPickup, SentPickup } from "../carriers/pickups.ts";
import type { Address } from "../domain/addresses/address.ts";
import {
  readJournal,
  type Journal,
  type JournaledLabel,
  type JournaledPickup,
  type JournaledUndo,
  type Undone,
} from "../journal/read-journal.ts";
import type { NotedPurchase } from "../purchasing/labels/restore-label.ts";
import type { Job } from "./job.ts";
import * as store from "./store.ts";

/**
 * What the journal outside the database says of carriers that cannot list what they sold: read like their lists. A
 * journal that lacks what the database knows is another one's, or lost in part, and proves nothing.
 */

export interface Noted extends Journal {
  /** Whether what the carrier has may be missing in it, so that a person has to compare. */
  isBlind(carrier: Carrier, kind: "label_purchase" | "pickup" | "manifest"): boolean;
}

const dayMs = 86_400_000;

/** Throws where it cannot be read. */
export async function readNoted({ platform, since, started_at }: Job): Promise<Noted> {
  const { db, config, journal } = platform;
  const kept = new Date(started_at.getTime() - (config.journal_days - 1) * dayMs);
  const newest = await store.newestEffects(db, kept);
  const connected = await store.connectedCarriers(db);
  const moments = newest.filter(isNoted).map(({ sent_at }) => sent_at);
  const from = Math.min(since.getTime(), ...moments.map((moment) => moment.getTime()));
  const read = await readJournal(journal.files, { since, references_from: new Date(from) });
  return {
    ...read,
    isBlind({ descriptor }, kind) {
      const { code } = descriptor;
      const is_connected = descriptor.connected !== undefined;
      const last = newest
        .filter((each) => each.kind === kind && each.party === code)
        .filter((each) => !is_connected || isNoted(each))
        .toSorted((one, other) => other.sent_at.getTime() - one.sent_at.getTime())[0];
      if (last) return !read.references.has(last.reference);
      // Where nothing is known here of its labels either, they are what is told.
      if (kind === "manifest") return false;
      // Nothing that it should have is known here.
      return read.references.size === 0 && (!is_connected || connected.has(code));
    },
  };
}

/** Of a carrier with two ends: what is listed without a connection is not noted, and no manifest is listed. */
function isNoted({ kind, is_connected }: store.NewestEffect): boolean {
  return is_connected || kind === "manifest";
}

/** The facts of the carrier's calls that a list does not cover: under a connection, where it has one. */
export function factsOfCalls({ descriptor }: Carrier): CarrierDescriptor {
  return descriptor.connected ?? descriptor;
}

/** For the waits of a call before it is sent. */
const marginSeconds = 30;

/** Whether what was sent then and is not found so many seconds later did not happen. */
export function isOver({ platform }: Job, sentAt: Date, afterSeconds: number): boolean {
  const ageMs = platform.clock.now().getTime() - sentAt.getTime();
  return ageMs >= (afterSeconds + marginSeconds) * 1000;
}

/** A label of the journal, as a list would show it, with what only the journal knows. */
export interface NotedLabel extends NotedPurchase {
  /** No answer to its purchase is known. */
  is_unheard: boolean;
  undone: Undone | null;
}

export function labelsOf(
  { labels, undone_labels }: Noted,
  { descriptor }: Carrier,
): { environment: "live" | "test"; label: ListedLabel; noted: NotedLabel }[] {
  const { code } = descriptor;
  return [
    ...labels.filter(({ sent }) => sent.carrier === code).map(noted),
    ...undone_labels.filter(({ sent }) => sent.carrier === code).map(onlyUndone),
  ];
}

function noted({ sent, heard, undone }: JournaledLabel) {
  const { reference, references, environment, connection_id, look_up, at } = sent;
  const { add_ons, label_format, expected_cost } = sent;
  const label: ListedLabel = {
    reference,
    references,
    carrier_label_id: heard?.carrier_label_id ?? "",
    tracking_code: heard?.tracking_code ?? "",
    carrier_service_code: look_up.carrier_service_code,
    add_ons: [...add_ons],
    label_format,
    cost: heard?.cost ?? expected_cost,
    ...stateAfter(undone),
    bought_at: new Date(at),
  };
  const sold = heard && { ...heard, files: "pending" as const };
  return {
    environment,
    label,
    noted: { connection_id, look_up, sold, is_unheard: heard === null, undone },
  };
}

function stateAfter(undone: Undone | null): Pick<ListedLabel, "voided" | "refund"> {
  if (undone === null || undone === "unheard") return { voided: false, refund: "none" };
  return { voided: true, refund: undone.refund };
}

/** Of its purchase, which was before, nothing is needed but its reference. */
function onlyUndone({ sent, undone }: JournaledUndo) {
  const { reference, account_id, environment, connection_id, at } = sent;
  const unknown = { shipment_id: "", shipment_digest: "", idempotency_key: null };
  const label: ListedLabel = {
    reference,
    references: { account_id, ...unknown },
    carrier_label_id: "",
    tracking_code: "",
    carrier_service_code: "",
    add_ons: [],
    label_format: "pdf",
    cost: { amount_cents: 0, currency: "" },
    ...stateAfter(undone),
    bought_at: new Date(at),
  };
  return {
    environment,
    label,
    noted: { connection_id, look_up: null, sold: null, is_unheard: false, undone },
  };
}

/** A pickup of the journal, with what only the journal knows. */
export interface NotedPickup {
  connection_id: string | null;
  /** Null where only its cancellation is noted. */
  look_up: SentPickup["look_up"] | null;
  is_unheard: boolean;
}

export function pickupsOf(
  { pickups, undone_pickups }: Noted,
  { descriptor }: Carrier,
): { environment: "live" | "test"; pickup: ListedPickup; noted: NotedPickup }[] {
  const { code } = descriptor;
  return [
    ...pickups.filter(({ sent }) => sent.carrier === code).map(notedPickup),
    ...undone_pickups.filter(({ sent }) => sent.carrier === code).map(onlyCancelled),
  ];
}

/** A cancellation without a known answer is as good as none: it shows as confirmed, and can be cancelled again. */
function notedPickup({ sent, heard, undone }: JournaledPickup) {
  const { reference, references, environment, connection_id, look_up, at } = sent;
  const { ready_time, close_time, tracking_codes, expected_fee } = sent;
  const pickup: ListedPickup = {
    ...unnoted,
    reference,
    references,
    ready_time,
    close_time,
    tracking_codes,
    fee: expected_fee,
    date: look_up.date,
    ...heard,
    address: { ...nowhere, country_code: look_up.country, postal_code: look_up.postal_code },
    cancelled: undone !== null && undone !== "unheard",
    asked_at: new Date(at),
  };
  const noted = { connection_id, look_up, is_unheard: heard === null };
  return { environment, pickup, noted };
}

function onlyCancelled({ sent, undone }: JournaledUndo) {
  const { reference, account_id, environment, connection_id, at } = sent;
  const pickup: ListedPickup = {
    ...unnoted,
    reference,
    references: { account_id, pickup_id: "", idempotency_key: null },
    cancelled: undone !== "unheard",
    asked_at: new Date(at),
  };
  return { environment, pickup, noted: { connection_id, look_up: null, is_unheard: false } };
}

const nowhere: Address = {
  name: null,
  company: null,
  address1: "",
  address2: null,
  city: "",
  province_code: null,
  postal_code: null,
  country_code: "",
  phone: null,
  email: null,
  is_residential: false,
  tax_identifier: null,
};

const unnoted: Omit<ListedPickup, "reference" | "references" | "cancelled" | "asked_at"> = {
  address: nowhere,
  contact: { name: null, phone: null, email: null },
  instructions: null,
  date: "",
  ready_time: "",
  close_time: "",
  tracking_codes: [],
  carrier_pickup_id: "",
  confirmation_number: "",
  fee: null,
  shared: false,
  carrier_data: null,
};
