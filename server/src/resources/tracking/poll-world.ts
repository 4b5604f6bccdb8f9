import { sql } from "kysely";
import { aShipment, type ShipmentEntry } from "../../../test/shipments.ts";
import { aToken, anAccount, call, type TestApi } from "../../../test/api.ts";
import { CarrierError, type Carrier } from "../../carriers/carrier.ts";
import { carrierRegister } from "../../carriers/register.ts";
import type { CarrierTracking, CarrierTrackingEvent } from "../../carriers/tracking.ts";
import { ups } from "../../carriers/ups/ups.ts";
import { inTransaction } from "../../database/connect.ts";
import { newId } from "../../domain/values/ids.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { trackingLoops } from "./poll.ts";
import { startTracking } from "../../shipping/tracking/start-tracking.ts";

/** The poller by itself: the test specifies the carrier's responses, and starts the rounds of its workers. */
export interface PollWorld {
  /** The carrier's response for a code; none for all others. */
  say(code: string, answer: CarrierTracking | CarrierError | null): void;
  /** The codes that the carrier was polled for, in order. */
  asked: string[];
  /** A worker of its own: each call is a round. */
  aWorker(): () => Promise<unknown>;
  /** A shipment whose label was just purchased, and is due for a poll. */
  aLabel(changes?: Partial<ShipmentEntry>): Promise<{ shipment: ShipmentRow; code: string }>;
  show(shipment: ShipmentRow): Promise<ShipmentRow>;
  /** Makes a parcel due, whatever its schedule. */
  due(code: string): Promise<void>;
  close(): Promise<void>;
}

export async function aPollWorld(api: TestApi): Promise<PollWorld> {
  const answers = new Map<string, CarrierTracking | CarrierError | null>();
  const asked: string[] = [];
  const never = async () => Promise.reject(new Error("Tracking calls nothing else."));
  const carrier: Carrier = {
    descriptor: ups,
    quote: never,
    buyLabel: never,
    lookUpLabel: never,
    fetchFiles: never,
    refundState: never,
    listLabels: never,
    voidLabel: never,
    async track({ tracking_code }) {
      asked.push(tracking_code);
      const answer = answers.get(tracking_code) ?? null;
      if (answer instanceof CarrierError) throw answer;
      return answer;
    },
  };
  const platform = { ...api.platform, carriers: carrierRegister([carrier]) };
  const account = await anAccount(api);
  const token = await aToken(api, account, { scopes: [...knownScopes] });
  const { account_id } = account;

  return {
    say: (code, answer) => void answers.set(code, answer),
    asked,
    aWorker() {
      const [loop] = trackingLoops(platform);
      return () => loop!.run(new AbortController().signal);
    },
    async aLabel(changes) {
      const body = aShipment(changes);
      const response = await call(api, { token, method: "POST", path: "/shipments", body });
      const { id } = response.json<{ data: { id: string } }>().data;
      const code = newId("lbl");
      await sql`
        UPDATE shipments SET status = 'purchased', tracking_status = 'pre_transit', carrier = 'ups', service = 'ups.standard',
          tracking_code = ${code}, purchased_at = now() WHERE id = ${id}`.execute(api.db);
      const row = await getShipment(api.db, account_id, id);
      await inTransaction(api.db, (tx) =>
        startTracking(platform, tx, [{ row, environment: "test" }]),
      );
      return { shipment: row, code };
    },
    show: ({ id }) => getShipment(api.db, account_id, id),
    async due(code) {
      await sql`UPDATE trackers SET look_at = now() WHERE tracking_code = ${code}`.execute(api.db);
    },
    async close() {
      await sql`UPDATE trackers SET look_at = NULL`.execute(api.db);
    },
  };
}

export const start = Date.parse("2026-10-05T12:00:00Z");

/** A scan so many minutes after the start, under a code that says its status. */
export function aScan(minute: number, status: TrackingStatus): CarrierTrackingEvent {
  return {
    occurred_at: new Date(start + minute * 60_000),
    status,
    description: `It is ${status}`,
    location: { city: "Sudbury", province_code: "ON", country_code: "CA" },
    carrier_code: status.toUpperCase(),
  };
}

export function told(...events: CarrierTrackingEvent[]): CarrierTracking {
  return { estimated_delivery_date: null, signed_by: null, events };
}

export function failure(
  carrier_code: string,
  kind: CarrierError["kind"] = "unknown",
): CarrierError {
  return new CarrierError({ kind, carrier: "ups", carrier_code, message: "No." });
}
