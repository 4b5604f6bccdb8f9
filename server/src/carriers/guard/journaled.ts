import type { Clock } from "../../domain/time/clock.ts";
import {
  CarrierError,
  descriptorUnder,
  type CallContext,
  type Carrier,
  type LabelRequest,
} from "../carrier.ts";
import type { CarrierManifests, ManifestRequest } from "../capabilities.ts";
import type { HeardEntry, JournalWriter, SentEntry } from "../journal-entry.ts";
import type { CarrierPickups, PickupRequest } from "../pickups.ts";

/**
 * Notes each effect at a carrier that cannot list it, before the call and after its answer, outside the database:
 * a database that is set back finds there what it lacks (`reconcile/`). Where the carrier lists its labels by
 * Waybill's references no label is noted, and no purchase costs more; pickups likewise. A call whose first entry
 * cannot be stored is not made: `unreachable`, code `not_recorded`.
 */

interface JournalParts {
  journal: JournalWriter;
  clock: Clock;
  /** How long a call waits for its first entry, and an answer for the second. */
  write_wait_ms: number;
  /** The entry after an answer is missing: a lookup stands in for it. */
  on_lost(entry: HeardEntry, error: unknown): void;
}

/** The code of a call that was not made because it could not be noted. */
export const notRecorded = "not_recorded";

type Sent = SentEntry extends infer Each ? (Each extends SentEntry ? About<Each> : never) : never;
type About<Entry> = Omit<
  Entry,
  "step" | "at" | "account_id" | "carrier" | "environment" | "connection_id"
>;
type Heard = HeardEntry extends infer Each ? (Each extends HeardEntry ? Told<Each> : never) : never;
type Told<Entry> = Omit<Entry, "step" | "at" | "account_id" | "reference" | "effect">;

/**
 * The carrier, with a line in the journal before and after each effect that it cannot list (ADR 49). What cannot be noted
 * before is not sent, and throws a `CarrierError` that proves it (`unreachable`); answers and errors pass as they are.
 */
export function withJournal(carrier: Carrier, parts: JournalParts): Carrier {
  const { descriptor, pickups, manifests } = carrier;
  const note = noterFor(carrier, parts);
  const isListed = ({ connection }: CallContext) =>
    descriptorUnder(descriptor, connection?.id).listsLabels;
  return {
    ...carrier,
    buyLabel(request, signal) {
      const call = () => carrier.buyLabel(request, signal);
      if (isListed(request.context)) return call();
      return note(request.context, { sent: labelSent(request), call }, (label) => {
        const { carrier_label_id, tracking_code, package_tracking_codes, cost, carrier_data } =
          label;
        const heard = {
          carrier_label_id,
          tracking_code,
          package_tracking_codes,
          cost,
          carrier_data,
        };
        return { outcome: "done", label: heard };
      });
    },
    voidLabel(label, signal) {
      const call = () => carrier.voidLabel(label, signal);
      if (isListed(label.context)) return call();
      const sent = { effect: "void", reference: label.reference } as const;
      return note(label.context, { sent, call }, ({ refund }) => ({ outcome: "done", refund }));
    },
    ...(pickups ? { pickups: journaledPickups(carrier, pickups, note) } : {}),
    ...(manifests ? { manifests: journaledManifests(manifests, note) } : {}),
  };
}

function journaledPickups(
  { descriptor }: Carrier,
  pickups: CarrierPickups,
  note: Note,
): CarrierPickups {
  const isListed = ({ connection }: CallContext) =>
    descriptorUnder(descriptor, connection?.id).pickups?.listsPickups ?? true;
  return {
    ...pickups,
    schedule(request, signal) {
      const call = () => pickups.schedule(request, signal);
      if (isListed(request.context)) return call();
      return note(request.context, { sent: pickupSent(request), call }, (pickup) => {
        const { carrier_pickup_id, confirmation_number, fee, date, shared, carrier_data } = pickup;
        const heard = { carrier_pickup_id, confirmation_number, fee, date, shared, carrier_data };
        return { outcome: "done", pickup: heard };
      });
    },
    cancel(request, signal) {
      const call = () => pickups.cancel(request, signal);
      if (isListed(request.context)) return call();
      const sent = { effect: "pickup_cancel", reference: request.reference } as const;
      return note(request.context, { sent, call }, () => ({ outcome: "done" }));
    },
  };
}

