import { Type } from "typebox";
import { CarrierError, type CallContext, type Carrier } from "../carriers/carrier.ts";
import type { CarrierPickups } from "../carriers/pickups.ts";
import { HandlingUnit } from "../domain/goods/freight.ts";
import { Item, Package } from "../domain/goods/parcel.ts";
import { currentCallSubject } from "../domain/logs/call-subject.ts";
import { redacted } from "../domain/logs/redact.ts";
import { addOnCodes, ExclusionReason } from "../domain/pricing/rate.ts";
import { LabelFormat, LabelSize } from "../domain/shipments/shipment-enums.ts";
import { TrackingStatus } from "../domain/shipments/shipment-status.ts";
import type { Clock } from "../domain/time/clock.ts";
import { newId } from "../domain/values/ids.ts";
import { Country, Logged, OneOf, TimeOfDay } from "../domain/values/schema.ts";
import type { RequestLog } from "./ring.ts";

/**
 * Notes each call of a carrier, with what was asked and answered in our own terms: what an adapter makes of that for the
 * wire has credentials, and is not seen here. The schemas below list what the log may show (`domain/logs/redact.ts`). What
 * a carrier charges the platform is not among it: the account reads this log, and is charged its own price.
 */
interface CarrierCallLog {
  log: RequestLog;
  clock: Clock;
  /** Codes of services and carriers, and currencies. */
  known: ReadonlySet<string>;
}

const code = Logged(Type.String(), "known");
const ours = Logged(Type.String());
const number = Type.Number();
const date = Type.String({ format: "date" });
const freight = Type.Object({
  handling_units: Type.Array(HandlingUnit),
  units: Type.Array(HandlingUnit),
  quote_number: ours,
});
const address = Type.Object({ country_code: Country(), is_residential: Type.Boolean() });

const Sent = Type.Object({
  shipment: Type.Object({
    from_address: address,
    to_address: address,
    return_address: address,
    is_return: Type.Boolean(),
    packages: Type.Array(Package),
    items: Type.Array(Item),
    ship_date: date,
    freight,
  }),
  services: Type.Array(Type.Object({ code })),
  service: Type.Object({ code }),
  currency: code,
  estimated: Type.Boolean(),
  reference: Type.String(),
  references: Type.Object({ shipment_id: Type.String(), pickup_id: Type.String() }),
  ship_code: ours,
  add_ons: Type.Array(OneOf(addOnCodes)),
  label_format: LabelFormat,
  label_size: LabelSize,
  quote_number: ours,
  carrier_label_id: ours,
  carrier_pickup_id: ours,
  carrier_manifest_id: ours,
  tracking_code: ours,
  date,
  ready_time: TimeOfDay(),
  close_time: TimeOfDay(),
  package_count: number,
  weight_grams: number,
});

const Heard = Type.Object({
  rates: Type.Array(
    Type.Object({
      service: code,
      currency: code,
      surcharges: Type.Array(Type.Object({ code: ours })),
      add_ons: Type.Array(Type.Object({ code: ours, required: Type.Boolean() })),
      estimated_delivery_days: number,
      estimated_delivery_date: date,
      zone: ours,
      freight,
    }),
  ),
  unavailable: Type.Array(Type.Object({ service: code, reason: ExclusionReason })),
  carrier_label_id: ours,
  carrier_pickup_id: ours,
  carrier_manifest_id: ours,
  tracking_code: ours,
  package_tracking_codes: Type.Array(ours),
  confirmation_number: ours,
  booking: Type.Object({ confirmation_number: ours, bol_number: ours, pro_number: ours }),
  state: OneOf(["live", "voided", "unknown"]),
  cancelled: Type.Boolean(),
  refund: OneOf(["none", "pending", "approved", "rejected"]),
  estimated_delivery_date: date,
  events: Type.Array(
    Type.Object({
      occurred_at: Type.String({ format: "date-time" }),
      status: TrackingStatus,
      carrier_code: ours,
    }),
  ),
  kind: OneOf(["refused", "unreachable", "unknown"]),
  carrier_code: ours,
  exclusion: ExclusionReason,
  retry_after_seconds: number,
});

