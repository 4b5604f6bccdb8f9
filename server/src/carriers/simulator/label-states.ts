import type { Entry } from "./journal.ts";
import type { LabelFacts, LabelState, VoidFacts } from "./label-facts.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import { steeringOf } from "./steering.ts";

/** What memory keeps of one carrier's labels. All of it comes from the journal, entry by entry. */
interface LabelStates {
  all(): Iterable<LabelState>;
  byReference(reference: string): LabelState | undefined;
  byId(labelId: string): LabelState | undefined;
  /** By the tracking code of any of its packages. */
  byCode(code: string): LabelState | undefined;
  /** By whichever of its names the client has. */
  known(by: KnownBy): LabelState | undefined;
  /** For the next package; never issued twice, not even for a label that fails. */
  nextSerial(): number;
  replay(entry: Entry): void;
}

export type KnownBy = { reference: string } | { tracking_code: string } | { label_id: string };

export function labelStates(tariff: CarrierTariff): LabelStates {
  const byReference = new Map<string, LabelState>();
  const byCode = new Map<string, LabelState>();
  const byId = new Map<string, LabelState>();
  let lastSerial = 0;

  function issued(entry: Entry & LabelFacts): void {
    const state = stateOf(tariff, entry);
    byReference.set(state.reference, state);
    byId.set(state.label_id, state);
    for (const code of entry.package_tracking_codes) byCode.set(code, state);
    lastSerial = Math.max(lastSerial, entry.last_serial);
  }

  function voided({ label_id, effective, refund, at }: Entry & VoidFacts): void {
    const state = byId.get(label_id)!;
    state.voided = { label_id, effective, refund, at };
    state.changed_at = at;
  }

  return {
    all: () => byReference.values(),
    byReference: (reference) => byReference.get(reference),
    byId: (labelId) => byId.get(labelId),
    byCode: (code) => byCode.get(code),
    known: (by) =>
      "reference" in by
        ? byReference.get(by.reference)
        : "label_id" in by
          ? byId.get(by.label_id)
          : byCode.get(by.tracking_code),
    nextSerial: () => (lastSerial += 1),
    replay(entry) {
      if (entry.operation === "label") issued(entry as Entry & LabelFacts);
      if (entry.operation === "void") voided(entry as Entry & VoidFacts);
    },
  };
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
    itinerary_kind: steering.track,
    scans_after_void: steering.scan_after_void,
    drop_response: steering.lost_answer,
    ways: steering,
    voided: null,
  };
}