/** No carrier lists manifests by Waybill's references, the simulator's do not either: each is noted. */
function journaledManifests(manifests: CarrierManifests, note: Note): CarrierManifests {
  return {
    ...manifests,
    create(request, signal) {
      const call = () => manifests.create(request, signal);
      return note(request.context, { sent: manifestSent(request), call }, (made) => {
        const { carrier_manifest_id, carrier_data } = made;
        return { outcome: "done", manifest: { carrier_manifest_id, carrier_data } };
      });
    },
  };
}

function labelSent({
  reference,
  references,
  shipment,
  service,
  add_ons,
  label_format,
  expected_cost,
}: LabelRequest): Sent {
  const { ship_date, to_address, packages, freight } = shipment;
  const { country_code: country, postal_code } = to_address;
  const units = freight?.handling_units.reduce((sum, { quantity }) => sum + quantity, 0);
  const pieces = units ?? packages.length;
  const { carrier_service_code } = service;
  const look_up = {
    ship_date,
    carrier_service_code,
    destination: { country, postal_code },
    pieces,
  };
  return {
    effect: "label",
    reference,
    references,
    look_up,
    add_ons,
    label_format,
    expected_cost,
  };
}

function pickupSent({
  reference,
  references,
  address,
  date,
  ready_time,
  close_time,
  tracking_codes,
  expected_fee,
}: PickupRequest): Sent {
  const { country_code: country, postal_code } = address;
  return {
    effect: "pickup",
    reference,
    references,
    ready_time,
    close_time,
    tracking_codes,
    expected_fee,
    look_up: { date, country, postal_code },
  };
}

function manifestSent({ reference, references, labels, ship_date }: ManifestRequest): Sent {
  const label_references = labels.map((label) => label.reference);
  return { effect: "manifest", reference, references, label_references, look_up: { ship_date } };
}

type Note = <T>(
  context: CallContext,
  call: { sent: Sent; call: () => Promise<T> },
  tell: (answer: T) => Heard,
) => Promise<T>;

function noterFor({ descriptor }: Carrier, parts: JournalParts): Note {
  const { journal, clock, write_wait_ms, on_lost } = parts;
  const { code: carrier, name } = descriptor;

  const at = () => clock.now().toISOString();

  /** An answer is an answer, whether it could be noted or not. */
  async function tell(entry: HeardEntry): Promise<void> {
    await inTime(write_wait_ms, journal.write(entry)).catch((error: unknown) =>
      on_lost(entry, error),
    );
  }

  return async ({ account_id, environment, connection }, { sent, call }, told) => {
    const connection_id = connection?.id ?? null;
    const facts = { account_id, carrier, environment, connection_id };
    const { effect, reference } = sent;
    const about = { step: "heard", account_id, reference, effect } as const;
    const before = { step: "sent", at: at(), ...facts, ...sent } as SentEntry;
    try {
      await inTime(write_wait_ms, journal.write(before));
    } catch (error) {
      // It may have been stored all the same, and must not look like a call without an answer.
      void tell({ ...about, at: at(), outcome: "nothing" });
      throw notNoted(carrier, name, error);
    }
    let answer;
    try {
      answer = await call();
    } catch (error) {
      const isProven = error instanceof CarrierError && error.kind !== "unknown";
      await tell({ ...about, at: at(), outcome: isProven ? "nothing" : "unknown" });
      throw error;
    }
    await tell({ ...about, at: at(), ...told(answer) } as HeardEntry);
    return answer;
  };
}

function notNoted(carrier: string, name: string, cause: unknown): CarrierError {
  const message = `What is sent to ${name} cannot be recorded at the moment; nothing was sent.`;
  const failure = { kind: "unreachable", carrier, carrier_code: notRecorded, message } as const;
  return new CarrierError(failure, cause);
}

/** Throws once it is too late, also where the process was paused meanwhile. */
async function inTime(ms: number, work: Promise<void>): Promise<void> {
  const began = performance.now();
  const tooLate = () => new Error(`not stored within ${ms} ms`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), ms);
  });
  // Once it is too late no caller handles its error.
  work.catch(() => undefined);
  try {
    await Promise.race([work, late]);
    if (performance.now() - began >= ms) throw tooLate();
  } finally {
    clearTimeout(timer);
  }
}
