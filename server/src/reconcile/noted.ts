import type { Carrier, CarrierDescriptor, ListedLabel } from "../carriers/carrier.ts";
import type { JournaledLabel, JournaledUndo, Undone } from "../journal/read-journal.ts";
import { readJournal, type Journal } from "../journal/read-journal.ts";
import type { NotedPurchase } from "../purchasing/labels/restore-label.ts";
import type { Job } from "./job.ts";
import * as store from "./store.ts";

/**
 * What the journal outside the database says of carriers that cannot list what they sold: read like their lists. A
 * journal that lacks what the database knows is another one's, or lost in part, and proves nothing.
 */

export interface Noted extends Journal {
  /** Whether what the carrier has may be missing in it, so that a person has to compare. */
  isBlind(carrier: Carrier, kind: "label_purchase" | "pickup"): boolean;
}

const dayMs = 86_400_000;

/** Throws where it cannot be read. */
export async function readNoted({ platform, since, started_at }: Job): Promise<Noted> {
  const { db, config, journal } = platform;
  const kept = new Date(started_at.getTime() - (config.journal_days - 1) * dayMs);
  const newest = await store.newestEffects(db, kept);
  const connected = await store.connectedCarriers(db);
  const moments = newest.filter(({ is_connected }) => is_connected).map(({ sent_at }) => sent_at);
  const from = Math.min(since.getTime(), ...moments.map((moment) => moment.getTime()));
  const read = await readJournal(journal.files, { since, references_from: new Date(from) });
  return {
    ...read,
    isBlind({ descriptor }, kind) {
      const { code } = descriptor;
      const is_connected = descriptor.connected !== undefined;
      const last = newest.find(
        (each) =>
          each.kind === kind && each.party === code && (!is_connected || each.is_connected),
      );
      if (last) return !read.references.has(last.reference);
      // Nothing that it should have is known here.
      return read.references.size === 0 && (!is_connected || connected.has(code));
    },
  };
}

/** The facts of the carrier's calls that a list does not cover: under a connection, where it has one. */
export function factsOfCalls({ descriptor }: Carrier): CarrierDescriptor {
  return descriptor.connected ?? descriptor;
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