/** The carrier, each of whose calls leaves a line. Lists of all accounts, for reconciliation, leave none. */
export function withCallLog(carrier: Carrier, log: CarrierCallLog): Carrier {
  const noted = noter(carrier.descriptor.code, log);
  return {
    descriptor: carrier.descriptor,
    quote: (request, signal) => noted("quote", request, () => carrier.quote(request, signal)),
    buyLabel: (request, signal) =>
      noted("buy_label", request, () => carrier.buyLabel(request, signal)),
    lookUpLabel: (sent, signal) =>
      noted("find_label", sent, () => carrier.lookUpLabel(sent, signal)),
    fetchFiles: (label, format, signal) =>
      noted("fetch_files", label, () => carrier.fetchFiles(label, format, signal)),
    refundState: (label, signal) =>
      noted("refund_state", label, () => carrier.refundState(label, signal)),
    listLabels: (request, signal) => carrier.listLabels(request, signal),
    ...(carrier.testConnection ? { testConnection: carrier.testConnection } : {}),
    voidLabel: (request, signal) =>
      noted("void_label", request, () => carrier.voidLabel(request, signal)),
    track: (request, signal) => noted("track", request, () => carrier.track(request, signal)),
    ...(carrier.pickups ? { pickups: pickupsWithCallLog(carrier.pickups, noted) } : {}),
    ...capabilitiesWithCallLog(carrier, noted),
  };
}

function capabilitiesWithCallLog(
  { addresses, locations, manifests }: Carrier,
  noted: Noted,
): Pick<Carrier, "addresses" | "locations" | "manifests"> {
  return {
    ...(addresses && {
      addresses: {
        check: (request, signal) =>
          noted("check_address", request, () => addresses.check(request, signal)),
      },
    }),
    ...(locations && {
      locations: {
        near: (request, signal) =>
          noted("find_locations", request, () => locations.near(request, signal)),
      },
    }),
    ...(manifests && {
      manifests: {
        create: (request, signal) =>
          noted("create_manifest", request, () => manifests.create(request, signal)),
        lookUp: (sent, signal) =>
          noted("find_manifest", sent, () => manifests.lookUp(sent, signal)),
        files: (manifest, signal) =>
          noted("fetch_manifest", manifest, () => manifests.files(manifest, signal)),
      },
    }),
  };
}

function pickupsWithCallLog(pickups: CarrierPickups, noted: Noted): CarrierPickups {
  return {
    schedule: (request, signal) =>
      noted("schedule_pickup", request, () => pickups.schedule(request, signal)),
    lookUp: (sent, signal) => noted("find_pickup", sent, () => pickups.lookUp(sent, signal)),
    list: (request, signal) => pickups.list(request, signal),
    cancel: (request, signal) =>
      noted("cancel_pickup", request, () => pickups.cancel(request, signal)),
  };
}

type Noted = <T>(
  operation: string,
  request: { context: CallContext; reference?: string },
  call: () => Promise<T>,
) => Promise<T>;

/** About what it takes until the transaction after the call has been sent. */
const noteAfterMs = 1;

function noter(carrier: string, { log, clock, known }: CarrierCallLog): Noted {
  /** A body that cannot be read is left out: nothing that fails here may end the process. */
  function shown(value: unknown, schema: object): string | null {
    try {
      return redacted(value, schema, { known });
    } catch {
      return null;
    }
  }

  return async (operation, request, call) => {
    const at = clock.now();
    const begun = performance.now();
    const note = (outcome: string, answer: unknown) => {
      const { keeps_bodies, ...subject } = currentCallSubject();
      const ms = Math.round(performance.now() - begun);
      // What has been answered goes on at once. It waits for the database soon, and the bodies are read then.
      setTimeout(() => {
        log.append({
          carrier_call: {
            account_id: request.context.account_id,
            at,
            id: newId("ccl", at),
            ...subject,
            carrier,
            operation,
            ms,
            outcome,
            request_body: keeps_bodies ? shown(request, Sent) : null,
            response_body: keeps_bodies ? shown(answer ?? null, Heard) : null,
          },
        });
      }, noteAfterMs);
    };
    try {
      const answer = await call();
      note("ok", answer);
      return answer;
    } catch (error) {
      note(error instanceof CarrierError ? error.kind : "unknown", factsOf(error));
      throw error;
    }
  };
}

/** Its message is the carrier's text, and may quote an address. */
function factsOf(error: unknown): object {
  if (!(error instanceof CarrierError)) return {};
  const { kind, carrier_code, exclusion, retry_after_seconds } = error;
  return { kind, carrier_code, exclusion, retry_after_seconds };
}
